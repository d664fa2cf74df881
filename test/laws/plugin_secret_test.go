package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// configured is a type with a field that configures plugins, and which ones.
type configured struct {
	contract.Configured
	t       *catalog.Bound
	plugins []string
}

func configurations(cat *catalog.Catalog) (out []configured) {
	for _, t := range writable(cat) {
		for _, c := range contract.Configurations() {
			if t.Create == nil || t.Create.Key() != c.Operation {
				continue
			}
			of := configured{c, t, plugin.Names()}
			property, branches := t.Write().Selector()
			switch {
			case c.Plugin != "":
				of.plugins = []string{c.Plugin}
			case property == c.By:
				of.plugins = contract.SelectorValues(branches)
			}
			out = append(out, of)
		}
	}
	return out
}

// sample is a declaration that may configure a plugin.
func (c configured) sample(s *scene, name string) map[string]any {
	try := []feature{nil}
	for i := range c.t.Write().Branches() {
		try = append(try, feature{{branch: i + 1}})
	}
	for _, f := range try {
		s.n++
		out := s.sampled(c.t, s.below, f)
		if c.By != "" && len(try) == 1 {
			out[c.By] = name
		}
		if (c.By == "" || out[c.By] == name) && c.t.Write().At(value.ParsePath(c.Field), out) != nil {
			return out
		}
	}
	s.w.t.Fatalf("%s: nothing configures %s", c.t.Kind, name)
	return nil
}

// secrets is the configuration of a plugin with a value for each of its secrets, those
// of lists and mappings with one item, and their places. Of what the document has a
// field for, it says whether that is secret.
func (c configured) secrets(name string, sample map[string]any, v any) (config map[string]any, places []value.Path) {
	var visit func(f *plugin.Field, at value.Path, secret bool) any
	visit = func(f *plugin.Field, at value.Path, secret bool) any {
		secret = secret || f.IsSecret()
		switch f.Kind {
		case plugin.KindRecord:
			out := map[string]any{}
			for _, x := range f.Fields {
				if below := visit(x, at.Child(x.Name), secret); below != nil {
					out[x.Name] = below
				}
			}
			if len(out) > 0 {
				return out
			}
		case plugin.KindMap:
			if below := visit(f.Element, at.Child("own"), secret); below != nil {
				return map[string]any{"own": below}
			}
		case plugin.KindArray, plugin.KindSet:
			if below := visit(f.Element, at.Index(0), secret); below != nil {
				return []any{below}
			}
		default:
			said := c.t.Write().At(at, sample)
			if v == nil && said != nil && said.Secret && !said.Tabled() {
				return secretOf{env: "LAW_SECRET_WORD"} // the document may require it
			}
			if secret && (said == nil || said.Secret || slices.ContainsFunc(at, value.NamesSecret)) {
				places = append(places, at)
				return v
			}
		}
		return nil
	}
	config, _ = visit(plugin.Lookup(name).Config, value.ParsePath(c.Field), false).(map[string]any)
	return config, places
}

// declare adds a resource for every plugin that has secrets, with a value for each of
// them.
func (c configured) declare(s *scene, change string, v any) (secrets int) {
	if s.below == "" && c.t.Parent != nil {
		s.below = s.parent(c.t)
	}
	for _, name := range c.plugins {
		sample := c.sample(s, name)
		config, places := c.secrets(name, sample, v)
		for k, x := range config {
			value.Set(sample, append(value.ParsePath(c.Field), k), x)
		}
		if change != "" { // any key has a place there
			value.Set(sample, append(value.ParsePath(c.Field), "law"), change)
		}
		if secrets += len(places); len(places) > 0 {
			s.add(c.t, sample, s.below)
		}
	}
	return secrets
}

// eachConfigured runs a law for every type that configures plugins.
func eachConfigured(t *testing.T, law func(t *testing.T, c configured)) {
	t.Parallel()
	all := configurations(newWorld(t).cat)
	if len(all) < 3 {
		t.Errorf("only %d types configure plugins", len(all))
	}
	for _, c := range all {
		t.Run(c.t.Kind, func(t *testing.T) {
			t.Parallel()
			law(t, c)
		})
	}
}

// What is secret of a plugin is refused in clear wherever the plugin is configured,
// also where it is not written as it must be, and no message shows it.
func TestSecretsOfPluginsInClear(t *testing.T) {
	eachConfigured(t, func(t *testing.T, c configured) {
		fields := language.FieldsOf(newWorld(t).cat)
		for shape, v := range map[string]any{"a text": canary, "a list": []any{canary}, "a mapping": map[string]any{"x": canary}} {
			s := newScene(newWorld(t), c.t)
			secrets, refused := c.declare(s, "", v), 0
			if secrets < 20 {
				t.Errorf("only %d secrets were tried", secrets)
			}
			for _, d := range s.w.try(s.text()) {
				if d.Code == diag.CfgSecretLiteral || d.Code == diag.ValType { // what the document knows must have its type
					refused++
				}
				if strings.Contains(d.Detail+d.Fix, canary) {
					t.Errorf("a message shows the secret: %s", d.Detail)
				}
			}
			if refused != secrets {
				t.Errorf("%d of %d secrets in clear are refused as %s", refused, secrets, shape)
			}
		}
		s := newScene(newWorld(t), c.t)
		for _, name := range c.plugins {
			_, places := c.secrets(name, c.sample(s, name), canary)
			for _, p := range places {
				if path := append([]string{c.t.Root()}, p.Generic()...); !fields.Hides(path) || fields.Shows(path) {
					t.Errorf("a line of a file shows %s", value.Path(path))
				}
			}
		}
	})
}

