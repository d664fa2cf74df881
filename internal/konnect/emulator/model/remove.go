package model

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// remove deletes a resource and all that goes with it.
func (t task) remove() (Answer, error) {
	ancestors, own := t.c.ids()
	owner, err := t.sc.owner(t.c.act.b, ancestors)
	if err != nil {
		return Answer{}, err
	}
	rec, err := t.lookup(owner, own)
	if err == nil && rec == nil {
		err = missing(t.c.act.b, owner, own)
	}
	if err != nil {
		return Answer{}, err
	}
	if err := ours(t.c.act.b, rec); err != nil {
		return Answer{}, err
	}
	r := &removal{sc: t.sc, force: t.c.Raw.Get("force") == "true", gone: map[place]bool{}}
	r.take(t.c.act.b, rec)
	if t.c.act.b.ForceDelete && !r.force && len(r.list) > 1 {
		return Answer{}, Bad("query", "force", "invalid", fmt.Sprintf("must be true to delete the %s with its children", catalog.Words(rec.Kind)))
	}
	if err := r.settle(); err != nil {
		return Answer{}, err
	}
	if err := t.sc.Rule(t.c.act.b).Guard.Run(t.sc, rec); err != nil {
		return Answer{}, err
	}
	for _, d := range r.list {
		t.sc.Tx.Delete(d.b.Kind, d.rec.ID)
		if err := t.sc.Rule(d.b).Part.Run(t.sc, d.rec); err != nil {
			return Answer{}, err
		}
	}
	return Answer{Status: successStatus(t.c.Op)}, nil
}

// removal collects what a deletion also deletes, and what stands in its way.
type removal struct {
	sc    Scene
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
	use  use
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
		r.sc.Tx.Range(child.Kind, rec.ID, func(x *store.Record) bool { r.take(child, x); return true })
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
		for _, use := range r.sc.m.uses[what.b.Kind] {
			r.sc.Tx.Referring(use.by.Kind, use.key(what.rec), func(x *store.Record) bool {
				switch {
				case (use.refuses != 0 || what.b.Writer != "" && use.by.Writer != "") && x.Parent != what.rec.Parent:
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
	detail := fmt.Sprintf("%s %s is used by %s %s", catalog.Words(h.what.b.Kind), h.what.rec.Public(), catalog.Words(h.use.by.Kind), h.by.Public())
	if h.use.by.Shape == catalog.Map {
		detail = fmt.Sprintf("%s %s is used by %s of %s %s", catalog.Words(h.what.b.Kind), h.what.rec.ID, catalog.Words(h.use.by.Kind), catalog.Words(h.use.by.Parent.Kind), h.by.Parent)
	}
	if h.use.forced {
		detail += "; force=true deletes that too"
	}
	if h.use.by.Writer != "" {
		return Refuse(http.StatusBadRequest, "an existing %s entity references this %s entity: %s", catalog.Words(h.use.by.Kind), catalog.Words(h.what.b.Kind), detail)
	}
	if h.use.refuses == http.StatusBadRequest {
		return Bad("path", "id", "invalid", detail)
	}
	return Refuse(cmp.Or(h.use.refuses, http.StatusConflict), "%s", detail)
}
