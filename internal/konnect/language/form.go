package language

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// fixer finds values to suggest for a resource that a checker refuses.
type fixer struct{ checker checker }

// typeFix shows a value of the type that the contract asks for. What it shows is
// accepted.
func (x fixer) typeFix(p value.Path, s *contract.Schema, v value.Value) string {
	text, isText := v.Text()
	if e := v.Expr(); e != nil && e.Op == value.OpRef {
		text, isText = e.Name, true
	}
	switch s.Type {
	case "string":
		return x.stringFix(p, s, v)
	case "boolean":
		for word, means := range map[string]bool{"true": true, "yes": true, "on": true, "false": false, "no": false, "off": false} {
			if strings.EqualFold(text, word) {
				return fmt.Sprintf("write %s, without quotes.", at(p, fmt.Sprint(means)))
			}
		}
		return "write true or false."
	case "integer", "number":
		switch {
		case !numeric.MatchString(text):
			return "write a number."
		case !x.accepts(p, json.Number(text)):
			return rangeFix(s)
		case !mayQuote(p, s):
			return "write it without quotes."
		}
		return "write it without quotes: " + at(p, text)
	case "array":
		return x.listFix(p, s, v, text, isText)
	case "object":
		return x.mappingFix(p, s, text)
	}
	if catalog.Kinds(s) == resource.Mappings { // a union of them
		return x.mappingFix(p, s, text)
	}
	if takes := catalog.Kinds(s); takes != 0 {
		return fmt.Sprintf("write %s.", takes)
	}
	return "write a value of that type."
}

// listFix shows a list of what stands alone.
func (x fixer) listFix(p value.Path, s *contract.Schema, v value.Value, text string, isText bool) string {
	written := v.Written()
	switch {
	case !mayQuote(p, s):
	case isText && plainItem.MatchString(text) && !wordOfYAML.MatchString(text) && x.accepts(p, []any{text}):
		return "write a list: " + at(p, "["+text+"]")
	case isText && x.accepts(p, []any{text}), v.Kind() == value.Number && x.accepts(p, []any{written}):
		return "write a list: " + at(p, fmt.Sprintf("[%q]", cmp.Or(text, written)))
	case v.Kind() == value.Number && x.accepts(p, []any{json.Number(written)}):
		return "write a list: " + at(p, "["+written+"]")
	}
	return "write a list: " + at(p, "[…]")
}

// stringFix shows a text in the place of a number or a boolean.
func (x fixer) stringFix(p value.Path, s *contract.Schema, v value.Value) string {
	text := v.Written()
	switch {
	case v.Kind() != value.Number && v.Kind() != value.Bool:
		return "write a text."
	case x.checker.contents[v.Pos()] != "":
		return fmt.Sprintf("write it in quotes where it comes from, in %s.", x.checker.contents[v.Pos()])
	case x.checker.taken[v.Pos()] != "":
		return fmt.Sprintf("write it in quotes where it comes from, in the JSON of %s.", x.checker.taken[v.Pos()])
	case x.accepts(p, text) && mayQuote(p, s):
		return "write it in quotes: " + at(p, fmt.Sprintf("%q", text))
	case x.accepts(p, text):
		return "write it in quotes."
	case s.Pattern != "":
		return x.patternFix(p, s, s.Pattern, text)
	case s.Format != "":
		return x.formatFix(p, s, "")
	default:
		return "write a text."
	}
}

// accepts reports whether a value would be accepted at a path, as far as the
// resource itself says it. A name may stand where a reference does.
func (x fixer) accepts(p value.Path, v any) bool {
	c := x.checker
	t := catalog.Of(c.r)
	body, _ := value.Clone(c.known()).(map[string]any)
	delete(body, t.MapKey)
	value.Set(body, p, v)
	unknown := func(path []string) bool {
		if _, refers := t.Reference(value.Path(path).Generic()); refers || isPlaceholder(body, path) {
			return true
		}
		_, fromEnv := c.variable(path)
		return !fromEnv && !value.Path(path).HasPrefix(p) && c.r.Fields.Lookup(path).Kind() == value.Expr
	}
	for _, no := range slices.Concat(t.ValidateBody(t.WriteOp(), body, unknown), t.Misfits(body, unknown)) {
		if at := value.Path(no.Path); at.HasPrefix(p) || p.HasPrefix(at) && no.Rule == contract.RuleUnion {
			return false
		}
	}
	return true
}

