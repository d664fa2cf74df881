package laws

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// unplaced are the references to what belongs to a parent that nothing names beside an
// id: no request says whether such an id exists.
var unplaced = []string{"api_package_operation.operation_id"}

// references are the fields of a type that take the id of a resource of one type.
func references(cat *catalog.Catalog, typ *catalog.Bound) map[string]*catalog.Bound {
	out := map[string]*catalog.Bound{}
	for _, ref := range typ.References {
		if to := cat.Kind(ref.Kind); to != nil && !slices.Contains(unplaced, typ.Kind+"."+ref.Field) {
			out[ref.Field] = to
		}
	}
	if typ.Tree != nil {
		out[typ.Tree.Parent] = typ
	}
	return out
}

// An id in a reference field leads to what exists, and below the resource that the
// reference must stay below. Another one is refused in each place where it stands, before
// anything is written. Whoever may not look is not kept from planning, and a plan
// without changes looks for nothing.
func TestIDMustExist(t *testing.T) {
	var created, unknown, foreign, known, denied atomic.Int64
	afterAll(t, func() {
		t.Logf("%d below new parents, %d unknown ids, %d of other parents, %d that exist, %d nobody may read", created.Load(), unknown.Load(), foreign.Load(), known.Load(), denied.Load())
		if created.Load() < 40 || unknown.Load() < 40 || foreign.Load() < 16 || known.Load() < 40 || denied.Load() < 40 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for field, to := range references(newWorld(t).cat, typ) {
			t.Run(field, func(t *testing.T) {
				if to.List.Unpublished || catalog.Abroad(typ, value.ParsePath(field).Generic()) {
					return // nobody can look there
				}
				x := &idCase{t: t, typ: typ, field: field, to: to}
				x.anew()
				created.Add(1)
				x.begin()
				x.explained()
				x.refused("an unknown id", x.id[:len(x.id)-4]+"0000")
				unknown.Add(1)
				if x.refusedQuietly(x.id[:len(x.id)-4] + "0000") {
					denied.Add(1)
				}
				if x.foreign != "" {
					x.refused("the id of another parent's", x.foreign)
					foreign.Add(1)
				}
				if !to.ReadOnly {
					x.taken()
					known.Add(1)
				}
			})
		}
	})
}

// idCase is a reference field, and what there is for it to lead to.
type idCase struct {
	t     *testing.T
	w     *world
	typ   *catalog.Bound
	field string
	to    *catalog.Bound
	// scene has what exists; own is what the resources with the field lie below.
	scene *scene
	own   string
	// places is how many of them one configuration can have.
	places int
	// id is one that exists and fits, foreign one that lies below another parent.
	id, foreign string
	// ref and name are those of the one with the id.
	ref, name string
}

// open makes a configuration with what the resources with the field lie below.
func (x *idCase) open() {
	x.w, x.places = newWorld(x.t), 2
	x.scene = newScene(x.w, x.typ)
	x.own = x.scene.parent(x.typ)
	x.scene.below = x.own
}

// anew expects that an id is refused where nothing exists yet, however it is written: by
// itself, and as what is looked up.
func (x *idCase) anew() {
	x.open()
	x.places = 1
	id := anID(x.to)
	text := x.declare(id)
	x.refusedIn("an id where nothing exists", text, id)
	if _, diags := x.w.tryPlan(text, ""); !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.ExtNoID }) {
		x.t.Errorf("an id where nothing exists in %s: %v", x.field, diags)
	}
	x.refusedIn("a lookup of an id where nothing exists", strings.ReplaceAll(text, strconv.Quote(id), "!lookup {id: "+id+"}"), id)
}

// explained expects that below what belongs to others the id is no problem of its own.
func (x *idCase) explained() {
	if x.to.Parent == nil {
		return
	}
	elsewhere := func(text string) diag.List {
		_, diags := x.w.tryPlan(strings.Replace(text, "namespace: laws", "namespace: other", 1), "")
		return diags
	}
	id := anID(x.to)
	for _, d := range elsewhere(x.declare(id)) {
		if d.Code == diag.ExtNoID && elsewhere(x.scene.text()).HasErrors() {
			x.t.Errorf("an id below what belongs to others, in %s: %v", x.field, d)
		}
	}
}

