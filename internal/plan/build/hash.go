package build

import (
	"fmt"
	"sort"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// declared is a resource as written, with what nests in it, expressions in
// place of values.
func declared(set *resource.Set, r *resource.Resource) map[string]any {
	return declaredAs(set, r, func(*resource.Resource, map[string]any) bool { return true })
}

// declaredAs is declared with some of it changed: alter changes what stands there
// for one resource, and says false to leave it out.
func declaredAs(set *resource.Set, r *resource.Resource, alter func(*resource.Resource, map[string]any) bool) map[string]any {
	fields := r.Fields.Plain(func(_ value.Path, e *value.Expression) any {
		if e.Op == value.OpSecret {
			return map[string]any{"$secret": plan.SecretExpression(e, "")}
		}
		return map[string]any{"$" + string(e.Op): plan.NewExpression(e, "")}
	})
	for _, p := range r.Unset {
		fields = value.Set(fields, p, nil)
	}
	out := map[string]any{"type": r.Type.FirstKind(), "fields": fields}
	if e := r.External; e != nil {
		out["external"] = externalHash(e)
	}
	if r.Parent == nil {
		out["namespace"], out["protected"] = r.Namespace, r.Protected
	}
	if !alter(r, out) {
		return nil
	}
	var children []string
	for _, c := range set.Children(r) {
		below := declaredAs(set, c, alter)
		if below == nil {
			continue
		}
		above := ""
		if c.Above != nil {
			above = c.Above.Ref
		}
		children = append(children, above+" "+string(value.Canonical(below)))
	}
	sort.Strings(children)
	list := make([]any, len(children))
	for i, c := range children {
		list[i] = c
	}
	out["children"] = list
	return out
}

// externalHash is how an external is found, as written.
func externalHash(e *resource.External) any {
	switch {
	case e.ID != "":
		return e.ID
	case e.Made != nil:
		return e.Made.Written
	}
	var out []any
	for _, c := range e.Selector.Conditions {
		out = append(out, fmt.Sprint(c.Path, c.Operator, c.Shown))
	}
	return out
}

func resourceHash(set *resource.Set, r *resource.Resource) string {
	return value.LabelHash(declared(set, r))
}

// configHash is the hash over the sorted hashes of all resources.
func configHash(set *resource.Set) string {
	var hashes []string
	for _, r := range set.Resources {
		hashes = append(hashes, resourceHash(set, r))
	}
	sort.Strings(hashes)
	list := make([]any, len(hashes))
	for i, h := range hashes {
		list[i] = h
	}
	return value.Fingerprint(list)
}
