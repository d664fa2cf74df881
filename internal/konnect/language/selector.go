package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	keyMatchFields      = "matchFields"
	keyMatchExpressions = "matchExpressions"
	keyKey              = "key"
	keyField            = "field"
	keyOperator         = "operator"
	keyValues           = "values"

	selectorForm   = "selector: {matchFields: {name: …}}"
	expressionForm = "{key: name, operator: Prefix, values: [prod-]}"
)

func operators() []string {
	return []string{string(resource.In), string(resource.NotIn), string(resource.Exists), string(resource.DoesNotExist), string(resource.Prefix)}
}

// selectors reads selectors.
type selectors struct{ *state }

// read reads what must hold of the one resource that is meant.
func (b selectors) read(t *catalog.Bound, v value.Value) *resource.Selector {
	s := &resource.Selector{Pos: v.Pos()}
	if v.Kind() != value.Map && v.Kind() != value.Null {
		b.wrongShape(v, fmt.Sprintf("A selector must be a mapping and is %s.", shape(v)), "write "+selectorForm+".")
		return s
	}
	known := []string{keyMatchFields, keyMatchExpressions}
	before := len(b.diags)
	for _, e := range v.Entries() {
		switch {
		case unread(e.Value):
			b.hide(t, e.Value)
			return s
		case e.Key == keyMatchFields:
			s.Conditions = append(s.Conditions, b.matchFields(t, e.Value)...)
		case e.Key == keyMatchExpressions:
			s.Conditions = append(s.Conditions, b.matchExpressions(t, e.Value)...)
		case t.ReturnedAt(value.ParsePath(e.Key)).OK && !misspells(t, e.Key, known):
			b.diags.Add(diag.ExtSelector, e.KeyPos, fmt.Sprintf("A selector has %s, and %s stands beside them.", diag.Join(known, "and"), e.Key), fmt.Sprintf("write selector: {matchFields: {%s: …}}.", e.Key))
		default:
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in a selector.", e.Key), suggest(e.Key, known)+resource.Explained(t.Kind, "keys"))
		}
	}
	if len(s.Conditions) == 0 && len(b.diags) == before {
		b.diags.Add(diag.ExtSelector, v.Pos(), "The selector is empty, so every resource would fit it.", "write "+selectorForm+".")
	}
	return s
}

func (b selectors) matchFields(t *catalog.Bound, v value.Value) []resource.Condition {
	switch v.Kind() {
	case value.Map, value.Null:
	default:
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyMatchFields, shape(v)), "write matchFields: {name: …}.")
	}
	var out []resource.Condition
	for _, e := range v.Entries() {
		if c, ok := b.fieldCondition(t, e); ok {
			out = append(out, c)
		}
	}
	return out
}

// fieldCondition reads a field and the value that it must have.
func (b selectors) fieldCondition(t *catalog.Bound, e value.Entry) (resource.Condition, bool) {
	c := resource.Condition{Path: value.ParsePath(e.Key), Operator: resource.In, Fields: true, Pos: e.KeyPos}
	schema, ok := b.conditionField(t, c.Path, e.KeyPos)
	if !ok {
		return c, false
	}
	return c, b.conditionValue(&c, schema, e.Value)
}

func (b selectors) matchExpressions(t *catalog.Bound, v value.Value) []resource.Condition {
	switch v.Kind() {
	case value.List, value.Null:
	default:
		b.wrongShape(v, fmt.Sprintf("%s must be a list of mappings and is %s.", keyMatchExpressions, shape(v)), fmt.Sprintf("write a list: %s: [%s]", keyMatchExpressions, expressionForm))
	}
	var out []resource.Condition
	for _, item := range v.Items() {
		if item.Kind() != value.Map {
			b.wrongShape(item, fmt.Sprintf("An item of %s must be a mapping and is %s.", keyMatchExpressions, shape(item)), "write "+expressionForm)
			continue
		}
		if c, ok := b.expression(t, item); ok {
			out = append(out, c)
		}
	}
	return out
}

