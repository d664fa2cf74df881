package model

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Hidden stands in place of a secret.
const Hidden = "[hidden]"

// Mask hides secrets in the bodies of one request. What the contract and the rules
// of a type call secret is hidden, and what nobody has reviewed and has a name like
// one. It asks all branches of unions, so that it needs no valid body.
type Mask struct {
	op    *contract.Operation // nil where the contract does not know it
	hide  func(map[string]any)
	write []*contract.Schema
	found []string // secrets of the request
}

// Mask returns what hides the secrets of a request.
func (m *Model) Mask(method, escapedPath string) *Mask {
	op, _, _ := m.contract.Match(method, escapedPath)
	if op == nil && method == http.MethodPatch {
		op, _ = m.Patchable(escapedPath)
	}
	if f, _ := m.Beside(method, escapedPath); f != nil && f.As != "" {
		of, path, _ := strings.Cut(f.As, " ")
		op = m.contract.Operation(of, path)
	}
	k := &Mask{op: op}
	if op == nil {
		return k
	}
	if body := op.Body(); body != nil {
		k.write = append(k.write, body)
	}
	if act := m.actions.of(op); act != nil {
		k.hide = m.rule(act.b).Hide
		if schema := m.actions.written(act.b); schema != nil {
			k.write = append(k.write, schema)
		}
	}
	return k
}

// NeedsAll reports whether secrets can be recognized only in whole resources.
func (k *Mask) NeedsAll() bool { return k.hide != nil }

// Request hides the secrets of a request's body, and remembers them: an answer may
// quote them.
func (k *Mask) Request(body any) any { return k.resource(body, k.write) }

// Answer hides the secrets of an answer's body, which is a resource, a list of
// them, or either below a field.
func (k *Mask) Answer(body any) any {
	body = k.answer(body, 2)
	// A secret may be part of another: the longer comes first.
	slices.SortFunc(k.found, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return k.withoutQuotes(body)
}

func (k *Mask) answer(body any, depth int) any {
	switch x := body.(type) {
	case []any:
		for i, e := range x {
			x[i] = k.answer(e, depth)
		}
		return x
	case map[string]any:
		wrapped := map[string]any{}
		for name, e := range x {
			if depth > 0 && k.Wraps(name) {
				wrapped[name] = k.answer(e, depth-1)
				delete(x, name)
			}
		}
		out := k.resource(x, k.write)
		maps.Copy(x, wrapped)
		return out
	default:
		return body
	}
}

// Wraps reports whether an answer may have its resources in a field.
func (k *Mask) Wraps(name string) bool {
	if _, known := fieldSchemas(k.write, name); known {
		return false
	}
	if name == "item" || name == "data" {
		return true
	}
	if k.op == nil {
		return false
	}
	property, _, _ := k.op.Envelope()
	return name == property || name == k.op.Wrapper()
}

func (k *Mask) resource(body any, write []*contract.Schema) any {
	if record, ok := body.(map[string]any); ok && k.hide != nil {
		left, _ := Clone(record).(map[string]any)
		k.hide(left)
		body = k.marked(record, left)
	}
	return k.walk(body, write)
}

// marked puts Hidden in place of what a rule took out.
func (k *Mask) marked(v, left any) any {
	switch x := v.(type) {
	case map[string]any:
		y, _ := left.(map[string]any)
		for name, e := range x {
			if rest, ok := y[name]; ok {
				x[name] = k.marked(e, rest)
			} else {
				x[name] = k.conceal(e)
			}
		}
	case []any:
		y, _ := left.([]any)
		for i, e := range x {
			if i < len(y) {
				x[i] = k.marked(e, y[i])
			} else {
				x[i] = k.conceal(e)
			}
		}
	case string:
		if y, ok := left.(string); ok && y != x { // a part of it is hidden
			k.conceal(x)
			return y
		}
	}
	return v
}

// walk hides what schemas or names call secret.
func (k *Mask) walk(v any, schemas []*contract.Schema) any {
	switch x := v.(type) {
	case map[string]any:
		for name, e := range x {
			below, known := fieldSchemas(schemas, name)
			switch {
			case e == nil:
			case anySecret(below) || !known && textual(e) && value.MentionsSecret(name):
				x[name] = k.conceal(e)
			default:
				x[name] = k.walk(e, below)
			}
		}
	case []any:
		below := itemSchemas(schemas)
		for i, e := range x {
			if anySecret(below) {
				x[i] = k.conceal(e)
			} else {
				x[i] = k.header(k.walk(e, below))
			}
		}
	}
	return v
}

// header hides the value of a header that is written as "name: value".
func (k *Mask) header(v any) any {
	text, _ := v.(string)
	name, secret, ok := strings.Cut(text, ":")
	if !ok || strings.ContainsAny(name, " \t\n") || !value.NamesSecret(name) {
		return v
	}
	k.conceal(strings.TrimSpace(secret))
	return name + ": " + Hidden
}

// conceal remembers the texts of a secret.
func (k *Mask) conceal(v any) any {
	const short = 4 // what is shorter is in many texts
	switch x := v.(type) {
	case nil:
		return nil
	case string:
		if len(x) >= short && x != Hidden {
			k.found = append(k.found, x)
		}
	case map[string]any:
		for _, e := range x {
			k.conceal(e)
		}
	case []any:
		for _, e := range x {
			k.conceal(e)
		}
	}
	return Hidden
}

// withoutQuotes hides the secrets that were found wherever a text quotes them.
func (k *Mask) withoutQuotes(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for name, e := range x {
			x[name] = k.withoutQuotes(e)
		}
	case []any:
		for i, e := range x {
			x[i] = k.withoutQuotes(e)
		}
	case string:
		return k.Text(x)
	}
	return v
}

// Text hides the secrets that were found in a text.
func (k *Mask) Text(text string) string {
	for _, secret := range k.found {
		text = strings.ReplaceAll(text, secret, Hidden)
		if quoted, err := json.Marshal(secret); err == nil {
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), Hidden)
		}
	}
	return text
}

// textual reports whether a value can hold a secret: switches and numbers cannot.
func textual(v any) bool {
	switch v.(type) {
	case string, map[string]any, []any:
		return true
	default:
		return false
	}
}

func anySecret(schemas []*contract.Schema) bool {
	for _, s := range schemas {
		if s.Secret {
			return true
		}
	}
	return false
}

// fieldSchemas are all that a field may be, in whatever branch; known reports
// whether one of them names the field.
func fieldSchemas(schemas []*contract.Schema, name string) (out []*contract.Schema, known bool) {
	eachPart(schemas, func(s *contract.Schema) {
		if plugins := s.Configuration(name); plugins != nil {
			out, known = append(out, plugins), true
			return
		}
		if f := s.Properties[name]; f != nil {
			out, known = append(out, f.Deref()), true
		} else if s.Additional != nil {
			out = append(out, s.Additional.Deref())
		}
	})
	return out, known
}

func itemSchemas(schemas []*contract.Schema) (out []*contract.Schema) {
	eachPart(schemas, func(s *contract.Schema) {
		if item := s.Item(); item != nil {
			out = append(out, item)
		}
	})
	return out
}

// eachPart calls f with schemas and all that they are joined of.
func eachPart(schemas []*contract.Schema, f func(*contract.Schema)) {
	seen := map[*contract.Schema]bool{}
	var visit func([]*contract.Schema)
	visit = func(list []*contract.Schema) {
		for _, s := range list {
			if s = s.Deref(); s == nil || seen[s] {
				continue
			}
			seen[s] = true
			f(s)
			visit(s.AllOf)
			visit(s.Branches())
		}
	}
	visit(schemas)
}
