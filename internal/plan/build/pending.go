package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// waiting is why a resource waits, and for which.
type waiting struct {
	reason string
	// of is nil where nothing is declared that it waits for: a field says its name.
	of   *resource.Resource
	name string
}

// ref is what it waits for.
func (w *waiting) ref() string {
	if w.of == nil {
		return w.name
	}
	return w.of.Ref
}

// findPending finds what waits for externals that are not there, or, where that
// is allowed, for what the filter ignores and does not exist; and what may exist
// and cannot be looked for yet. What depends on it waits, too.
func findPending(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	names := declaredNames(b)
	for again := true; again; { // resources may name each other in a circle
		again = false
		for _, r := range b.Links.Sorted() {
			if b.pending[r] != nil {
				continue
			}
			if w := waitsOn(b, r, names); w != nil {
				b.pending[r], again = w, true
			}
		}
	}
	for _, r := range b.Links.Sorted() {
		if w := b.pending[r]; w != nil && r.External == nil && !b.selection.LeftOut(r) {
			b.Plan.Pending = append(b.Plan.Pending, plan.Pending{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Reason: w.reason, WaitsFor: w.ref()})
		}
	}
}

// notFound is said of an external that is not there.
func notFound(t *resource.Type) string { return fmt.Sprintf("external: %s not found", t.Kind) }

func waitsOn(b *Draft, r *resource.Resource, names siblings) *waiting {
	if r.External != nil && b.Snapshot.Missing(r) {
		return &waiting{reason: notFound(r.Type), of: r}
	}
	if ignoredMakes(b, r) {
		return &waiting{reason: maker(b, r) + " is ignored in this run and has not created it yet", of: r}
	}
	for _, above := range []*resource.Resource{r.Parent, r.Above} {
		if above == nil {
			continue
		}
		if w := b.pending[above]; w != nil {
			return w
		}
		if ignoredAndMissing(b, above) {
			return ignoredWait(above)
		}
	}
	for _, link := range b.Links.From(r) {
		if w := b.pending[link.Target]; w != nil {
			return w
		}
		_, known := resource.EdgeValue(b.Snapshot, b.Links, link)
		if !known && ignoredAndMissing(b, link.Target) && variable(b, r, link.Path) == nil {
			return ignoredWait(link.Target)
		}
	}
	if w := waitsForNamed(b, r, names); w != nil {
		return w
	}
	return awaitsIdentity(b, r)
}

// ignoredMakes reports a resource that does not exist and that an attachment, which
// the filter ignores, would make. Another step of a pipeline may run it.
func ignoredMakes(b *Draft, s *resource.Resource) bool {
	if s.External == nil || s.External.Made == nil || b.Snapshot.Object(s) != nil || b.selection.Isolate || !b.selection.AttachedLeftOut(s.Parent) {
		return false
	}
	j := b.AttachedTo(s.Parent)
	return b.AllowPending || j != nil && j.Holds(s.External.Made.Name)
}

func ignoredWait(r *resource.Resource) *waiting {
	return &waiting{reason: fmt.Sprintf("%s is ignored and does not exist", r.Type.Words), of: r}
}

// ignoredAndMissing tells of something that the filter ignores, that does not
// exist, and that may come later.
func ignoredAndMissing(b *Draft, r *resource.Resource) bool {
	return b.AllowPending && !b.selection.Isolate && b.selection.LeftOut(r) && b.Snapshot.Object(r) == nil && b.broken[r] == nil
}

// maker is the tool that makes a resource.
func maker(b *Draft, made *resource.Resource) string {
	for _, t := range b.Types.All() {
		if t.Attached && t.Writes == made.Type.Writer {
			return t.Tool
		}
	}
	return made.Type.Writer
}