// expression reads a field, how it compares and with what.
func (b selectors) expression(t *catalog.Bound, v value.Value) (resource.Condition, bool) {
	c := resource.Condition{Pos: v.Pos()}
	known := []string{keyKey, keyOperator, keyValues}
	name := keyKey
	for _, e := range v.Entries() {
		switch {
		case e.Key == keyField && !v.Has(keyKey):
			name = keyField
		case !slices.Contains(known, e.Key):
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in an item of %s.", e.Key, keyMatchExpressions), suggest(e.Key, known)+resource.Explained(t.Kind, "keys"))
			return c, false
		}
	}
	for _, key := range []string{name, keyOperator} {
		if _, ok := v.Field(key).Text(); !ok {
			if !unread(v.Field(key)) {
				b.diags.Add(diag.ExtSelector, v.Nearest(value.Path{key}), fmt.Sprintf("An item of %s needs %s, which is a text.", keyMatchExpressions, key), "write "+expressionForm)
			}
			return c, false
		}
	}
	text, _ := v.Field(name).Text()
	c.Path = value.ParsePath(text)
	schema, ok := b.conditionField(t, c.Path, v.Field(name).Pos())
	if !ok {
		return c, false
	}
	op, _ := v.Field(keyOperator).Text()
	if !slices.Contains(operators(), op) {
		b.diags.Add(diag.ExtSelector, v.Field(keyOperator).Pos(), fmt.Sprintf("There is no operator %q.", op), suggest(op, operators()))
		return c, false
	}
	c.Operator = resource.Operator(op)
	return c, b.conditionValues(&c, schema, v)
}

// conditionValues reads what an operator compares with.
func (b selectors) conditionValues(c *resource.Condition, schema *contract.Schema, v value.Value) bool {
	values := v.Field(keyValues)
	bare := c.Operator == resource.Exists || c.Operator == resource.DoesNotExist
	switch {
	case unread(values):
		return false
	case bare && !values.IsAbsent():
		b.diags.Add(diag.ExtSelector, v.KeyPos(keyValues), fmt.Sprintf("The operator %s takes no values.", c.Operator), "remove values.")
		return false
	case bare:
		return true
	case values.IsAbsent() || values.Kind() == value.Null || values.Kind() == value.List && len(values.Items()) == 0:
		b.diags.Add(diag.ExtSelector, v.Nearest(value.Path{keyValues}), fmt.Sprintf("The operator %s needs values to compare with.", c.Operator), "add values: […]")
		return false
	case values.Kind() != value.List:
		b.wrongShape(values, fmt.Sprintf("%s must be a list and is %s.", keyValues, shape(values)), "write values: […]")
		return false
	}
	ok := true
	for _, item := range values.Items() {
		ok = b.conditionValue(c, schema, item) && ok
	}
	return ok
}

// conditionField checks that Konnect returns a field, so that it can be
// compared.
func (b selectors) conditionField(t *catalog.Bound, p value.Path, pos value.Pos) (*contract.Schema, bool) {
	at := t.ReturnedAt(p)
	if to, _, below := b.cat.Beside(t, p); !at.OK && to != nil && to.ReturnedAt(below).OK {
		return b.conditionField(to, below, pos) // of what it refers to
	}
	switch {
	case !at.OK:
		b.diags.Add(diag.CfgUnknownKey, pos, fmt.Sprintf("There is no field %q in %s as Konnect returns it.", p, diag.A(catalog.Words(t.Kind))), at.Fix(p, "")+resource.Explained(t.Kind, "fields"))
	case at.Secret:
		b.diags.Add(diag.ExtSelector, pos, fmt.Sprintf("The field %s of %s is secret, so nothing is found by it.", p, diag.A(catalog.Words(t.Kind))), "use another field.")
	}
	return at.Schema, at.OK && !at.Secret
}

