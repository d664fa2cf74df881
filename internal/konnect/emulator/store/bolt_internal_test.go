package store

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"go.etcd.io/bbolt"
)

// Changes that wait for the disk go there together.
func TestBoltGroupsCommits(t *testing.T) {
	opened, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*boltStore)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	last := func() (id int) {
		if err := s.db.View(func(tx *bbolt.Tx) error { id = tx.ID(); return nil }); err != nil {
			t.Fatal(err)
		}
		return id
	}
	before := last()
	busy, err := s.db.Begin(true) // nobody can commit now
	if err != nil {
		t.Fatal(err)
	}
	const writers = 50
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			if err := s.Update(func(tx Tx) error { tx.Put(&Record{Kind: "k", ID: fmt.Sprint(i)}); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	for stored := 0; stored < writers; runtime.Gosched() {
		if err := s.View(func(tx Tx) error {
			stored = 0
			tx.Range("k", "", func(*Record) bool { stored++; return true })
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := busy.Rollback(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if commits := last() - before; commits < 1 || commits > 2 {
		t.Errorf("%d writers took %d commits", writers, commits)
	}
}
