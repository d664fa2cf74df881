package testkit

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"
)

// Counted is what was read. It counts how often somebody asks for it, and the objects
// that are looked at.
type Counted struct {
	resource.State
	Asked, Seen int
}

// Object asks for the object of a resource.
func (c *Counted) Object(r *resource.Resource) *resource.Object {
	c.Asked++
	return c.State.Object(r)
}

// Ancestors asks for what a resource lies below.
func (c *Counted) Ancestors(r *resource.Resource) ([]string, bool) {
	c.Asked++
	return c.State.Ancestors(r)
}

// Failed asks whether a read failed.
func (c *Counted) Failed(r *resource.Resource) error {
	c.Asked++
	return c.State.Failed(r)
}

// Missing asks whether a resource is missing.
func (c *Counted) Missing(r *resource.Resource) bool {
	c.Asked++
	return c.State.Missing(r)
}

// Absent asks whether a resource is absent.
func (c *Counted) Absent(r *resource.Resource) bool {
	c.Asked++
	return c.State.Absent(r)
}

// Objects counts the objects of a type.
func (c *Counted) Objects(t *resource.Type) []resource.Part {
	out := c.State.Objects(t)
	c.Asked, c.Seen = c.Asked+1, c.Seen+len(out)
	return out
}

// Undeclared counts what is live and not declared.
func (c *Counted) Undeclared(t *resource.Type, ancestors []string) ([]*resource.Object, bool) {
	out, read := c.State.Undeclared(t, ancestors)
	c.Asked, c.Seen = c.Asked+1, c.Seen+len(out)
	return out, read
}

// Below counts what lies below an object.
func (c *Counted) Below(t *resource.Type, ancestors []string, id string) []resource.Part {
	out := c.State.Below(t, ancestors, id)
	c.Asked, c.Seen = c.Asked+1, c.Seen+len(out)
	return out
}

// Unread asks whether a list was not read.
func (c *Counted) Unread(t *resource.Type, ancestors []string, id string) bool {
	c.Asked++
	return c.State.Unread(t, ancestors, id)
}

// Linear fails unless work grows by no more at each step, each of which adds as much as
// the one before: three of them tell linear from quadratic, however much there is to do
// besides.
func Linear(t testing.TB, what string, work []int) {
	t.Helper()
	var grows []int
	for i := range len(work) - 1 {
		grows = append(grows, work[i+1]-work[i])
	}
	if !slices.IsSortedFunc(grows, func(a, b int) int { return b - a }) {
		t.Errorf("%s: %v grows by %v", what, work, grows)
	}
}