// begin brings about what the field may lead to.
func (x *idCase) begin() {
	x.open()
	s := x.scene
	refs := map[string]*string{}
	if !x.to.ReadOnly {
		s.at = &making{x.typ, x.own}
		owner := s.owner(x.to)
		s.at = nil
		if owner == "" {
			owner = s.parent(x.to)
		}
		refs[s.addMinimal(x.to, owner, nil)] = &x.id
		if catalog.Shared(x.typ, x.to) != nil {
			refs[s.addMinimal(x.to, s.parent(x.to), nil)] = &x.foreign
		}
	} else {
		x.id = bareID
	}
	x.declare("") // what else it needs is there, too
	x.w.run(x.w.plan(s.text(), plan.ModeApply))
	x.w.plan(s.text(), plan.ModeApply)
	for _, r := range x.w.set.Resources {
		if id := refs[r.Ref]; id != nil && r.Type == x.to.Neutral() {
			*id = x.w.snap.Object(r).ID
			if id == &x.id {
				x.ref, x.name = r.Ref, r.Name
			}
		}
	}
	if slices.ContainsFunc(x.w.try(x.declare(x.id)), func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		x.places = 1
	}
}

// declare is the configuration with more resources that have an id in the field.
func (x *idCase) declare(id string) string {
	was := map[string][]string{}
	for key, items := range x.scene.lists {
		was[key] = slices.Clone(items)
	}
	for range x.places {
		x.scene.n++
		fields, ok := x.scene.referring(x.field, x.own, id)
		if !ok {
			x.t.Fatalf("no sample has %s.%s", x.typ.Kind, x.field)
		}
		if id != "" {
			x.scene.add(x.typ, fields, x.own)
		}
	}
	if id == "" {
		return ""
	}
	text := x.scene.text()
	for key := range x.scene.lists {
		x.scene.lists[key] = was[key]
	}
	return text
}

// refused expects that a plan reports an id in all places and writes nothing.
func (x *idCase) refused(what, id string) {
	x.t.Helper()
	x.refusedIn(what, x.declare(id), id)
}

func (x *idCase) refusedIn(what, text, id string) {
	x.t.Helper()
	before := len(x.w.wire.writes)
	_, diags := x.w.tryPlan(text, "")
	want, at := strings.Count(text, id), map[int]bool{}
	for _, d := range diags {
		if d.Severity == diag.Error && d.Pos.Line > 0 {
			at[d.Pos.Line*1000+d.Pos.Column] = true
		}
	}
	if len(at) < want || len(x.w.wire.writes) > before {
		x.t.Errorf("%s in %d places of %s: %v", what, want, x.field, diags)
	}
}

// refusedQuietly expects that a plan is made where the token may not read the id, and
// reports whether it asked.
func (x *idCase) refusedQuietly(id string) bool {
	x.t.Helper()
	asked := false
	x.w.wire.deny = func(req *http.Request) bool {
		hit := req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/"+id)
		asked = asked || hit
		return hit
	}
	_, diags := x.w.tryPlan(x.declare(id), "")
	x.w.wire.deny = nil
	if asked && diags.HasErrors() {
		x.t.Errorf("an id of %s that nobody may read: %v", x.field, diags.Err())
	}
	return asked
}

// taken expects that an id that exists is taken, and that nothing asks for it again.
func (x *idCase) taken() {
	x.t.Helper()
	text := x.declare(x.id)
	x.w.run(x.w.plan(text, plan.ModeApply))
	x.w.settled(text, plan.ModeApply)
	count := func(check resource.IDCheck) int {
		walk := x.w.loaded(text)
		walk.Request.Mode, walk.Request.Scope.CheckIDs = plan.ModeApply, check
		before := x.w.wire.reads.Load()
		x.w.build(walk)
		return int(x.w.wire.reads.Load() - before)
	}
	if some, none := count(resource.CheckNewIDs), count(resource.CheckNoIDs); some != none {
		x.t.Errorf("a plan without changes sends %d requests where %d are enough", some, none)
	}
}

// denied is the answer to whoever may not read.
func denied(req *http.Request) *http.Response {
	return &http.Response{
		StatusCode: http.StatusForbidden, Status: "403 Forbidden", Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/problem+json"}},
		Body:   io.NopCloser(strings.NewReader(`{"status":403,"title":"Forbidden","instance":"x","detail":"no"}`)),
	}
}
