package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// How many forms of a type the law of nulls in other forms tries, and how many fields
// of one form by themselves.
const (
	mostFormsOfNulls = 8
	mostForeignNulls = 30
)

// Null for a field that only another form of a resource has says nothing, at any depth: it
// loads, an editor takes it, the declaration is the same as without it, and so are plans
// for nothing and for what exists, in sync and in apply.
func TestNullOfAnotherForm(t *testing.T) {
	var tried, schemas atomic.Int64
	editor := editorSchema(t)
	eachType(t, func(t *testing.T, s *scene) {
		for form := range min(forms(s.t.Write(), 0), mostFormsOfNulls) {
			n, taken := s.foreignNulls(t, form, editor)
			tried.Add(int64(n))
			schemas.Add(int64(taken))
		}
	})
	afterAll(t, func() {
		t.Logf("%d fields were tried, %d of them in an editor", tried.Load(), schemas.Load())
		if tried.Load() < 500 || 10*schemas.Load() < 9*tried.Load() {
			t.Error("too few")
		}
	})
}

// foreignNulls declares a resource of one form, with null for each field of the others,
// and for all of them at once.
func (s *scene) foreignNulls(t *testing.T, form int, editor *jsonschema.Schema) (tried, taken int) {
	w := newWorld(t)
	base := newScene(w, w.cat.Kind(s.t.Kind))
	if base.t.Parent != nil {
		base.below = base.parent(base.t)
	}
	base.at = &making{base.t, base.below}
	full := sampler{t: base.t, n: 100 * (form + 1), refs: base.reference}.everything(form)
	foreign := foreignFields(base.t.Write(), base.t.Write(), full, nil)
	if len(foreign) == 0 {
		return 0, 0
	}
	text := func(nulls ...value.Path) string {
		trial := &scene{w: w, t: base.t, lists: map[string][]string{}, made: base.made, above: base.above, n: base.n}
		for k, v := range base.lists {
			trial.lists[k] = append([]string(nil), v...)
		}
		fields, _ := value.Clone(full).(map[string]any)
		for _, at := range nulls {
			value.Set(fields, at, nil)
		}
		trial.add(base.t, fields, base.below)
		return trial.text()
	}
	plain := text()
	if w.try(plain).HasErrors() {
		return 0, 0
	}
	want, valid := w.declaration(t, plain), editor.Validate(inEditor(t, plain)) == nil
	for _, at := range spread(foreign, mostForeignNulls) {
		tried++
		with := text(at)
		if diags := w.try(with); diags.HasErrors() {
			t.Errorf("form %d: null for %s: %v", form, at, diags.Err())
			continue
		}
		if got := w.declaration(t, with); got != want {
			t.Errorf("form %d: null for %s is\n%s\nand without it\n%s", form, at, got, want)
		}
		if valid {
			taken++
			if err := editor.Validate(inEditor(t, with)); err != nil {
				t.Errorf("form %d: an editor refuses null for %s: %v", form, at, err)
			}
		}
	}
	if t.Failed() {
		return tried, taken
	}
	w.samePlans(t, plain, text(foreign...))
	return tried, taken
}

// samePlans carries out a configuration, and fails where another one has another plan,
// before and afterwards.
func (w *world) samePlans(t *testing.T, plain, nulls string) {
	t.Helper()
	compare := func(mode plan.Mode) *plan.Plan {
		t.Helper()
		p, q := w.plan(plain, mode), w.plan(nulls, mode)
		if diff := cmp.Diff(changesOf(t, p), changesOf(t, q)); diff != "" {
			t.Errorf("%s (-without +with null):\n%s", mode, diff)
		}
		return q
	}
	compare(plan.ModeApply)
	w.run(compare(plan.ModeSync))
	compare(plan.ModeApply)
	compare(plan.ModeSync)
	w.settled(nulls, plan.ModeSync)
}

// changesOf is what a plan changes and says.
func changesOf(t *testing.T, p *plan.Plan) string {
	t.Helper()
	raw, err := json.MarshalIndent(map[string]any{"changes": p.Changes, "warnings": p.Warnings, "blocked": p.Blocked}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// declaration is what a configuration comes to.
func (w *world) declaration(t *testing.T, text string) string {
	t.Helper()
	walk, diags := w.walk(text)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags.Err(), text)
	}
	var out strings.Builder
	for _, r := range walk.Set.Resources {
		fmt.Fprintln(&out, r.Address(), r.Fields.Plain(func(_ value.Path, e *value.Expression) any { return fmt.Sprint(e.Op, e.Name, e.Field) }))
	}
	return out.String()
}

// foreignFields are the fields that mappings of a value could have in another form of
// the resource, and not in this one. All joins the forms that own chooses among.
func foreignFields(own, all *contract.Schema, v any, at value.Path) (out []value.Path) {
	own, all = own.Deref(), all.Deref()
	if own == nil || all == nil {
		return nil
	}
	switch x := v.(type) {
	case []any:
		for i, item := range x {
			out = append(out, foreignFields(own.Item(), all.Item(), item, at.Index(i))...)
		}
	case map[string]any:
		mine, every := own.Object(x), all.Object(nil)
		for _, name := range every.Names() {
			if mine.Field(name) == nil && mine.Values == nil && !mine.Open && !every.Field(name).Schema.ReadOnly {
				out = append(out, at.Child(name))
			}
		}
		for name, y := range x {
			if f, g := mine.Field(name), every.Field(name); f != nil && g != nil {
				out = append(out, foreignFields(f.Schema, g.Schema, y, at.Child(name))...)
			}
		}
	}
	return out
}

// editorSchema is the schema of the language, as editors have it.
func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(engine.Explainer(testkit.Catalog(t)).Language())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("kongctl.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("kongctl.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inEditor is a document as an editor sees it: a tag is its argument.
func inEditor(t *testing.T, text string) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	untagged(&n)
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func untagged(n *yaml.Node) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle
		if n.Kind == yaml.ScalarNode {
			n.Tag = "!!str"
		}
	}
	for _, c := range n.Content {
		untagged(c)
	}
}
