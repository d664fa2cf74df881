package catalog_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

var update = flag.Bool("update", false, "write the golden files anew")

// load binds all types. New refuses a type whose path or fields the contract
// does not have, so loading is the first check.
func load(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// What the contract says of each type, for people to read when it changes.
func TestDerivedFacts(t *testing.T) {
	var b strings.Builder
	for _, bound := range load(t).All() {
		describe(&b, bound)
	}
	const path = "testdata/catalog.golden"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func describe(w *strings.Builder, b *catalog.Bound) {
	line := func(name, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			fmt.Fprintf(w, "  %-10s %s\n", name, text)
		}
	}
	fmt.Fprintln(w, b.Kind)
	line("root key", "%s", strings.Join(append([]string{b.Root()}, b.Aliases...), ", "))
	if b.Parent != nil {
		line("below", "%s as %s; named by %s", b.Parent.Kind, b.Key, strings.Join(b.ParentKeys(), ", "))
	}
	for _, op := range operations(b) {
		if op.op != nil {
			line(op.verb, "%s", op.op.Key())
		}
	}
	if b.ReadOnly {
		line("external", "read only")
		return
	}
	line("identity", "%s", strings.Join(b.Identity, ", "))
	switch {
	case !b.HasLabels():
	case b.LabelsMerge():
		line("labels", "key by key")
	default:
		line("labels", "all at once")
	}
	line("replaces", "%s", strings.Join(fields(b, func(at []string, _ *contract.Schema) bool { return b.Immutable(at) }), ", "))
	line("secret", "%s", strings.Join(fields(b, func(_ []string, s *contract.Schema) bool { return s.Secret }), ", "))
	line("is", "%s", strings.Join(traits(b), ", "))
}

type bound struct {
	verb string
	op   *contract.Operation
}

func operations(b *catalog.Bound) []bound {
	return []bound{{"create", b.Create}, {"read", b.Read}, {"list", b.List}, {"update", b.Update}, {"delete", b.Delete}}
}

func traits(b *catalog.Bound) []string {
	var out []string
	for _, x := range []struct {
		is   bool
		word string
	}{
		{b.Puts(), "replaced whole by an update"},
		{b.ListLacksFields(), "not whole in lists"},
		{!b.Optional(), "always there"},
		{b.Listed, "a list of at most one"},
		{b.KeyedPrune, "pruned where its key is present"},
		{b.Tree != nil, "a tree"},
	} {
		if x.is {
			out = append(out, x.word)
		}
	}
	return out
}

// fields lists the writable fields that a test picks, those below left out.
func fields(b *catalog.Bound, pick func(at []string, s *contract.Schema) bool) []string {
	var out []string
	var walk func(s *contract.Schema, at []string)
	walk = func(s *contract.Schema, at []string) {
		o := s.Object(nil)
		for _, n := range o.Names() {
			f := o.Field(n).Schema
			here := append(at[:len(at):len(at)], n)
			switch {
			case f.ReadOnly || b.IsIdentity(here):
			case pick(here, f):
				out = append(out, strings.Join(here, "."))
			case len(here) < 4:
				walk(f, here)
			}
		}
	}
	walk(b.Write(), nil)
	return out
}

func TestReferencesLeadToTypes(t *testing.T) {
	cat := load(t)
	n := 0
	for _, b := range cat.All() {
		for _, r := range b.References {
			n++
			if r.Kind != "" && cat.Kind(r.Kind) == nil {
				t.Errorf("%s.%s refers to the unknown kind %s", b.Kind, r.Field, r.Kind)
			}
			if got, ok := b.Reference(strings.Split(r.Field, ".")); !ok || got != r {
				t.Errorf("%s.%s is not found by its own path", b.Kind, r.Field)
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d references: the test shows little", n)
	}
}

// A key means one thing in one place.
func TestKeysAreUnique(t *testing.T) {
	for _, b := range load(t).All() {
		taken := map[string]string{"ref": "the ref", "kongctl": "the block of ours"}
		if b.Tree != nil {
			taken[b.Tree.Children] = "nested ones"
		}
		for _, c := range b.Children {
			if other := taken[c.Key]; other != "" {
				t.Errorf("%s: the key %s is that of %s and of %s", b.Kind, c.Key, other, c.Kind)
			}
			taken[c.Key] = c.Kind
			if b.Child(c.Key) != c {
				t.Errorf("%s: the key %s does not lead to %s", b.Kind, c.Key, c.Kind)
			}
		}
		if b.ReadOnly {
			continue
		}
		o := b.Write().Object(nil)
		for _, n := range o.Names() {
			if other := taken[n]; other != "" {
				t.Errorf("%s: the field %s has the key of %s", b.Kind, n, other)
			}
		}
		for _, key := range b.ParentKeys() {
			if f := o.Field(key); f != nil && !f.Schema.ReadOnly {
				t.Errorf("%s: the field %s has the name of the parent", b.Kind, key)
			}
		}
	}
}

func TestRootKeysLeadToTheirTypes(t *testing.T) {
	cat := load(t)
	for _, b := range cat.All() {
		for _, key := range append([]string{b.Root()}, b.Aliases...) {
			if cat.RootKey(key) != b {
				t.Errorf("the root key %s does not lead to %s", key, b.Kind)
			}
		}
		if cat.Kind(b.Kind) != b {
			t.Errorf("the kind %s does not lead to itself", b.Kind)
		}
	}
	if cat.RootKey("nothing") != nil || cat.Kind("nothing") != nil {
		t.Error("something was found for nothing")
	}
}

// A type is data. Where too many of those that are written here need code, the
// vocabulary lacks a word.
func TestFewTypesHaveHooks(t *testing.T) {
	managed := 0
	var with []string
	for _, x := range catalog.Types() {
		if x.ReadOnly {
			continue
		}
		managed++
		if hooked(x) {
			with = append(with, x.Kind)
		}
	}
	if 3*len(with) > managed {
		t.Errorf("%d of %d types have hooks, more than a third: %s", len(with), managed, strings.Join(with, ", "))
	}
}

// hooked reports whether a type has code of its own.
func hooked(x *catalog.Type) bool {
	return x.Normalize != nil || x.Helm != nil || len(x.Evidence) > 0 || slices.ContainsFunc(x.Keeps, func(k catalog.Kept) bool { return k.From != nil })
}

// The document says for some operations which entity they create, read, update
// or delete: a second opinion on what is bound to a type.
func TestEntityOperationsAgree(t *testing.T) {
	cat := load(t)
	marked := map[string]map[string][]*contract.Operation{} // entity, verb
	for _, op := range cat.Contract.Operations() {
		entity, verbs, ok := strings.Cut(op.Entity, "#")
		if !ok {
			continue
		}
		if marked[entity] == nil {
			marked[entity] = map[string][]*contract.Operation{}
		}
		for _, verb := range strings.Split(verbs, ",") {
			marked[entity][verb] = append(marked[entity][verb], op)
		}
	}
	agreed := 0
	for _, b := range cat.All() {
		entity := entityOf(t, b)
		for _, x := range operations(b) {
			if x.verb == "create" && x.op == nil {
				x.op = b.Update // what is always there is created by changing it
			}
			said := marked[entity][x.verb] // several where a PUT creates, too
			if len(said) > 0 && !slices.ContainsFunc(said, func(want *contract.Operation) bool { return sameCall(x.op, want) }) {
				t.Errorf("%s: %s is %v, and the document says %s", b.Kind, x.verb, x.op, said[0].Key())
			}
			agreed += len(said)
		}
	}
	if agreed < 50 {
		t.Errorf("only %d operations were compared", agreed)
	}
}

// entityOf is the one entity that a type's operations belong to.
func entityOf(t *testing.T, b *catalog.Bound) string {
	t.Helper()
	name := ""
	for _, x := range operations(b) {
		if x.op == nil || x.verb == "list" {
			continue
		}
		entity, _, ok := strings.Cut(x.op.Entity, "#")
		if ok && name != "" && entity != name {
			t.Errorf("%s: operations of %s and of %s", b.Kind, name, entity)
		}
		if ok {
			name = entity
		}
	}
	return name
}

// sameCall allows a PATCH where the document marks the PUT beside it.
func sameCall(bound, marked *contract.Operation) bool {
	return bound != nil && bound.Path == marked.Path &&
		(bound.Method == marked.Method || bound.Method == "PATCH" && marked.Method == "PUT")
}

// A word means one thing: what a bound type adds has names of its own.
func TestBoundShadowsNothing(t *testing.T) {
	own, bound := reflect.TypeFor[catalog.Type](), reflect.TypeFor[catalog.Bound]()
	for i := range bound.NumField() {
		f := bound.Field(i)
		if f.Anonymous {
			continue
		}
		if _, taken := own.FieldByName(f.Name); taken {
			t.Errorf("Bound.%s hides the field of Type", f.Name)
		}
		if _, taken := reflect.PointerTo(own).MethodByName(f.Name); taken {
			t.Errorf("Bound.%s hides the method of Type", f.Name)
		}
	}
	for i := range reflect.PointerTo(bound).NumMethod() {
		name := reflect.PointerTo(bound).Method(i).Name
		if _, taken := own.FieldByName(name); taken {
			t.Errorf("Bound.%s hides the field of Type", name)
		}
	}
}