// answers changes the secrets in what Konnect returns: it may leave them out, or
// show that they are there.
type answers struct {
	next  http.RoundTripper
	shows any
}

func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := a.next.RoundTrip(req)
	if err != nil || resp.Body == nil {
		return resp, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(raw, []byte(canary)) {
		var body any
		if err := json.Unmarshal(raw, &body); err != nil {
			return nil, err
		}
		if raw, err = json.Marshal(a.without(body)); err != nil {
			return nil, err
		}
		resp.ContentLength = int64(len(raw))
	}
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	return resp, nil
}

func (a answers) without(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, inner := range x {
			if x[k] = a.without(inner); x[k] == nil && inner != nil {
				delete(x, k)
			}
		}
	case []any:
		for i := range x {
			x[i] = a.without(x[i])
		}
		return slices.DeleteFunc(x, func(v any) bool { return v == nil })
	case string:
		if strings.Contains(x, canary) {
			return a.shows
		}
	}
	return v
}

// What is secret of a plugin is so wherever the plugin is configured: it is sent, it is
// in no plan, text, journal, export or answer, and it is no difference, whatever
// Konnect returns of it.
func TestSecretsOfPlugins(t *testing.T) {
	eachConfigured(t, func(t *testing.T, c configured) {
		for name, way := range map[string]struct {
			v       any
			answers *answers
			undo    bool
		}{
			"a secret":              {v: secretOf{env: "LAW_SECRET_WORD"}, undo: true},
			"a variable":            {v: tagged{"env", "LAW_SECRET_WORD"}},
			"no secret in answers":  {v: secretOf{env: "LAW_SECRET_WORD"}, answers: &answers{}},
			"a sign that it is set": {v: secretOf{env: "LAW_SECRET_WORD"}, answers: &answers{shows: "****"}},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.loud = true
				c := c
				if way.answers != nil { // no plugin has a way of its own
					c.plugins = spread(c.plugins, maxFeatures)
					way.answers.next = w.wire.next
					w.wire.next = way.answers
				}
				secrets, text := 0, ""
				for _, change := range []string{"first", "second"} {
					s := newScene(w, c.t)
					secrets = c.declare(s, change, way.v)
					text = s.text()
					w.run(w.plan(text, plan.ModeSync))
					w.settled(text, plan.ModeSync)
					w.settled(text, plan.ModeApply)
				}
				if sent := strings.Count(w.wire.sent.String(), canary); sent < 2*secrets {
					t.Errorf("%d secrets were written, not those of the create and of the update of %d", sent, secrets)
				}
				c.asked(t, w, text, secrets)
				if strings.Contains(stored(t, w), canary) {
					t.Error("the state shows a secret")
				}
				c.exported(t, w, secrets, way.answers == nil)
				c.answered(t, w, way.answers == nil)
				if way.undo {
					c.undeclared(t, w, text)
				}
				if strings.Contains(w.text.String(), canary) {
					t.Error("a plan or an event holds a secret")
				}
			})
		}
	})
}

// asked writes all secrets again, and those of lists by the name of the list.
func (c configured) asked(t *testing.T, w *world, text string, secrets int) {
	t.Helper()
	all := w.planAs(text, plan.ModeSync, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{"*"} })
	written := 0
	for _, x := range all.Changes {
		for _, e := range x.SecretWrites {
			if p := value.ParsePath(e.Field); x.ResourceType == c.t.Kind && p.HasPrefix(value.ParsePath(c.Field)) {
				written++
			}
		}
	}
	if written < secrets {
		t.Errorf("asked for all, %d of %d secrets are written", written, secrets)
	}
	w.run(all)
	w.settled(text, plan.ModeSync)
}

// undeclared updates without the secrets: the plan names those that Konnect may unset.
// Then it writes them, and undoes that.
func (c configured) undeclared(t *testing.T, w *world, text string) {
	t.Helper()
	s := newScene(w, c.t)
	secrets := c.declare(s, "third", nil)
	named := slices.DeleteFunc(w.plan(s.text(), plan.ModeApply).Warnings, func(x plan.Warning) bool {
		return !strings.HasPrefix(x.Message, c.Field+".") || !strings.Contains(x.Message, " is not declared: ")
	})
	if len(named) != secrets {
		t.Errorf("an update without them names %d of %d secrets", len(named), secrets)
	}
	w.run(w.plan(s.text(), plan.ModeSync))
	p := w.plan(text, plan.ModeSync)
	w.run(p)
	w.undo(p, "")
}

// exported holds the export against the secrets that Konnect returns.
func (c configured) exported(t *testing.T, w *world, secrets int, returned bool) {
	t.Helper()
	back, warnings := exportedWith(t, w, export.WriteOptions{})
	if strings.Contains(back, canary) {
		t.Error("the export shows a secret")
	}
	if n := len(slices.DeleteFunc(warnings, func(d diag.Diagnostic) bool { return d.Code != diag.ExpSecret })); returned && n < secrets {
		t.Errorf("the export names %d of %d secrets", n, secrets)
	}
	loadsQuietly(t, w, back, "law") // the law's own
	w.settled(back, plan.ModeSync)
}

// answered looks at what people see of what Konnect returned.
func (c configured) answered(t *testing.T, w *world, returned bool) {
	t.Helper()
	shown := 0
	for _, part := range w.snap.Objects(c.t.Neutral()) {
		got := fmt.Sprint(query.Masked(c.t, part.Object.Fields))
		if shown++; strings.Contains(got, canary) || returned && !strings.Contains(got, query.Hidden) {
			t.Errorf("an answer shows a secret: %s", got)
		}
	}
	if shown == 0 {
		t.Error("nothing was read")
	}
}
