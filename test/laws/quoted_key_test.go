package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
)

// Lines that diagnostics quote show what every key of a type holds where it takes a
// single value: fields, names of what the resource belongs to, refs, and keys that
// the contract does not have. Secrets are hidden.
func TestQuotedLinesShowWhatIsKnown(t *testing.T) {
	w := newWorld(t)
	x := engine.Explainer(w.cat)
	fields := language.FieldsOf(w.cat)
	tried, secrets := 0, 0
	for _, b := range writable(w.cat) {
		resources := map[string]bool{}
		for _, c := range b.Children {
			resources[c.Key] = true
		}
		for key := range catalog.Groups(b) {
			resources[key] = true
		}
		for key, schema := range schemaOf(t, x, b) {
			path := append(strings.Split(b.Root(), "."), key)
			s, _ := schema.(map[string]any)
			whole := slices.ContainsFunc(b.Loads, func(l catalog.Loaded) bool { return l.Field == key && l.Free })
			switch {
			case s["x-kongctl-secret"] == true:
				if secrets++; fields.Shows(path) || !fields.Hides(path) {
					t.Errorf("%v is shown", path)
				}
				continue
			case resources[key] || whole || !takesOne(schema):
				continue
			}
			if tried++; !fields.Shows(path) || fields.Hides(path) {
				t.Errorf("%v is hidden", path)
			}
		}
	}
	if tried < 500 || secrets < 2 {
		t.Errorf("%d keys and %d secrets were tried", tried, secrets)
	}
}

// takesOne reports whether a schema takes a text, a number, or yes and no.
func takesOne(schema any) bool {
	s, _ := schema.(map[string]any)
	forms, _ := s["anyOf"].([]any)
	if slices.ContainsFunc(forms, takesOne) {
		return true
	}
	types, _ := s["type"].([]any)
	if one, ok := s["type"].(string); ok {
		types = []any{one}
	}
	return slices.ContainsFunc(types, func(of any) bool { return of == "string" || of == "integer" || of == "number" || of == "boolean" })
}

// Identifiers of plugins are shown wherever plugins are configured, though gateways
// encrypt them; neither what is below them, nor their names elsewhere.
func TestQuotedLinesShowIdentifiers(t *testing.T) {
	w := newWorld(t)
	fields := language.FieldsOf(w.cat)
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 10 {
			t.Errorf("%d identifiers were tried", tried.Load())
		}
	})
	eachConfigured(t, func(t *testing.T, c configured) {
		top := append(strings.Split(c.t.Root(), "."), strings.Split(c.Field, ".")...)
		for _, name := range c.plugins {
			config, _ := identifiers(plugin.Lookup(name).Config, "x", false)
			for _, at := range places(config) {
				if len(at) != len(at.Generic()) || at[len(at)-1] == "" {
					continue
				}
				path := slices.Concat(top, at)
				if known, _ := plugin.Lookup(name).Config.At(at); known == nil || !known.Identifier {
					continue
				}
				if tried.Add(1); !fields.Shows(path) || fields.Hides(path) {
					t.Errorf("%v is hidden", path)
				}
				for _, hidden := range [][]string{append(slices.Clip(path), "x"), append(slices.Clip(path), at[len(at)-1]), slices.Concat(top, []string{"probe", at[len(at)-1]})} {
					if fields.Shows(hidden) {
						t.Errorf("%v is shown", hidden)
					}
				}
			}
		}
	})
}
