package laws

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// What a diagnostic about a wrong value says to type is accepted, and what it says
// of the form can be read: for every field of every type whose form the contract
// knows, each form once.
func TestFixesAreAccepted(t *testing.T) {
	var tried, words atomic.Int64
	eachType(t, func(t *testing.T, s *scene) {
		below := ""
		if s.t.Parent != nil {
			below = s.parent(s.t)
		}
		seen := map[string]bool{}
		for form := range min(forms(s.t.Write(), 0), 2) {
			s.below = below
			full := sampler{t: s.t, n: 100 * (form + 1), refs: s.reference}.everything(form)
			if d := s.problems(full, below); d.HasErrors() {
				continue // something else needs a value
			}
			for _, at := range places(full) {
				schema := s.t.Write().At(at.Generic(), full)
				sign := signature(schema)
				if schema == nil || schema.Secret || seen[sign] || at.String() == s.t.MapKey || s.t.Parent != nil && plain(schema) {
					continue
				}
				seen[sign] = true
				now, _ := value.Get(full, at)
				for _, wrong := range mistakes(schema, now) {
					n, m := s.mend(t, full, at, wrong, below)
					tried.Add(n)
					words.Add(m)
				}
			}
		}
	})
	afterAll(t, func() {
		t.Logf("%d fixes were applied, %d say it in words alone", tried.Load(), words.Load())
		if tried.Load() < 300 {
			t.Error("too few")
		}
	})
}

// mend writes a wrong value, and then what the fix says.
func (s *scene) mend(t *testing.T, full map[string]any, at value.Path, wrong any, below string) (tried, words int64) {
	t.Helper()
	bad, _ := value.Clone(full).(map[string]any)
	value.Set(bad, at, wrong)
	for _, d := range s.problems(bad, below) {
		if d.Severity != diag.Error {
			continue
		}
		if strings.Contains(d.Detail, "must match ^") {
			t.Errorf("%s: %v: a pattern that nobody has put into words: %s", at, wrong, d.Detail)
		}
		if strings.Contains(d.Fix, "{key: value}") {
			t.Errorf("%s: %v: not complete: %s", at, wrong, d.Fix)
		}
		typed, ok := typedBy(d.Fix, at)
		if !ok {
			words++
			continue
		}
		good, _ := value.Clone(full).(map[string]any)
		value.Set(good, at, typed)
		for _, again := range s.problems(good, below) {
			if again.Severity == diag.Error && again.Code != diag.RefUnknown { // a name in the place of one
				t.Errorf("%s: %v: %s\nas the fix says, it is refused: %s", at, wrong, d, again)
			}
		}
		tried++
	}
	return tried, words
}

// problems are what is wrong with a declaration.
func (s *scene) problems(fields map[string]any, below string) diag.List {
	trial := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: s.made}
	for k, v := range s.lists {
		trial.lists[k] = append([]string(nil), v...)
	}
	trial.add(s.t, fields, below)
	return s.w.try(trial.text())
}

// typedBy is the value that a fix says to type at a path: what stands behind its
// key, or the word that was meant.
func typedBy(fix string, at value.Path) (any, bool) {
	if _, word, ok := strings.Cut(fix, "did you mean "); ok {
		return strings.TrimSuffix(word, "?"), true
	}
	items, n := 0, len(at)-1
	for ; n > 0; n-- {
		if _, item := value.Place(at[n]); !item {
			break
		}
		items++
	}
	_, text, ok := strings.Cut(fix, at[n]+": ")
	if !ok || strings.HasPrefix(text, "!") || strings.Contains(text, "…") {
		return nil, false
	}
	for _, end := range []string{", in quotes.", ", without quotes.", "."} {
		text = strings.TrimSuffix(text, end)
	}
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		return nil, false
	}
	for range items {
		list, _ := v.([]any)
		if len(list) == 0 {
			return nil, false
		}
		v = list[0]
	}
	return v, true
}

// mistakes are values that a schema does not take in the place of one that it does.
func mistakes(s *contract.Schema, now any) []any {
	switch {
	case len(s.Enum) > 0:
		return []any{fmt.Sprint(now) + "x", "entirely-else"}
	case s.Type == "string" && (s.Pattern != "" || s.Format != ""):
		return []any{"?! Ä", "Some Text", "usd", json.Number("1e-6"), true, json.Number("12")}
	case s.Type == "string":
		return []any{json.Number("12"), true}
	case s.Type == "boolean":
		return []any{"yes", json.Number("1")}
	case s.Type == "integer" || s.Type == "number":
		return []any{"12", "many"}
	case s.Type == "array" || s.Type == "object":
		return []any{"word"}
	default:
		return nil
	}
}

// plain reports whether a schema asks for no form: types at the root show enough of
// these.
func plain(s *contract.Schema) bool {
	return s.Type != "object" && s.Type != "array" && s.Pattern == "" && s.Format == "" && len(s.Enum) == 0
}

// signature is what tells the forms of values apart.
func signature(s *contract.Schema) string {
	if s == nil {
		return ""
	}
	of := ""
	if s.Type == "object" {
		of = fmt.Sprint(s.Object(nil).Names())
	}
	return fmt.Sprint(s.Type, s.Pattern, s.Format, s.Enum, of)
}

// places are the paths of a value and of what is in it.
func places(v any) (out []value.Path) {
	var visit func(at value.Path, v any)
	visit = func(at value.Path, v any) {
		if len(at) > 0 {
			out = append(out, at)
		}
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				visit(at.Child(k), x[k])
			}
		case []any:
			for i, y := range x {
				visit(at.Index(i), y)
			}
		}
	}
	visit(nil, v)
	return out
}
