package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// storeFollows asserts that references and further keys follow their record,
// and come back when a transaction fails.
func storeFollows(t *testing.T, s store.Store) {
	a, b := record("k", "a", "", 1), record("k", "b", "", 2)
	a.Refs, a.Also = []string{"up=1", "up=2"}, []string{"key"}
	b.Refs = []string{"up=1"}
	put(t, s, b, a)
	expect := func(ref, want string) {
		t.Helper()
		var out []string
		if err := s.View(func(tx store.Tx) error {
			tx.Referring("k", ref, func(r *store.Record) bool { out = append(out, r.ID); return true })
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(out, " "); got != want {
			t.Errorf("%s is found at %q, want %q", ref, got, want)
		}
	}
	holder := func(want string) {
		t.Helper()
		if err := s.View(func(tx store.Tx) error {
			if r := tx.Taken("k", "key"); (r == nil) != (want == "") || r != nil && r.ID != want {
				t.Errorf("the key is held by %v, want %q", r, want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	expect("up=1", "a b")
	expect("up=2", "a")
	holder("a")
	moved := record("k", "a", "", 1)
	moved.Refs = []string{"up=3"}
	failed := errors.New("not now")
	if err := s.Update(func(tx store.Tx) error {
		tx.Put(moved)
		tx.Delete("k", "b")
		return failed
	}); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	expect("up=1", "a b")
	holder("a")
	put(t, s, moved)
	expect("up=1", "b")
	expect("up=2", "")
	expect("up=3", "a")
	holder("")
	if err := s.Update(func(tx store.Tx) error {
		tx.Referring("k", "up=1", func(r *store.Record) bool { tx.Delete("k", r.ID); return true })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	expect("up=1", "")
}
