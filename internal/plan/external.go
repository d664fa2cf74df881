package plan

import (
	"encoding/json"
	"fmt"
	"slices"

	"kongctl/internal/konnect/catalog"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/value"
)

// checkValues tells of values of externals that do not fit where they are
// taken: nothing that comes later would make them fit.
func (b *builder) checkValues() {
	if b.Mode != ModeSync && b.Mode != ModeApply {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.selection.leftOut(r) {
			continue
		}
		for _, link := range b.Links.From(r) {
			o := b.Snapshot.Object(link.Target)
			if link.Target.External == nil || o == nil || link.Field == "id" {
				continue
			}
			v, _ := value.Get(o.Fields, catalog.Of(link.Target).FieldPath(value.ParsePath(link.Field)))
			why := misfit(catalog.Of(r).Write().At(link.Path.Generic(), nil), v)
			if why == "" {
				continue
			}
			b.diags.Add(diag.RefValue, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %s from %s of the external %q, which %s.", r.Describe(), link.Path, link.Field, link.Target.Ref, why),
				"refer to another field, or write the value itself.")
		}
	}
}

// externals are the resources of others that the plan builds on.
func (b *builder) externals() []External {
	var out []External
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); r.External != nil && o != nil && o.ID != "" {
			name, _ := o.Fields[catalog.Of(r).NameField()].(string)
			out = append(out, External{Ref: r.Ref, Type: catalog.Of(r).Kind, ID: o.ID, Name: name})
		}
	}
	return out
}

// using are the externals that changes of the plan refer to or stand below.
func (p *Plan) using(externals []External) []External {
	var out []External
	for _, e := range externals {
		if slices.ContainsFunc(p.Changes, func(c *Change) bool { return c.uses(e) }) {
			out = append(out, e)
		}
	}
	return out
}

func (c *Change) uses(e External) bool {
	if c.Parent != nil && slices.Contains(c.Parent.Ancestors, e.ID) {
		return true
	}
	for _, r := range c.References {
		if r.Type == e.Type && r.Ref == e.Ref && (r.ID == e.ID || r.Field != "") {
			return true
		}
	}
	return false
}

// misfit says why a field cannot take a value; "" when it can.
func misfit(s *contract.Schema, v any) string {
	switch v.(type) {
	case nil:
		return "has no value"
	case map[string]any, []any:
		if s != nil && s.Type == "string" {
			return "is no text"
		}
	}
	return ""
}

// AsText turns a number or boolean into the text that a field takes.
func AsText(s *contract.Schema, v any) any {
	if s == nil || s.Type != "string" {
		return v
	}
	switch x := v.(type) {
	case json.Number:
		return x.String()
	case bool, float64, int:
		return fmt.Sprint(x)
	}
	return v
}
