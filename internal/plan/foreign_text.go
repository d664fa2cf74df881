package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// What plans of Kong's own tool hold in place of values that it takes when it executes
// them: __ENV__:VAR#PATH and __REF__:NAME#FIELD. Others are not known here.
const (
	foreignEnv = "__ENV__:"
	foreignRef = "__REF__:"
	// foreignFormer stands in changed_fields for what a value of a variable replaces.
	foreignFormer = "[redacted from !env]"
)

var (
	foreignText     = pattern.New(`^(__[A-Z][A-Z0-9_]*?__:|__DEFERRED__)`)
	foreignVariable = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	foreignName     = pattern.New(`^[^\s#]+$`)
)

// deferred is what a text of a foreign plan stands for: the value of a variable, or of
// a field of another resource.
type deferred struct {
	variable, ref string
	// field is the part of either; "" for all of the variable, and for the id.
	field string
}

// readDeferred reads a text. It is nil for a text that stands for itself, and an error
// for a placeholder with an unknown meaning.
func readDeferred(text string) (*deferred, error) {
	word := foreignText.FindString(text)
	if word == "" {
		return nil, nil
	}
	name, field, parted := strings.Cut(strings.TrimPrefix(text, word), "#")
	whole := !parted || field != ""
	switch {
	case word == foreignEnv && foreignVariable.MatchString(name) && whole:
		return &deferred{variable: name, field: field}, nil
	case word == foreignRef && foreignName.MatchString(name) && whole:
		if field == "id" {
			field = ""
		}
		return &deferred{ref: name, field: field}, nil
	case word == foreignEnv, word == foreignRef:
		return nil, fmt.Errorf("the placeholder %s does not say what it stands for", word)
	default:
		return nil, fmt.Errorf("kongctl does not know what the placeholder %s stands for", word)
	}
}

func (d *deferred) expression() map[string]any {
	out := map[string]any{string(value.OpEnv): d.variable}
	if d.field != "" {
		out["extract"] = d.field
	}
	return out
}

// foreignTexts reads the texts of one change.
type foreignTexts struct {
	c        *Change
	problems []string
}

func (t *foreignTexts) problem(at string, err error) {
	if text := fmt.Sprintf("change %s: %s: %s", t.c.ID, at, err); !slices.Contains(t.problems, text) {
		t.problems = append(t.problems, text)
	}
}

// fields takes the placeholders out of what the change sends and shows.
func (t *foreignTexts) fields() {
	c := t.c
	for _, key := range slices.Sorted(maps.Keys(c.Fields)) {
		c.Fields[key] = t.value(value.Path{key}, c.Fields[key])
	}
	for i := range c.FieldChanges {
		f := &c.FieldChanges[i]
		f.DesiredValue = t.value(value.ParsePath(f.Field), f.DesiredValue)
		f.CurrentValue = formerValue(f.CurrentValue, f.DesiredValue)
	}
	if c.Action == Update {
		c.Show(c.FieldChanges)
		for name, x := range c.ChangedFields {
			x.Old = HideLike(x.New, x.Old) // what a variable replaces may be a former value of it
			c.ChangedFields[name] = x
		}
	}
}

// value is a value at a path of the fields without placeholders: what they stand for
// becomes expressions and references of the change.
func (t *foreignTexts) value(at value.Path, v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for _, key := range slices.Sorted(maps.Keys(x)) {
			out[key] = t.value(at.Child(key), x[key])
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = t.value(at.Index(i), item)
		}
		return out
	case string:
		d, err := readDeferred(x)
		switch {
		case err != nil:
			t.problem(at.String(), err)
			return v
		case d == nil:
			return v
		case d.variable != "":
			return t.variable(at.String(), d)
		}
		r := t.c.References[at.String()]
		if r.Ref, r.Field = d.ref, d.field; d.field != "" {
			r.ID = "" // that of the resource, not of the field
		}
		t.c.References[at.String()] = r
		return UnknownID
	}
	return v
}

func (t *foreignTexts) variable(at string, d *deferred) any {
	e := Expression{Field: at, Expression: d.expression()}
	if !slices.ContainsFunc(t.c.Expressions, func(x Expression) bool { return x.Field == at }) {
		t.c.Expressions = append(t.c.Expressions, e)
	}
	return EnvPlaceholder(e)
}

// formerValue is what a value replaces; Hidden where the other program left it out.
func formerValue(old, now any) any {
	switch x := old.(type) {
	case string:
		if x == foreignFormer && HoldsHidden(now) {
			return Hidden
		}
	case map[string]any:
		out, after := maps.Clone(x), mapOf(now)
		for key := range out {
			out[key] = formerValue(out[key], after[key])
		}
		return out
	case []any:
		out, after := slices.Clone(x), listOf(now)
		for i := range out {
			if i < len(after) {
				out[i] = formerValue(out[i], after[i])
			}
		}
		return out
	}
	return old
}

func mapOf(v any) map[string]any { m, _ := v.(map[string]any); return m }

func listOf(v any) []any { l, _ := v.([]any); return l }

// reference is a ref that may be written as a placeholder, and the id beside it.
func (t *foreignTexts) reference(at, ref, id string) Reference {
	out := Reference{Ref: ref, ID: id}
	if d := t.place(at+".ref", ref); d != nil {
		out.Ref, out.Field = d.ref, d.field
	}
	if d := t.place(at+".id", id); d != nil {
		if out.ID = ""; out.Ref == "" {
			out.Ref, out.Field = d.ref, d.field
		}
	}
	if out.Field != "" {
		out.ID = "" // that of the resource, not of the field
	}
	return out
}

// place reads a text that names a resource: only a reference may stand there.
func (t *foreignTexts) place(at, text string) *deferred {
	d, err := readDeferred(text)
	if err == nil && d != nil && d.variable != "" {
		err = fmt.Errorf("a resource cannot be named by a variable")
	}
	if err != nil {
		t.problem(at, err)
		return nil
	}
	return d
}

// literal refuses placeholders in a text that must stand for itself.
func (t *foreignTexts) literal(at, text string) {
	d, err := readDeferred(text)
	if err == nil && d != nil {
		err = fmt.Errorf("the placeholder %s may not stand here", foreignText.FindString(text))
	}
	if err != nil {
		t.problem(at, err)
	}
}

// parent is the resource that the change stands below: it is named by its id.
func (t *foreignTexts) parent(ref, id string) *ParentRef {
	r := t.reference("parent", ref, id)
	if r.Field != "" {
		t.problem("parent.ref", fmt.Errorf("a parent is referred to by its id, not by %s", r.Field))
	}
	return &ParentRef{Ref: r.Ref, ID: r.ID}
}

// KeepSecrets makes secret writes of the variables whose values go to secret fields of
// a foreign plan.
func (p *Plan) KeepSecrets(hide Hide) {
	const probe = "x"
	for _, c := range p.Changes {
		if len(c.Expressions) == 0 {
			continue
		}
		fields := mapOf(value.Clone(c.Fields))
		if fields == nil {
			fields = map[string]any{}
		}
		for _, e := range c.Expressions {
			fields = mapOf(value.Set(fields, value.ParsePath(e.Field), probe))
		}
		shown := hide(c.ResourceType, fields)
		c.Expressions = slices.DeleteFunc(c.Expressions, func(e Expression) bool {
			at := value.ParsePath(e.Field)
			if v, _ := value.Get(shown, at); v == any(probe) {
				return false
			}
			value.Delete(c.Fields, at)
			c.SecretWrites = append(c.SecretWrites, Expression{Field: e.Field, Expression: map[string]any{"parts": []any{e.Expression}}})
			return true
		})
	}
}
