package chaos

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// writer creates, changes and deletes portals of its own, and remembers what it
// was told to have happened.
type writer struct {
	name  string
	n     int
	alive []*resource     // acknowledged
	gone  map[string]bool // acknowledged deletions
	acks  int
}

// write goes on until the server does not answer. Any answer but the right one
// is an error.
func (w *writer) write(c *http.Client, url string) error {
	for {
		w.n++
		var err error
		switch old := w.n % 3; {
		case old == 2 && len(w.alive) > 0:
			err = w.change(c, url, w.alive[w.n%len(w.alive)])
		case w.n%9 == 0 && len(w.alive) > 3:
			err = w.remove(c, url, w.n%len(w.alive))
		default:
			err = w.create(c, url)
		}
		if errors.Is(err, errStatus) {
			return err
		}
		if err != nil {
			return nil //nolint:nilerr // the server was killed: that is what this is about
		}
		w.acks++
	}
}

func (w *writer) create(c *http.Client, url string) error {
	r := &resource{Name: fmt.Sprintf("%s-%d", w.name, w.n), Description: "new"}
	body := map[string]any{"name": r.Name, "description": r.Description}
	if err := call(c, http.StatusCreated, http.MethodPost, url+"/v3/portals", body, r); err != nil {
		return err
	}
	w.alive = append(w.alive, r)
	return nil
}

func (w *writer) change(c *http.Client, url string, r *resource) error {
	next := fmt.Sprintf("change %d", w.n)
	err := call(c, http.StatusOK, http.MethodPatch, url+"/v3/portals/"+r.ID, map[string]any{"description": next}, nil)
	if err == nil {
		r.Description = next
	} else {
		r.Description += "|" + next // one of the two
	}
	return err
}

func (w *writer) remove(c *http.Client, url string, i int) error {
	r := w.alive[i]
	err := call(c, http.StatusNoContent, http.MethodDelete, url+"/v3/portals/"+r.ID, nil, nil)
	w.alive = append(w.alive[:i:i], w.alive[i+1:]...)
	if err == nil {
		w.gone[r.ID] = true
	}
	return err
}

// check holds what the server has against what this writer was told.
func (w *writer) check(t *testing.T, held map[string]resource) {
	t.Helper()
	for _, r := range w.alive {
		got, ok := held[r.ID]
		if !ok {
			t.Errorf("%s (%s) was acknowledged and is lost", r.Name, r.ID)
			continue
		}
		if got.Name != r.Name {
			t.Errorf("%s is called %s", r.Name, got.Name)
		}
		one := false
		for _, d := range strings.Split(r.Description, "|") {
			one = one || d == got.Description
		}
		if !one {
			t.Errorf("%s: an acknowledged change is lost: %q, want %q", r.Name, got.Description, r.Description)
		}
		r.Description = got.Description
	}
	for id := range w.gone {
		if _, ok := held[id]; ok {
			t.Errorf("%s was deleted and is back", id)
		}
	}
}

// Whatever was acknowledged is there after kill -9, again and again, on one data
// folder.
func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	const writers = 16
	home := t.TempDir()
	data := filepath.Join(home, "data")
	crowd := make([]*writer, writers)
	for i := range crowd {
		crowd[i] = &writer{name: fmt.Sprintf("w%d", i), gone: map[string]bool{}}
	}
	end := time.Now().Add(patience(t))
	rounds := 0
	for ; rounds < 2 || time.Now().Before(end); rounds++ {
		p := start(t, home, "--data", data)
		var wg sync.WaitGroup
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: writers}}
		for _, w := range crowd {
			wg.Go(func() {
				if err := w.write(client, p.url); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(100*time.Millisecond + rand.N(400*time.Millisecond)) // any moment will do
		p.kill()
		wg.Wait()
		client.CloseIdleConnections()

		p = start(t, home, "--data", data)
		held := map[string]resource{}
		for _, r := range p.state(t)["portal"] {
			held[r.ID] = r
		}
		for _, w := range crowd {
			w.check(t, held)
		}
		p.kill()
		if t.Failed() {
			break
		}
	}
	acks, alive := 0, 0
	for _, w := range crowd {
		acks, alive = acks+w.acks, alive+len(w.alive)
	}
	t.Logf("%d times killed, %d writes acknowledged, %d portals at the end", rounds, acks, alive)
	if acks < 100 {
		t.Errorf("only %d writes were acknowledged: nothing was tried", acks)
	}
}