// conditionValue adds a value to a condition.
func (b selectors) conditionValue(c *resource.Condition, schema *contract.Schema, v value.Value) bool {
	var plain any
	var shown string
	switch e := v.Expr(); {
	case unread(v):
		return false
	case e != nil && e.Op == value.OpEnv:
		var ok bool
		if plain, ok = b.conditionVariable(c, schema, v.Pos(), e); !ok {
			return false
		}
		shown = showVariable(e)
	case e != nil:
		b.diags.Add(diag.ExtSelector, v.Pos(), fmt.Sprintf("A selector compares with text, numbers, true, false and !env, not with the tag !%s.", e.Op), "write the value itself.")
		return false
	case v.Kind() == value.Null:
		b.diags.Add(diag.ExtSelector, v.Pos(), fmt.Sprintf("The field %s has nothing to be compared with.", c.Path), fmt.Sprintf("write a value, or matchExpressions: [{key: %s, operator: DoesNotExist}].", c.Path))
		return false
	case v.Kind() == value.Map:
		b.wrongShape(v, fmt.Sprintf("The field %s is compared with a single value, not with a mapping.", c.Path), fmt.Sprintf("join the keys by dots: %s.", c.Path.Child("KEY")))
		return false
	case v.Kind() == value.List:
		b.wrongShape(v, fmt.Sprintf("The field %s is compared with a single value, not with a list.", c.Path), fmt.Sprintf("write matchExpressions: [{key: %s, operator: In, values: […]}].", c.Path))
		return false
	default:
		plain, shown = v.Plain(nil), v.Written()
	}
	if _, text := plain.(string); c.Operator == resource.Prefix && !text {
		b.diags.Add(diag.ExtSelector, v.Pos(), "A prefix is a text.", fmt.Sprintf("write it in quotes: %q.", shown))
		return false
	}
	c.Values, c.Shown = append(c.Values, plain), append(c.Shown, shown)
	return true
}

// conditionVariable looks up the variable that a field is compared with.
func (b selectors) conditionVariable(c *resource.Condition, schema *contract.Schema, pos value.Pos, e *value.Expression) (any, bool) {
	text, ok := b.opts.Env(e.Name)
	if !ok {
		code, detail, fix := diag.Unread("The selector takes "+c.Path.String(), e.Name, text)
		b.diags.Add(code, pos, detail, fix)
		return nil, false
	}
	v, err := value.FromEnv(text, e.Field)
	if err != nil {
		b.diags.Add(diag.SrcExtract, pos, fmt.Sprintf("The selector takes %s from the environment variable %s: %v.", c.Path, e.Name, err), fmt.Sprintf("set %s to JSON that has %s, or correct the path.", e.Name, e.Field))
		return nil, false
	}
	switch v.(type) {
	case map[string]any, []any, nil:
		b.diags.Add(diag.ExtSelector, pos, fmt.Sprintf("The variable %s holds a list, a mapping or null there, and a selector compares with single values.", e.Name), "take a single value of it: !env VAR#PATH.")
		return nil, false
	}
	return schema.Coerce(v), true
}

// showVariable is a variable as it is written.
func showVariable(e *value.Expression) string {
	shown := "!env " + e.Name
	if e.Field != "" {
		shown += "#" + e.Field
	}
	return shown
}

// selectorLines renders the selector as it was written, variables by their names.
func selectorLines(s *resource.Selector) []string {
	var fields, expressions []string
	for _, c := range s.Conditions {
		if c.Fields {
			fields = append(fields, fmt.Sprintf("    %s: %s", c.Path, quoted(c.Shown)[0]))
			continue
		}
		line := fmt.Sprintf("  - {key: %s, operator: %s", c.Path, c.Operator)
		if len(c.Shown) > 0 {
			line += ", values: [" + strings.Join(quoted(c.Shown), ", ") + "]"
		}
		expressions = append(expressions, "  "+line+"}")
	}
	out := []string{"Selector:"}
	if len(fields) > 0 {
		out = append(append(out, "  "+keyMatchFields+":"), fields...)
	}
	if len(expressions) > 0 {
		out = append(append(out, "  "+keyMatchExpressions+":"), expressions...)
	}
	return out
}

func quoted(shown []string) []string {
	out := make([]string, len(shown))
	for i, s := range shown {
		out[i] = s
		if !strings.HasPrefix(s, "!env ") {
			out[i] = fmt.Sprintf("%q", s)
		}
	}
	return out
}
