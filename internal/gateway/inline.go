package gateway

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// InlineName is what people call a state that stands in the configuration of a
// control plane.
func InlineName(controlPlane string) string { return "_deck.state of " + controlPlane }

// InlineContent is plain data as decK reads it: a saved plan keeps a state that
// way, and puts in what its expressions are worth.
func InlineContent(data any) ([]byte, error) {
	root, ok := value.Clone(data).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read decK's state: it is not a mapping")
	}
	if _, has := root["_format_version"]; !has {
		root["_format_version"] = FormatVersion
	}
	return Encode(root)
}

// filledIn finds a template that decK would fill in, and its variable.
var filledIn = pattern.New(`\$\{\{[^}]*\benv\b\s*"?([A-Za-z0-9_]*)`)

// What begins a template, and how a state that stands in a configuration writes it
// where the text itself is meant.
const (
	begins  = "${{"
	escaped = "$" + begins
)

// unescape is a part of a state with the texts that are meant.
func unescape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = unescape(x)
		}
	case []any:
		for i, x := range v {
			v[i] = unescape(x)
		}
	case string:
		return strings.ReplaceAll(v, escaped, begins)
	}
	return v
}

// checkInline tells of secrets that are written in clear: plans would hold
// them. It tells of templates, too, which would be sent as they are.
func checkInline(state value.Value) diag.List {
	var diags diag.List
	state.Walk(func(p value.Path, v value.Value) bool {
		s, _ := v.Text()
		if m := filledIn.FindStringSubmatch(strings.ReplaceAll(s, escaped, "")); m != nil {
			diags.Add(diag.DeckTemplate, v.Pos(), fmt.Sprintf("The field %s holds a template, and only those in decK files are filled in.", p), fmt.Sprintf("use !env %s, or write $${{ where the text itself is meant.", cmp.Or(m[1], "NAME")))
		}
		return true
	})
	configs := state.Field(pluginConfigs)
	for _, key := range configs.Keys() {
		inClear(kindPlugin, value.MapAt(configs.Pos(), value.Entry{Key: "config", Value: configs.Field(key)}), &diags)
	}
	checkShapes(shapes, state, &diags)
	return append(diags, checkStateItems(state)...)
}

func checkShapes(list []shape, at value.Value, diags *diag.List) {
	for _, s := range list {
		for _, entity := range at.Field(s.key).Items() {
			var nested []string
			for _, n := range s.nested {
				nested = append(nested, n.key)
			}
			inClear(s.kind, entity.Without(nested...), diags)
			checkShapes(s.nested, entity, diags)
		}
	}
}

const notInClear = "take it from a variable with !env NAME, from a file with !file PATH, or from a vault, {vault://…}."

func inClear(kind string, entity value.Value, diags *diag.List) {
	plugin, _ := entity.Field("name").Text()
	entity.Walk(func(p value.Path, v value.Value) bool {
		s, ok := v.Text()
		switch {
		case !ok || s == "" || IsVaultReference(s) || filledIn.MatchString(s):
		case Secret(kind, plugin, p.Generic()):
			diags.Add(diag.DeckSecret, v.Pos(), fmt.Sprintf("The field %s is secret, and it is written in clear.", p), notInClear)
		case inPair(kind, p.Generic(), s):
			diags.Add(diag.DeckSecret, v.Pos(), fmt.Sprintf("The field %s holds a credential, and it is written in clear.", p), notInClear)
		case withoutPassword(s) != s:
			diags.Add(diag.DeckSecret, v.Pos(), fmt.Sprintf("The field %s holds a password, and it is written in clear.", p), notInClear)
		}
		return true
	})
}

func inPair(kind string, path []string, text string) bool {
	_, secret := paired(kind, path, text)
	return secret != ""
}
