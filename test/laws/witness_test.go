package laws

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/test/witness"
)

// witnessed is the operations of all laws that have run.
var witnessed witness.Log

// unwitnessed is called after the last law: the laws together carry out every
// operation that the catalog uses, and no other, and the original document allows
// what is said. It returns what is wrong.
func unwitnessed(say func(format string, args ...any)) (wrong []string) {
	cat, err := catalog.Load()
	if err != nil {
		return []string{err.Error()}
	}
	seen, used := witnessed.Operations(), operations(cat)
	for _, op := range slices.Sorted(maps.Keys(used)) {
		if seen[op] == 0 {
			wrong = append(wrong, fmt.Sprintf("%s (%s) was not seen to succeed", op, used[op]))
		}
	}
	for _, op := range slices.Sorted(maps.Keys(seen)) {
		say("%6d  %s\n", seen[op], op)
		if used[op] == "" {
			wrong = append(wrong, op+" is no operation of the catalog")
		}
	}
	say("%d operations witnessed, %d used by the catalog\n", len(seen), len(used))
	return wrong
}

// operations are those that types which can be written are bound to, with what
// they do, the lists of what others write and goes with its parent, and the one that
// says whose token it is.
func operations(cat *catalog.Catalog) map[string]string {
	out := map[string]string{"GET /v3/organizations/me": "read the organization"}
	for _, b := range cat.All() {
		// No world of the laws has developers of portals: scripts see what is below them.
		unmade := b.Parent != nil && b.Parent.ReadOnly && b.Parent.Writer == "" && b.Parent.Parent != nil
		if b.ReadOnly && !b.List.Unpublished && !unmade {
			out[b.List.Key()] = "list " + b.Kind
		}
		// What is there before anybody declares it, and has children that are written.
		if b.ReadOnly && b.Read != nil && slices.ContainsFunc(b.Children, func(c *catalog.Bound) bool { return !c.ReadOnly }) {
			out[b.Read.Key()] = "read " + b.Kind
		}
	}
	for _, b := range writable(cat) {
		for does, op := range map[string]*contract.Operation{
			"create": b.Create, "read": b.Read, "list": b.List, "update": b.Update, "rewrite": b.Rewrite, "delete": b.Delete,
		} {
			if op != nil {
				out[op.Carrier().Key()] = does + " " + b.Kind
			}
		}
		for _, to := range references(cat, b) { // by their ids
			if to.Read != nil {
				out[to.Read.Key()] = "read " + to.Kind
			}
		}
	}
	return out
}
