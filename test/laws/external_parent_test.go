package laws

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// anID is one that a resource of a type may have.
func anID(t *catalog.Bound) string {
	if at := t.Returned().At([]string{"id"}, nil); at != nil && at.Format != "uuid" && at.Pattern != "" {
		return "01JZ4Q8Y6MHB3T0W9XK2VDNA8E"
	}
	return "7f0aa1a4-3b5c-4d5e-8f00-0000000000bb"
}

// foundBy is a field that a selector may ask for.
func foundBy(t *catalog.Bound) string {
	if t.ReturnedAt([]string{"id"}).OK {
		return "id"
	}
	return t.Identity[0]
}

// belowParent is a configuration with an external below a parent that it declares, and
// an API that takes the id of the external.
type belowParent struct {
	*scene
	parent string
	// base is the configuration without the external.
	base string
}

func newBelowParent(w *world, t *catalog.Bound) *belowParent {
	x := &belowParent{scene: newScene(w, t)}
	x.parent = x.scene.parent(t)
	x.base = x.text()
	return x
}

// ways are the places that an external may be written in, with the way to find it.
func (x *belowParent) ways(find string) map[string]string {
	own := fmt.Sprintf("%q: %q", x.t.ParentKeys()[0], x.parent)
	root := x.t.Parent.Root()
	parents := slices.Clone(x.lists[root])
	for i, item := range parents {
		if strings.Contains(item, fmt.Sprintf("%q: %q", "ref", x.parent)) {
			parents[i] = fmt.Sprintf("{%q: [{ref: ext, _external: {%s}}], %s", x.t.Key, find, item[1:])
		}
	}
	with := func(key string, items []string) string {
		was := x.lists[key]
		defer func() { x.lists[key] = was }()
		x.lists[key] = items
		return x.text()
	}
	return map[string]string{
		"flat":        with(x.t.Root(), append(slices.Clone(x.lists[x.t.Root()]), fmt.Sprintf("{ref: ext, %s, _external: {%s}}", own, find))),
		"nested":      with(root, parents),
		"in the list": x.base + fmt.Sprintf("external_resources: [{ref: ext, resource_type: %s, %s, %s}]\n", x.t.Kind, own, find),
	}
}

// user is an API that takes the id of the external.
const user = "apis: [{ref: user, name: user, description: !ref ext#id}]\n"

// An external below a parent that the same plan creates waits, whether an id or a
// selector finds it. Below one that exists and is not managed here, that is the one
// problem. Its own id is asked for where a field needs it.
func TestExternalsBelowParents(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d ways were tried", tried.Load())
		if tried.Load() < 300 {
			t.Error("too few were tried")
		}
	})
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		if typ.Parent == nil || typ.Shape == catalog.Singleton || typ.Parent.ReadOnly || typ.Top().ReadOnly {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			x := newBelowParent(w, typ)
			finders := map[string]string{"id": "id: " + anID(typ), "selector": fmt.Sprintf("selector: {matchFields: {%s: %s}}", foundBy(typ), anID(typ))}
			for by, find := range finders {
				for way, text := range x.ways(find) {
					tried.Add(1)
					p, diags := w.tryMode(merged(text, user), plan.ModeApply)
					if diags.HasErrors() {
						t.Errorf("new parent, %s, by %s: %v", way, by, diags.Err())
						continue
					}
					waits := slices.ContainsFunc(p.Pending, func(p plan.Pending) bool { return p.ResourceRef == "user" && p.WaitsFor == "ext" })
					if !waits || len(p.Pending) != 1 {
						t.Errorf("new parent, %s, by %s: %v waits", way, by, p.Pending)
					}
				}
			}
			w.run(w.plan(x.base, plan.ModeApply))
			foreign := strings.Replace(x.base, "namespace: laws", "namespace: other", 1)
			_, parents := w.tryMode(foreign, plan.ModeApply)
			for by, find := range finders {
				for way, text := range x.ways(find) {
					if _, diags := w.tryMode(merged(text, user), plan.ModeApply); diags.HasErrors() == (by == "id") || slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.ExtNoParent }) {
						t.Errorf("a parent that exists, %s, by %s: %v", way, by, diags.Err())
					}
					if !parents.HasErrors() {
						continue // its root carries no mark
					}
					_, diags := w.tryMode(merged(strings.Replace(text, "namespace: laws", "namespace: other", 1), user), plan.ModeApply)
					if got, want := codes(diags), codes(parents); got != want {
						t.Errorf("a parent of others, %s, by %s: %s, want %s\n%v", way, by, got, want, diags.Err())
					}
				}
			}
		})
	}
}

// codes are those of errors.
func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		if d.Severity == diag.Error {
			out = append(out, string(d.Code))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
