package emulator

import (
	"fmt"
	"net/http"
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// usage is a field of a type that may refer to another.
type usage struct {
	by     *catalog.Bound
	field  string
	ending catalog.Ending
	// forced: what would be refused cascades with force=true.
	forced bool
}

// usages finds out by which types each kind may be referred to.
func usages(cat *catalog.Catalog, conducts map[string]*conduct) map[string][]usage {
	out := map[string][]usage{}
	for _, b := range cat.All() {
		con := conducts[b.Kind]
		if con == nil {
			con = &conduct{}
		}
		for _, ref := range con.references(b) {
			if cat.Kind(ref.Kind) != nil && ref.OnDelete != catalog.Keeps {
				out[ref.Kind] = append(out[ref.Kind], usage{by: b, field: ref.Field, ending: ref.OnDelete, forced: con.forced[ref.Field]})
			}
		}
	}
	return out
}

// refs is what a record can be found by when something goes that it refers to.
func (s *Server) refs(b *catalog.Bound, rec *store.Record) []string {
	var out []string
	note := func(field string, ids []string) {
		for _, id := range ids {
			if ref := refKey(field, id); !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	for _, ref := range s.conduct(b).references(b) {
		from := rec.Fields
		if ref.Field == b.MapKey {
			from = rec.Made
		}
		note(ref.Field, texts(at(from, ref.Field)))
	}
	for _, field := range s.conduct(b).marks {
		note(field, texts(rec.Made[field]))
	}
	return out
}

func refKey(field, id string) string { return field + "=" + id }

// remove deletes a resource and all that goes with it.
func (sc scene) remove(c *call) (answer, error) {
	ancestors, own := c.ids()
	owner, err := sc.owner(c.act.b, ancestors)
	if err != nil {
		return answer{}, err
	}
	rec, err := sc.lookup(c, owner, own)
	if err == nil && rec == nil {
		err = missing(c.act.b, owner, own)
	}
	if err != nil {
		return answer{}, err
	}
	if err := ours(c.act.b, rec); err != nil {
		return answer{}, err
	}
	r := &removal{sc: sc, force: c.raw.Get("force") == "true", gone: map[place]bool{}}
	r.take(c.act.b, rec)
	if err := r.settle(); err != nil {
		return answer{}, err
	}
	for _, guard := range sc.s.conduct(c.act.b).guards {
		if err := guard(sc, rec); err != nil {
			return answer{}, err
		}
	}
	for _, d := range r.list {
		sc.tx.Delete(d.b.Kind, d.rec.ID)
		for _, f := range sc.s.conduct(d.b).parts {
			f(sc, d.rec)
		}
	}
	return answer{status: successStatus(c.op)}, nil
}

// removal collects what a deletion takes along, and what stands in its way.
type removal struct {
	sc    scene
	force bool
	list  []doomed
	gone  map[place]bool
	held  []hold
}

type doomed struct {
	b   *catalog.Bound
	rec *store.Record
}

type place struct{ kind, id string }

// hold is a resource that lets no one delete what it refers to.
type hold struct {
	what doomed
	by   *store.Record
	use  usage
}

// take adds a resource with all that belongs to it.
func (r *removal) take(b *catalog.Bound, rec *store.Record) {
	at := place{b.Kind, rec.ID}
	if r.gone[at] {
		return
	}
	r.gone[at] = true
	r.list = append(r.list, doomed{b, rec})
	for _, child := range b.Children {
		r.sc.tx.Range(child.Kind, rec.ID, func(x *store.Record) bool { r.take(child, x); return true })
	}
	if b.Tree != nil {
		for _, x := range r.sc.below(b, rec.Parent, rec.ID) {
			r.take(b, x)
		}
	}
}

// settle follows references to what is to go, and refuses if one of them may
// not be left dangling.
func (r *removal) settle() error {
	for i := 0; i < len(r.list); i++ { // the list grows
		what := r.list[i]
		for _, use := range r.sc.s.users[what.b.Kind] {
			r.sc.tx.Referring(use.by.Kind, refKey(use.field, what.rec.Public()), func(x *store.Record) bool {
				switch {
				case what.b.External && use.by.External && x.Parent != what.rec.Parent:
				case use.ending == catalog.Cascades, use.forced && r.force:
					r.take(use.by, x)
				default:
					r.held = append(r.held, hold{what, x, use})
				}
				return true
			})
		}
	}
	for _, h := range r.held {
		if !r.gone[place{h.use.by.Kind, h.by.ID}] {
			return h.refusal()
		}
	}
	return nil
}

func (h hold) refusal() error {
	detail := fmt.Sprintf("%s %s is used by %s %s", spaced(h.what.b.Kind), h.what.rec.Public(), spaced(h.use.by.Kind), h.by.Public())
	if h.use.by.Shape == catalog.Map {
		detail = fmt.Sprintf("%s %s is used by %s of %s %s", spaced(h.what.b.Kind), h.what.rec.ID, spaced(h.use.by.Kind), spaced(h.use.by.Parent.Kind), h.by.Parent)
	}
	if h.use.forced {
		detail += "; force=true deletes that too"
	}
	if h.use.by.External {
		return refuse(http.StatusBadRequest, "an existing %s entity references this %s entity: %s", spaced(h.use.by.Kind), spaced(h.what.b.Kind), detail)
	}
	return refuse(http.StatusConflict, "%s", detail)
}
