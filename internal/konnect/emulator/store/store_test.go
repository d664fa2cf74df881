package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// What every store must do.
func TestStores(t *testing.T) {
	for _, row := range []struct {
		name string
		open func(*testing.T) store.Store
	}{
		{"memory", func(*testing.T) store.Store { return store.NewMemory() }},
		{"bolt", func(t *testing.T) store.Store { return openBolt(t, t.TempDir()) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Run("finds what was put", func(t *testing.T) { storeFinds(t, row.open(t)) })
			t.Run("finds by references and further keys", func(t *testing.T) { storeFollows(t, row.open(t)) })
			t.Run("ranges from oldest to newest", func(t *testing.T) { storeRanges(t, row.open(t)) })
			t.Run("takes back what failed", func(t *testing.T) { storeTakesBack(t, row.open(t)) })
			t.Run("takes back what panicked", func(t *testing.T) { storeSurvivesPanic(t, row.open(t)) })
			t.Run("lets a writer change what it ranges over", func(t *testing.T) { storeRangesWhileWriting(t, row.open(t)) })
			t.Run("serves many at once", func(t *testing.T) { storeServesMany(t, row.open(t)) })
			t.Run("refuses after it was closed", func(t *testing.T) { storeCloses(t, row.open(t)) })
		})
	}
}

