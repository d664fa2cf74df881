package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// distinct leaves out what says nothing or cannot be declared, and all but the first of those that a
// configuration cannot tell apart.
func (w *writer) distinct(list []*Resource) []*Resource {
	var out []*Resource
	seen := map[string]bool{}
	for _, r := range list {
		if saysNothing(r, list) {
			continue
		}
		if field := catalog.Withheld(r.Type); field != "" {
			w.warn(diag.ExpUnread, fmt.Sprintf("Konnect does not return %s of %s: it is left out.", field, r.whose()),
				"declare it where it is created again. A sync keeps it as long as the list is not written.")
			continue
		}
		if r.Object.Lacks != "" {
			w.warn(diag.ExpLeftOut, fmt.Sprintf("%s (id %s) has no %s, by which configurations name it: it is left out.", capital(r.what()), r.Object.ID, r.Object.Lacks),
				fmt.Sprintf("set its %s in Konnect to manage it.", r.Object.Lacks))
			continue
		}
		key := r.identity(w.namespace(r))
		if key != "" && seen[key] {
			w.warn(diag.ExpTwin, fmt.Sprintf("%s (id %s) has the name of another one, and a configuration cannot tell the two apart: it is left out.", capital(r.what()), r.Object.ID),
				"rename one of the two in Konnect.")
			continue
		}
		seen[key] = true
		copied := *r
		copied.children = w.distinct(r.children)
		for _, c := range copied.children {
			c.Parent = &copied
		}
		out = append(out, &copied)
	}
	nestAgain(out)
	return out
}

// saysNothing reports whether a resource is as Konnect makes it by itself, so that
// nothing of it needs to be written.
func saysNothing(r *Resource, siblings []*Resource) bool {
	return untouched(r.Type, r.Object.Fields) && len(r.children) == 0 && !outOfLine(r, siblings)
}

// outOfLine reports whether an order puts a resource before the one that it lies below:
// the order of a list does not say that, so the order itself is written.
func outOfLine(r *Resource, siblings []*Resource) bool {
	field := catalog.OrderField(r.Type)
	if field == "" {
		return false
	}
	ids := value.TextsAt(r.Object.Fields, value.ParsePath(field))
	for _, x := range siblings {
		beneath := catalog.Beneath(x.Type)
		if x.Type.Kind != r.Type.Orders || beneath == "" {
			continue
		}
		above, _ := value.Get(x.Object.Fields, value.ParsePath(beneath))
		id, _ := above.(string)
		if id != "" && slices.Index(ids, x.Object.ID) < slices.Index(ids, id) {
			return true
		}
	}
	return false
}

// nestAgain points what nests at the copies.
func nestAgain(list []*Resource) {
	byID := map[string]*Resource{}
	for _, r := range list {
		byID[r.Type.Kind+" "+r.Object.ID] = r
	}
	for _, r := range list {
		if r.Above != nil {
			r.Above = byID[r.Type.Kind+" "+r.Above.Object.ID]
		}
	}
}

// identity is what must differ between siblings that are declared in a namespace, "" where there is one at most.
func (r *Resource) identity(namespace string) string {
	if len(r.Type.Identity) == 0 {
		return ""
	}
	parts := []string{r.Type.Kind}
	if r.Above != nil {
		parts = append(parts, r.Above.Object.ID)
	}
	for _, f := range r.Type.Identity {
		v, _ := value.Get(r.Object.Fields, value.ParsePath(f))
		parts = append(parts, strings.TrimSpace(fmt.Sprint(v)))
	}
	switch {
	case r.Type.PerNamespace:
		parts = append(parts, namespace)
	case r.Type.Variant != "":
		parts = append(parts, r.variant())
	}
	return strings.Join(parts, "\x00")
}

// variant is what tells a resource apart from others of one identity.
func (r *Resource) variant() string {
	if r.Type.Variant == "" {
		return ""
	}
	v, _ := value.Get(r.Object.Fields, value.ParsePath(r.Type.Variant))
	text, _ := v.(string)
	return strings.TrimSpace(text)
}

// whose names a resource and what it belongs to.
func (r *Resource) whose() string {
	if r.Parent == nil {
		return r.what()
	}
	return r.what() + " of " + r.Parent.whose()
}
