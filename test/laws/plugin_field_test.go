package laws

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// filling puts values into all fields of a plugin. With misspelt it adds to each record
// the same fields with a letter too many.
type filling struct {
	c        configured
	sample   map[string]any
	misspelt bool
	wrong    []string // the paths of misspelt fields
}

func (x *filling) value(f *plugin.Field, at value.Path) any {
	if said := x.c.t.Write().At(at, x.sample); said != nil && !said.Tabled() && len(said.Type) > 0 {
		if said.Secret && said.Type == "string" { // it may be required
			return secretOf{env: "LAW_SECRET_WORD"}
		}
		return nil // the document has this field
	}
	if f.IsSecret() && f.Element == nil && f.Kind != plugin.KindRecord {
		return secretOf{env: "LAW_SECRET_WORD"}
	}
	switch f.Kind {
	case plugin.KindRecord:
		return x.record(f, at)
	case plugin.KindMap:
		if v := x.value(x.element(f), at.Child("own")); v != nil {
			return map[string]any{"own": v}
		}
		return map[string]any{}
	case plugin.KindArray, plugin.KindSet:
		if v := x.value(x.element(f), at.Index(0)); v != nil {
			return []any{v}
		}
		return []any{}
	case plugin.KindBoolean:
		return true
	case plugin.KindNumber, plugin.KindInteger:
		return fittingNumber(f)
	default:
		if len(f.OneOf) > 0 {
			return f.OneOf[0]
		}
		n := 3
		if f.MinLen != nil {
			n = max(n, *f.MinLen)
		}
		if f.MaxLen != nil {
			n = min(n, *f.MaxLen)
		}
		return strings.Repeat("a", n)
	}
}

func (x *filling) element(f *plugin.Field) *plugin.Field {
	out := *f.Element
	out.Secret = out.Secret || f.IsSecret()
	return &out
}

func fittingNumber(f *plugin.Field) any {
	switch {
	case len(f.OneOf) > 0:
		return json.Number(f.OneOf[0])
	case f.Min != nil && *f.Min > 1:
		return *f.Min
	case f.Max != nil && *f.Max < 1:
		return *f.Max
	}
	return 1
}

func (x *filling) record(f *plugin.Field, at value.Path) map[string]any {
	out := map[string]any{}
	for _, below := range f.Fields {
		if i := slices.Index(f.One, below.Name); i > 0 {
			continue // only one may be set
		}
		if v := x.value(below, at.Child(below.Name)); v != nil {
			out[below.Name] = v
		}
	}
	if x.misspelt && !f.IsSecret() {
		for _, below := range f.Fields {
			p := at.Child(below.Name + "x")
			if known, _ := plugin.Lookup(x.name()).Config.At(p[len(value.ParsePath(x.c.Field)):]); known != nil {
				continue
			}
			out[below.Name+"x"] = canary
			x.wrong = append(x.wrong, p[len(value.ParsePath(x.c.Field)):].String())
		}
	}
	return out
}

func (x *filling) name() string {
	if x.c.Plugin != "" {
		return x.c.Plugin
	}
	name, _ := x.sample[x.c.By].(string)
	return name
}

// No field of a plugin that is known gets a warning; one that is misspelt gets one,
// without its value, which may be a secret.
func TestFieldsOfPluginsAreChecked(t *testing.T) {
	eachConfigured(t, func(t *testing.T, c configured) {
		for _, misspelt := range []bool{false, true} {
			s := newScene(newWorld(t), c.t)
			if c.t.Parent != nil {
				s.below = s.parent(c.t)
			}
			var wrong []string
			for _, name := range c.plugins {
				x := &filling{c: c, sample: c.sample(s, name), misspelt: misspelt}
				for k, v := range x.record(plugin.Lookup(name).Config, value.ParsePath(c.Field)) {
					value.Set(x.sample, append(value.ParsePath(c.Field), k), v)
				}
				wrong = append(wrong, x.wrong...)
				s.add(c.t, x.sample, s.below)
			}
			var warned []string
			for _, d := range s.w.try(s.text()) {
				if d.Severity != diag.Warning || d.Code != diag.CfgPluginField {
					t.Errorf("%s", d)
					continue
				}
				if strings.Contains(d.Detail+d.Fix, canary) {
					t.Errorf("a warning shows a value: %s", d.Detail)
				}
				_, field, _ := strings.Cut(d.Detail, "has no field ")
				field, _, _ = strings.Cut(field, " that is known")
				warned = append(warned, field)
			}
			slices.Sort(wrong)
			slices.Sort(warned)
			if misspelt && len(wrong) < 10*len(c.plugins)/2 {
				t.Errorf("only %d misspelt fields were tried", len(wrong))
			}
			if !slices.Equal(wrong, warned) {
				t.Errorf("%d misspelt fields, %d warnings: first differences %v", len(wrong), len(warned), apart(wrong, warned))
			}
		}
	})
}

// apart are some that only one of two lists has.
func apart(a, b []string) (out []string) {
	for _, x := range a {
		if !slices.Contains(b, x) && len(out) < 5 {
			out = append(out, "-"+x)
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) && len(out) < 10 {
			out = append(out, "+"+x)
		}
	}
	return out
}

// A secret in the configuration of a plugin whose name is misspelt, or in a misspelt field,
// is an error that says so. It never says to write the value in another way that
// shows it.
func TestMisspeltPluginsWithSecrets(t *testing.T) {
	eachConfigured(t, func(t *testing.T, c configured) {
		for _, name := range spread(c.plugins, maxFeatures) {
			config, places := c.secrets(name, c.sample(newScene(newWorld(t), c.t), name), secretOf{env: "LAW_SECRET_WORD"})
			if len(places) == 0 {
				continue
			}
			for _, wrongName := range []bool{true, false} {
				s := newScene(newWorld(t), c.t)
				if c.t.Parent != nil {
					s.below = s.parent(c.t)
				}
				sample, code := c.sample(s, name), diag.CfgPluginField
				switch {
				case !wrongName:
					for k, v := range config {
						value.Set(sample, append(value.ParsePath(c.Field), k+"x"), v)
					}
				case c.By == "" || len(c.t.Write().Branches()) > 0:
					continue // only these names can be written
				default:
					code, sample[c.By] = diag.CfgPlugin, name+"x"
					sample[c.Field] = config
				}
				found := 0
				for _, d := range s.problems(sample, s.below) {
					if d.Code == diag.CfgSecretPlace || d.Code == code && strings.Contains(d.Fix, "!") {
						t.Errorf("%s: the fix shows a secret: %s", name, d)
					}
					if d.Code == code && d.Severity == diag.Error {
						found++
						if wrongName && !strings.Contains(d.Fix, "did you mean "+name+"?") {
							t.Errorf("%s: %s", name, d)
						}
					}
				}
				if found == 0 {
					t.Errorf("%s: a secret in a misspelt place is accepted", name)
				}
			}
		}
	})
}