func openBolt(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func record(kind, id, parent string, second int) *store.Record {
	at := time.Unix(int64(second), 0).UTC()
	return &store.Record{
		Kind: kind, ID: id, Parent: parent, Unique: parent + id, Created: at, Updated: at,
		Fields: map[string]any{"n": json.Number("12345678901234567890"), "list": []any{"a", nil, true}}, Made: map[string]any{"x": "y"},
	}
}

func put(t *testing.T, s store.Store, recs ...*store.Record) {
	t.Helper()
	if err := s.Update(func(tx store.Tx) error {
		for _, r := range recs {
			tx.Put(r)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func ids(t *testing.T, s store.Store, kind, parent string) string {
	t.Helper()
	var out []string
	if err := s.View(func(tx store.Tx) error {
		tx.Range(kind, parent, func(r *store.Record) bool { out = append(out, r.ID); return true })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func storeFinds(t *testing.T, s store.Store) {
	put(t, s, record("k", "a", "", 1), record("k", "b", "", 2), record("other", "a", "", 3))
	renamed := record("k", "a", "", 1)
	renamed.Unique = "new"
	put(t, s, renamed)
	err := s.View(func(tx store.Tx) error {
		if r := tx.Get("k", "a"); r == nil || r.Unique != "new" {
			t.Errorf("a is %v", r)
		}
		if r := tx.Get("k", "c"); r != nil {
			t.Errorf("c is %v", r)
		}
		if tx.Taken("k", "new") == nil || tx.Taken("k", "a") != nil || tx.Taken("none", "a") != nil {
			t.Error("unique keys do not follow their record")
		}
		if diff := cmp.Diff([]string{"k", "other"}, tx.Kinds()); diff != "" {
			t.Errorf("kinds: %s", diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func storeRanges(t *testing.T, s store.Store) {
	put(t, s, record("k", "c", "p", 3), record("k", "b", "q", 1), record("k", "a", "p", 3), record("k", "d", "p", 2))
	for _, row := range []struct{ parent, want string }{{"", "b d a c"}, {"p", "d a c"}, {"q", "b"}, {"r", ""}} {
		if got := ids(t, s, "k", row.parent); got != row.want {
			t.Errorf("below %q: %q, want %q", row.parent, got, row.want)
		}
	}
	n := 0
	if err := s.View(func(tx store.Tx) error {
		tx.Range("k", "", func(*store.Record) bool { n++; return n < 2 })
		return nil
	}); err != nil || n != 2 {
		t.Errorf("stopped after %d: %v", n, err)
	}
}

func storeTakesBack(t *testing.T, s store.Store) {
	put(t, s, record("k", "a", "p", 1), record("k", "b", "p", 2))
	boom := errors.New("boom")
	err := s.Update(func(tx store.Tx) error {
		changed := record("k", "a", "q", 9)
		changed.Unique = "changed"
		tx.Put(changed)
		tx.Delete("k", "b")
		tx.Delete("k", "none")
		tx.Put(record("k", "c", "p", 3))
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	if got := ids(t, s, "k", "p"); got != "a b" {
		t.Errorf("left %q", got)
	}
	if err := s.View(func(tx store.Tx) error {
		if tx.Taken("k", "changed") != nil || tx.Taken("k", "pa") == nil || tx.Taken("k", "pb") == nil || tx.Taken("k", "pc") != nil {
			t.Error("unique keys were not taken back")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func storeSurvivesPanic(t *testing.T, s store.Store) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.Update(func(tx store.Tx) error { tx.Put(record("k", "a", "", 1)); panic("boom") })
	}()
	if got := ids(t, s, "k", ""); got != "" {
		t.Errorf("left %q", got)
	}
	put(t, s, record("k", "b", "", 1))
}

func storeRangesWhileWriting(t *testing.T, s store.Store) {
	put(t, s, record("k", "a", "p", 1), record("k", "b", "p", 2), record("k", "c", "p", 3))
	if err := s.Update(func(tx store.Tx) error {
		tx.Range("k", "p", func(r *store.Record) bool { tx.Delete("k", r.ID); return true })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, s, "k", ""); got != "" {
		t.Errorf("left %q", got)
	}
}

func storeServesMany(t *testing.T, s store.Store) {
	const workers, each = 8, 20
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				if err := s.Update(func(tx store.Tx) error {
					n := &store.Record{Kind: "count", ID: "n", Fields: map[string]any{"n": 0}}
					if old := tx.Get("count", "n"); old != nil {
						n.Fields["n"] = old.Fields["n"].(int) + 1
					}
					tx.Put(n)
					tx.Put(record("k", fmt.Sprintf("%d-%d", w, i), "p", i))
					return nil
				}); err != nil {
					t.Error(err)
				}
				_ = s.View(func(tx store.Tx) error { tx.Get("count", "n"); return nil })
			}
		})
	}
	wg.Wait()
	if got := len(strings.Fields(ids(t, s, "k", "p"))); got != workers*each {
		t.Errorf("%d records, want %d", got, workers*each)
	}
	if err := s.View(func(tx store.Tx) error {
		if got := tx.Get("count", "n").Fields["n"]; got != workers*each-1 {
			t.Errorf("counted %v, want %d: an update was lost", got, workers*each-1)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func storeCloses(t *testing.T, s store.Store) {
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	nothing := func(store.Tx) error { return nil }
	if err := s.View(nothing); !errors.Is(err, store.ErrClosed) {
		t.Errorf("view: %v", err)
	}
	if err := s.Update(nothing); !errors.Is(err, store.ErrClosed) {
		t.Errorf("update: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second close: %v", err)
	}
}

func TestBoltKeepsStateAcrossReopening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, b := record("k", "a", "p", 1), record("k", "b", "p", 2)
	put(t, s, a, b)
	if err := s.Update(func(tx store.Tx) error { tx.Delete("k", "b"); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, "konnect.db"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", filepath.Base(path), info.Mode(), want)
		}
	}
	s = openBolt(t, dir)
	if err := s.View(func(tx store.Tx) error {
		if diff := cmp.Diff(a, tx.Get("k", "a")); diff != "" {
			t.Errorf("a (-want +got):\n%s", diff)
		}
		if tx.Get("k", "b") != nil || tx.Taken("k", "pa") == nil {
			t.Error("the indexes differ")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestBoltFolderThatIsInUse(t *testing.T) {
	dir := t.TempDir()
	openBolt(t, dir)
	start := time.Now()
	_, err := store.Open(dir)
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %v to tell", took)
	}
}

func TestBoltTellsDamageAndLeavesTheFile(t *testing.T) {
	whole := func() []byte {
		dir := t.TempDir()
		s, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			put(t, s, record("k", fmt.Sprintf("id-%d", i), "parent", i))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "konnect.db"))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}()
	flipped := func() []byte {
		out := append([]byte(nil), whole...)
		for i := 2 * os.Getpagesize(); i < len(out)-4; i++ {
			if string(out[i:i+4]) == "1234" {
				copy(out[i:], "4321")
			}
		}
		return out
	}
	for _, row := range []struct {
		name string
		raw  []byte
		tell string
	}{
		{"another kind of file", []byte(strings.Repeat("this is not a database\n", 1000)), "invalid database"},
		{"a short file", []byte("x"), "invalid database"},
		{"a file that was cut off", whole[:2*os.Getpagesize()], "damaged"},
		{"a file that was cut off in the middle", whole[:len(whole)/2/os.Getpagesize()*os.Getpagesize()], "missing at its end"},
		{"a record with other bytes", flipped(), "checksum is wrong"},
		{"pages of zeros", append(append([]byte(nil), whole[:2*os.Getpagesize()]...), make([]byte, len(whole)-2*os.Getpagesize())...), "damaged"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "konnect.db")
			if err := os.WriteFile(path, row.raw, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the first must let the folder go
				s, err := store.Open(dir)
				if err == nil {
					_ = s.Close()
				}
				if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), row.tell) {
					t.Errorf("error %v", err)
				}
			}
			after, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(after) != string(row.raw) {
				t.Error("the file was changed")
			}
		})
	}
}
