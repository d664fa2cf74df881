package store_test

import (
	"errors"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// What is changed as a whole is kept as a whole: not where it fails, and not where
// the process ends before.
func TestWhole(t *testing.T) {
	put := func(s store.Store, id string) error {
		return s.Update(func(tx store.Tx) error { tx.Put(&store.Record{Kind: "k", ID: id}); return nil })
	}
	kept := func(t *testing.T, dir string) (out []string) {
		t.Helper()
		s, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		if err := s.View(func(tx store.Tx) error {
			tx.Range("k", "", func(r *store.Record) bool { out = append(out, r.ID); return true })
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	failure := errors.New("no")
	for _, row := range []struct {
		name string
		err  error
		end  bool // before it is done
		want int
	}{{"done", nil, false, 3}, {"failed", failure, false, 1}, {"ended before", store.ErrClosed, true, 1}} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := put(s, "before"); err != nil {
				t.Fatal(err)
			}
			err = store.Whole(s, func() error {
				if err := errors.Join(put(s, "one"), put(s, "two")); err != nil {
					return err
				}
				if row.end {
					return s.Close()
				}
				return row.err
			})
			if !errors.Is(err, row.err) {
				t.Errorf("got %v", err)
			}
			if row.err != nil {
				if err := put(s, "later"); err == nil {
					t.Error("a store that gave changes up takes more")
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := kept(t, dir); len(got) != row.want {
				t.Errorf("kept %v, want %d", got, row.want)
			}
		})
	}
}
