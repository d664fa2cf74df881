package execute_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/source"
)

// TestJournalOfMany asserts that results which end at the same time are all kept,
// each in a line of its own.
func TestJournalOfMany(t *testing.T) {
	const many = 200
	j, err := execute.NewJournal(t.TempDir(), []byte("{}"), source.Folders{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			id := fmt.Sprintf("change-%d", i)
			if err := j.Begin(&execute.Attempt{ChangeID: id}); err != nil {
				t.Error(err)
			}
			if err := j.Record(&execute.Result{ChangeID: id, Status: execute.Succeeded}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := j.Close(false); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(j.Name())
	if err != nil {
		t.Fatal(err)
	}
	for i := range many {
		if n := strings.Count(string(raw), fmt.Sprintf(`{"result":{"change_id":"change-%d",`, i)); n != 1 {
			t.Errorf("the result of change-%d is there %d times", i, n)
		}
	}
	if n := strings.Count(string(raw), "\n"); n != 1+2*many {
		t.Errorf("%d lines, want %d", n, 1+2*many)
	}
}

// TestJournalThatFails asserts that a result is not acknowledged when it could
// not be kept.
func TestJournalThatFails(t *testing.T) {
	j, err := execute.NewJournal(t.TempDir(), []byte("{}"), source.Folders{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := j.Record(&execute.Result{ChangeID: "late"}); err == nil {
		t.Error("a result is taken by a journal that is closed")
	}
}