// mayQuote reports whether a fix may repeat the value at a path: no name on the way
// to it is that of a secret. The quoted line hides the others, too.
func mayQuote(p value.Path, s *contract.Schema) bool {
	return !s.Secret && !slices.ContainsFunc(p, value.NamesSecret)
}

var (
	numeric   = pattern.New(`^-?[0-9]+(\.[0-9]+)?$`)
	plainItem = pattern.New(`^[a-zA-Z][a-zA-Z0-9._/-]{0,62}$`)
)

// formatFix shows a value of a format. A text that is no id may be the ref of what is
// declared.
func (x fixer) formatFix(p value.Path, s *contract.Schema, text string) string {
	examples := map[string]string{
		"uuid":          "5f9fd312-a987-4628-b4c5-bb4f4fddd5f7",
		"date-time":     "2025-01-24T10:30:00Z",
		"date":          "2025-01-24",
		"uri":           "https://www.example.com/path",
		"url":           "https://www.example.com/path",
		"uri-reference": "/path",
		"hostname":      "www.example.com",
		"email":         "someone@example.com",
		"ipv4":          "192.0.2.1",
	}
	if catalog.IsImage(s) {
		return imageFix(p, s, text)
	}
	if example := examples[s.Format]; example != "" {
		if s.Format == "uuid" && mayQuote(p, s) && slices.ContainsFunc(x.checker.set.Resources, func(r *resource.Resource) bool { return r.Ref == text }) {
			return fmt.Sprintf("write !ref %s to take the id of the resource declared under that ref, or for example %s", text, at(p, example))
		}
		return "write for example " + at(p, example)
	}
	return "write a value of that format."
}

// mappingFix shows a mapping: around a text, where the mapping has one field alone,
// which takes it. Of several fields nothing says which one was meant.
func (x fixer) mappingFix(p value.Path, s *contract.Schema, text string) string {
	o := s.Object(nil)
	var needed, names []string
	for _, n := range o.Names() {
		f := o.Field(n)
		if f.Schema.ReadOnly {
			continue
		}
		names = append(names, n)
		if f.Required {
			needed = append(needed, n)
		}
	}
	switch {
	case len(needed) == 1 && len(names) == 1 && !o.Field(needed[0]).Schema.Secret && plainItem.MatchString(text) && mayQuote(p, s) && x.accepts(p, map[string]any{needed[0]: text}):
		return "write a mapping: " + at(p, fmt.Sprintf("{%s: %s}", needed[0], text))
	case len(needed) > 0 && len(needed) <= few:
		return fmt.Sprintf("write a mapping with %s.", diag.Join(needed, "and"))
	case len(names) > 0 && len(names) <= few:
		return fmt.Sprintf("write a mapping with %s.", diag.Join(names, "or"))
	case x.accepts(p, map[string]any{"team": "my-team"}):
		return "write a mapping, for example " + at(p, "{team: my-team}")
	default:
		return "write a mapping, a key to a line."
	}
}

// written is a text at a path the way that people write it.
func written(p value.Path, text string) string {
	if !strings.HasPrefix(text, "!") && !plainText.MatchString(text) || wordOfYAML.MatchString(text) {
		text = fmt.Sprintf("%q", text)
	}
	return at(p, text)
}

// at is a value at a path: below its key, or in the list that it is an item of.
func at(p value.Path, v string) string {
	if n := len(p) - 1; n > 0 {
		if _, item := value.Place(p[n]); item {
			return at(p[:n], "["+v+"]")
		}
	}
	return fmt.Sprintf("%s: %s", p[len(p)-1], v)
}

// Texts that need no quotes, and those that mean something else without.
var (
	plainText  = pattern.New(`^[a-zA-Z./][a-zA-Z0-9._:/ -]*$`)
	wordOfYAML = pattern.New(`(?i)^(true|false|yes|no|on|off|null|y|n|~|\.inf|\.nan)$`)
)
