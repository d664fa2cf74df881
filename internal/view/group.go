package view

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
)

// node is a change and those of the resources below its resource.
type node struct {
	change   *plan.Change
	children []*node
}

// group is what changes in a root resource and below it, in the order of reading.
type group struct {
	nodes []*node
	// root names the root where it is not changed itself and stands above its
	// children all the same.
	root      *plan.ParentRef
	namespace string // of the root that is shown
}

// grouped puts the changes of a plan in the order of reading: those of a root
// resource together, each below the one of its parent. The second half of a
// replacement is not listed.
func grouped(p *plan.Plan, replaced map[string]*plan.Change) []*group {
	var list []*plan.Change
	for _, c := range ordered(p) {
		if c.Action != plan.Delete || replaced[c.ID] == nil {
			list = append(list, c)
		}
	}
	t := newTree(list, replaced)
	by := map[string]*group{}
	var groups []*group
	for i, c := range list {
		key := t.root(c)
		if by[key] == nil {
			by[key] = &group{}
			groups = append(groups, by[key])
		}
		if above := t.above(c); above != nil && !t.circular(c) {
			above.children = append(above.children, t.list[i])
			continue
		}
		by[key].add(t.list[i])
	}
	for key, g := range by {
		g.head(key)
	}
	return groups
}

// add puts a node into a group: the root before all else, and of two changes of a
// root the one that comes first before the other.
func (g *group) add(n *node) {
	at := len(g.nodes)
	if n.change.Parent == nil {
		if i := slices.IndexFunc(g.nodes, func(x *node) bool { return x.change.Parent != nil }); i >= 0 {
			at = i
		}
	}
	g.nodes = slices.Insert(g.nodes, at, n)
}

// head finds what stands above the nodes of a group.
func (g *group) head(key string) {
	first := g.nodes[0].change
	if first.Parent == nil {
		g.namespace = first.Space()
		return
	}
	if len(g.nodes) == 1 {
		return // it says itself whose it is
	}
	for _, n := range g.nodes {
		if p := n.change.Parent; p != nil && p.ID == key && !n.change.External() && n.change.Action != plan.ExternalTool {
			g.root, g.namespace = &plan.ParentRef{Ref: p.Ref, Type: p.Type, ID: p.ID, Lookup: p.Lookup}, n.change.Space()
			return
		}
	}
}

// tree finds changes by the resources they are about.
type tree struct {
	list     []*node          // in the order of the changes; two may have one id in a plan from elsewhere
	nodes    map[string]*node // by the id of the change
	byID     map[string]*node // by the id of the resource
	replaced map[string]*plan.Change
}

func newTree(list []*plan.Change, replaced map[string]*plan.Change) *tree {
	t := &tree{nodes: map[string]*node{}, byID: map[string]*node{}, replaced: replaced}
	for _, c := range list {
		n := &node{change: c}
		t.list = append(t.list, n)
		t.nodes[c.ID] = n
		if other := replaced[c.ID]; other != nil {
			t.nodes[other.ID] = n
		}
		if id := t.resourceID(c); id != "" && c.Action != plan.ExternalTool {
			t.byID[id] = n
		}
	}
	return t
}

// resourceID is the id of the resource that exists, "" of one that does not.
func (t *tree) resourceID(c *plan.Change) string {
	if other := t.replaced[c.ID]; other != nil {
		c = other
	}
	if c.Action == plan.Create {
		return ""
	}
	return c.ResourceID
}

// above is the node of a change's parent, nil where that is not changed.
func (t *tree) above(c *plan.Change) *node {
	p := c.Parent
	switch {
	case p == nil:
		return nil
	case p.Change != "":
		return t.nodes[p.Change]
	case p.ID != "" && t.byID[p.ID] != nil && t.byID[p.ID].change.ResourceType == p.Type:
		return t.byID[p.ID]
	default:
		return nil
	}
}

// circular reports whether the parents of a change lead to no root, as they may
// in a plan from elsewhere.
func (t *tree) circular(c *plan.Change) bool { return t.top(c) == nil }

// top is the uppermost change above a change, or nil.
func (t *tree) top(c *plan.Change) *plan.Change {
	for range len(t.nodes) + 1 {
		above := t.above(c)
		if above == nil {
			return c
		}
		c = above.change
	}
	return nil
}

// root is what all changes of a root resource have in common.
func (t *tree) root(c *plan.Change) string {
	if t.circular(c) {
		return "change " + c.ID
	}
	c = t.top(c)
	switch p := c.Parent; {
	case p == nil && t.resourceID(c) != "":
		return t.resourceID(c)
	case p == nil:
		return "change " + c.ID
	case len(p.Ancestors) > 0:
		return p.Ancestors[0]
	case p.ID != "":
		return p.ID
	default:
		return p.Type + " " + p.Ref
	}
}

// groups shows all changes of a plan.
func (v *planView) groups(replaced map[string]*plan.Change) {
	for _, g := range grouped(v.plan, replaced) {
		if g.root != nil {
			v.line("")
			where := ""
			if g.namespace != "" {
				where = " (namespace " + printable(g.namespace) + ")"
			}
			v.line("    " + v.style.paint(bold, v.parentName(g.root)) + where)
		}
		for _, n := range g.nodes {
			v.node(n, g.first(n), replaced)
		}
	}
}

// place is where a change is shown.
type place struct {
	depth     int
	parent    *plan.ParentRef // that stands right above
	namespace string          // that stands above
}

func (p place) indent() string { return strings.Repeat("  ", p.depth) }

// shows reports whether the parent of a change stands above it.
func (p place) shows(c *plan.Change) bool {
	if p.parent == nil || c.Parent == nil {
		return false
	}
	if c.Parent.Change != "" {
		return c.Parent.Change == p.parent.Change
	}
	return c.Parent.ID == p.parent.ID && c.Parent.Type == p.parent.Type
}

func (v *planView) node(n *node, at place, replaced map[string]*plan.Change) {
	c := n.change
	v.change(c, at, replaced)
	for _, child := range n.children {
		v.node(child, at.below(c), replaced)
	}
}

// below is where the children of a change are shown that is shown here.
func (p place) below(c *plan.Change) place {
	out := place{depth: p.depth + 1, namespace: p.namespace, parent: &plan.ParentRef{Type: c.ResourceType, ID: c.ResourceID, Change: c.ID}}
	if out.namespace == "" {
		out.namespace = c.Space()
	}
	return out
}

// first is where the first change of a branch of a group is shown.
func (g *group) first(n *node) place {
	if n.change.Parent != nil && (g.root != nil || g.nodes[0].change.Parent == nil) {
		return place{depth: 1, parent: g.root, namespace: g.namespace}
	}
	return place{}
}

// parentName names a parent by its ref, or by its id.
func (v *planView) parentName(p *plan.ParentRef) string {
	ref := p.Ref
	if ref == "" {
		ref = strings.TrimPrefix(v.refs[p.ID], p.Type+":") // written so where a ref is not unique
	}
	if ref == "" {
		return printable(p.Type) + " " + printable(p.ID)
	}
	return resource(p.Type, model.ShownRef(ref, p.Lookup.Text()))
}
