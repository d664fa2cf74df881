package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// identifiers is the configuration of a plugin with a value for each of its identifiers,
// and how many there are.
func identifiers(f *plugin.Field, v any, identifier bool) (config any, n int) {
	identifier = identifier || f.Identifier
	switch f.Kind {
	case plugin.KindRecord:
		out := map[string]any{}
		for _, x := range f.Fields {
			if below, found := identifiers(x, v, identifier); found > 0 {
				out[x.Name] = below
				n += found
			}
		}
		return out, n
	case plugin.KindArray, plugin.KindSet:
		below, n := identifiers(f.Element, v, identifier)
		return []any{below}, n
	case plugin.KindMap:
		return nil, 0
	}
	if identifier {
		return v, 1
	}
	return nil, 0
}

// declareIdentifiers adds a resource for every plugin that has some.
func (c configured) declareIdentifiers(s *scene, v any) (count int) {
	if s.below == "" && c.t.Parent != nil {
		s.below = s.parent(c.t)
	}
	for _, name := range c.plugins {
		config, n := identifiers(plugin.Lookup(name).Config, v, false)
		if n == 0 {
			continue
		}
		sample := c.sample(s, name)
		required, _ := c.secrets(name, sample, nil)
		for _, part := range []any{required, config} {
			for _, p := range places(part) {
				x, _ := value.Get(part, p)
				if _, isMap := x.(map[string]any); !isMap && len(p) == len(p.Generic()) {
					value.Set(sample, slices.Concat(value.ParsePath(c.Field), p), x)
				}
			}
		}
		s.add(c.t, sample, s.below)
		count += n
	}
	return count
}

// What gateways encrypt and what is no secret is written, shown and compared like any
// other field, wherever the plugin is configured; from a variable, too, and where the
// file says that it is a secret.
func TestIdentifiersOfPlugins(t *testing.T) {
	eachConfigured(t, func(t *testing.T, c configured) {
		for name, way := range map[string]any{
			"a literal": "law-identifier", "a variable": tagged{"env", "LAW_IDENTIFIER"}, "a secret": secretOf{env: "LAW_IDENTIFIER"},
		} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t)
				w.vars = map[string]string{"LAW_IDENTIFIER": "law-identifier"}
				s := newScene(w, c.t)
				count := c.declareIdentifiers(s, way)
				if count == 0 {
					t.Fatal("no plugin has an identifier")
				}
				w.run(w.plan(s.text(), plan.ModeSync))
				w.settled(s.text(), plan.ModeSync)
				back := exported(t, w, export.WriteOptions{})
				if n := strings.Count(back, "law-identifier"); n < count {
					t.Errorf("the export shows %d of %d identifiers", n, count)
				}
				w.settled(back, plan.ModeSync)
				w.vars["LAW_IDENTIFIER"] = "law-other"
				p := w.plan(strings.ReplaceAll(s.text(), `"law-identifier"`, `"law-other"`), plan.ModeApply)
				changed := 0
				for _, x := range p.Changes {
					changed += len(x.ChangedFields)
				}
				if changed != count {
					t.Errorf("%d of %d identifiers are compared", changed, count)
				}
				if text := string(w.bytes(p)); name != "a literal" && strings.Contains(text, "law-other") {
					t.Error("the plan holds the value of the variable")
				}
			})
		}
	})
}
