package laws

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Types are tried at once. Each has worlds and numbers of its own, so that what
// a law tries of one type never depends on another or on the order.

// eachType runs a law in a world of its own for every type.
func eachType(t *testing.T, law func(t *testing.T, s *scene)) {
	t.Helper()
	eachKind(t, func(t *testing.T, typ *catalog.Bound) { law(t, newScene(newWorld(t), typ)) })
}

// eachKind runs a law for every type that can be written.
func eachKind(t *testing.T, law func(t *testing.T, typ *catalog.Bound)) {
	t.Helper()
	t.Parallel()
	for _, typ := range writable(testkit.Catalog(t)) {
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			law(t, typ)
		})
	}
}

// afterAll judges what a law has tried after its last type has ended; not where
// only some of the types were to be tried.
func afterAll(t *testing.T, judge func()) {
	t.Helper()
	t.Cleanup(func() {
		if !strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
			judge()
		}
	})
}

// tally counts by name what types that are tried at once have tried. The zero
// tally is ready for use.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name] += n
}

func (c *tally) of(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[name]
}

// String lists all counts by name.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.n)) {
		out = append(out, fmt.Sprintf("%s: %d", name, c.n[name]))
	}
	return strings.Join(out, ", ")
}

// sum is the total of all counts, and how many names there are.
func (c *tally) sum() (all, names int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.n {
		all += n
	}
	return all, len(c.n)
}
