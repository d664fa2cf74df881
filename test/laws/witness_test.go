package laws

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/test/witness"
)

// witnessed is the operations of all laws that have run.
var witnessed witness.Log

// The laws together carry out every operation that the catalog uses, and no
// other, and the original document allows what is said. This test is the last.
func TestEveryOperationIsWitnessed(t *testing.T) {
	if run := flag.Lookup("test.run").Value.String(); run != "" {
		t.Skip("only some of the laws ran: -run", run)
	}
	seen := witnessed.Operations()
	used := operations(newWorld(t).cat)
	for _, op := range slices.Sorted(maps.Keys(used)) {
		if seen[op] == 0 {
			t.Errorf("%s (%s) was not seen to succeed", op, used[op])
		}
	}
	for _, op := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%6d  %s", seen[op], op)
		if used[op] == "" {
			t.Errorf("%s is no operation of the catalog", op)
		}
	}
	t.Logf("%d operations witnessed, %d used by the catalog", len(seen), len(used))
}

// operations are those that types which can be written are bound to, with what
// they do, and the lists of what others write and goes with its parent.
func operations(cat *catalog.Catalog) map[string]string {
	out := map[string]string{}
	for _, b := range cat.All() {
		if b.ReadOnly {
			out[b.List.Key()] = "list " + b.Kind
		}
		// What is there before anybody declares it, and has children that are written.
		if b.ReadOnly && b.Read != nil && slices.ContainsFunc(b.Children, func(c *catalog.Bound) bool { return !c.ReadOnly }) {
			out[b.Read.Key()] = "read " + b.Kind
		}
	}
	for _, b := range writable(cat) {
		for does, op := range map[string]*contract.Operation{
			"create": b.Create, "read": b.Read, "list": b.List, "update": b.Update, "delete": b.Delete,
		} {
			if op != nil {
				out[op.Key()] = does + " " + b.Kind
			}
		}
	}
	return out
}
