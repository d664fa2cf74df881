package source

import (
	"fmt"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// mode says where a node stands: which tags it may have, and what claims say
// about it. The zero mode is that of a plain value.
type mode struct {
	tags tagRule
	at   *step // nil where claims say nothing
}

type tagRule uint8

const (
	anyTag tagRule = iota
	filesUnread
	envAlone
	noTag
)

// below is the mode of what stands under a key of a mapping.
func (c *converter) below(m mode, key string) mode {
	if m.tags != anyTag {
		return m
	}
	at := m.at
	if at == nil {
		at = c.steps
	}
	next := at.below(key)
	if next != nil && next.unread {
		return mode{tags: filesUnread}
	}
	return mode{at: next}
}

// converter turns the nodes of one file into values.
type converter struct {
	file  *file
	read  *reader
	diags *diag.List

	nodes   int
	most    int // how many there may be
	depth   int
	older   bool                // scalars follow YAML 1.1
	stopped bool                // a limit was reached, and has been reported
	lost    bool                // a part was left out that nothing stands in for
	aliased bool                // an alias was written out
	active  map[*yaml.Node]bool // anchors that are being converted
	done    map[*yaml.Node]converted

	steps *step // what claims say about the document
	named map[value.Pos]Named
	// contents are the files that values are the content of.
	contents map[value.Pos]string
	// credentials are the prefixes of variables that claims keep to themselves.
	credentials []string
}

// converted is the value of an anchor and how many nodes an alias of it adds.
type converted struct {
	v    value.Value
	size int
}

func newConverter(f *file, r *reader, diags *diag.List) *converter {
	return &converter{file: f, read: r, diags: diags, most: maxNodes, active: map[*yaml.Node]bool{}, done: map[*yaml.Node]converted{}, named: map[value.Pos]Named{}, contents: map[value.Pos]string{}}
}

func (c *converter) pos(n *yaml.Node) value.Pos {
	return value.Pos{File: c.file.posName(), Line: n.Line, Column: n.Column}
}

// refuse reports a problem and returns the stand-in for the value.
func (c *converter) refuse(code diag.Code, n *yaml.Node, detail, fix string) value.Value {
	c.diags.Add(code, c.pos(n), detail, fix)
	return c.unread(n)
}

// unread stands in for a value whose problem has been reported.
func (c *converter) unread(n *yaml.Node) value.Value {
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpNone})
}

// count adds nodes to the size of the document; false means that it is over.
func (c *converter) count(n *yaml.Node, nodes int) bool {
	c.nodes += nodes
	if c.stopped {
		return false
	}
	switch {
	case c.nodes > c.most:
		detail, fix := fmt.Sprintf("The file has more than %d values.", c.most), "split the file."
		if c.aliased {
			detail, fix = fmt.Sprintf("With its aliases written out the file has more than %d values.", c.most), "split the file, or use fewer aliases."
		}
		c.refuse(diag.SrcTooManyNodes, n, detail, fix)
	case c.depth > maxDepth:
		c.refuse(diag.SrcTooManyNodes, n, fmt.Sprintf("Values are nested more than %d levels deep.", maxDepth), "nest less deeply.")
	default:
		return true
	}
	c.stopped = true
	return false
}

func (c *converter) value(n *yaml.Node, m mode) value.Value {
	if n.Kind == yaml.AliasNode {
		return c.alias(n, m)
	}
	c.depth++
	defer func() { c.depth-- }()
	if !c.count(n, 1) {
		return c.unread(n)
	}
	if n.Anchor == "" {
		return c.node(n, m)
	}
	c.active[n] = true
	before := c.nodes
	v := c.node(n, m)
	delete(c.active, n)
	if m == (mode{}) {
		c.done[n] = converted{v, c.nodes - before + 1}
	}
	return v
}

func (c *converter) alias(n *yaml.Node, m mode) value.Value {
	target := n.Alias
	c.aliased = true
	if c.active[target] {
		return c.refuse(diag.SrcBadScalar, n, fmt.Sprintf("The alias *%s stands inside the value of &%s, so the value would hold itself.", n.Value, n.Value), "write the value out instead of the alias.")
	}
	known, ok := c.done[target]
	if !ok || m != (mode{}) {
		return c.used(n, c.value(target, m))
	}
	if !c.count(n, known.size) {
		return c.unread(n)
	}
	return c.used(n, known.v)
}

// used gives a mapping the place of the alias that stands for it: there it is
// one of several. What is in it stays where it was written.
func (c *converter) used(n *yaml.Node, v value.Value) value.Value {
	if v.Kind() == value.Map {
		return v.At(c.pos(n))
	}
	return v
}

func (c *converter) node(n *yaml.Node, m mode) value.Value {
	switch {
	case isCustom(n):
		return c.tagged(n, m)
	case n.Kind == yaml.SequenceNode:
		items := make([]value.Value, 0, len(n.Content))
		for _, item := range n.Content {
			if c.stopped {
				break
			}
			items = append(items, c.value(item, m))
		}
		return value.ListAt(c.pos(n), items)
	case n.Kind == yaml.MappingNode:
		return value.MapAt(c.pos(n), c.entries(n, m)...)
	case m.at != nil && m.at.file != "" && n.Kind == yaml.ScalarNode && !isNull(n):
		return c.namedFile(n, m.at)
	default:
		v, problem := scalar(c.pos(n), n)
		if c.older {
			v = older(v, n)
		}
		if problem != "" {
			return c.refuse(diag.SrcBadScalar, n, problem, numberFix)
		}
		return v
	}
}

// entries returns the keys of a mapping as written, then those merged in with
// <<. A key of the mapping itself wins over a merged one, an earlier merged one
// over a later one.
func (c *converter) entries(n *yaml.Node, m mode) []value.Entry {
	var entries []value.Entry
	var merge *yaml.Node
	seen := map[string]int{} // the line of the key
	for i := 0; i+1 < len(n.Content) && !c.stopped; i += 2 {
		key, ok := c.key(n.Content[i])
		if !ok {
			c.lost = true
			continue
		}
		if first, twice := seen[key]; twice {
			c.refuse(diag.SrcDuplicateKey, n.Content[i], fmt.Sprintf("The key %q stands on line %d already.", key, first), "keep one of the two.")
			c.unclear(entries, key, n.Content[i+1])
			continue
		}
		seen[key] = n.Content[i].Line
		if isMerge(n.Content[i]) {
			merge = n.Content[i+1]
			continue
		}
		entries = append(entries, value.Entry{Key: key, KeyPos: c.pos(n.Content[i]), Value: c.value(n.Content[i+1], c.below(m, key))})
	}
	if merge == nil {
		return entries
	}
	for _, e := range c.merged(merge, m) {
		if _, given := seen[e.Key]; !given {
			seen[e.Key] = e.KeyPos.Line
			entries = append(entries, e)
		}
	}
	return entries
}

// unclear settles a key that is given twice. Which of the two values is meant
// is not known: nothing is to be made of a single one, and what a list or a
// mapping declares is lost.
func (c *converter) unclear(entries []value.Entry, key string, second *yaml.Node) {
	if second = follow(second); second == nil || second.Kind != yaml.ScalarNode {
		c.lost = true
		return
	}
	for i, e := range entries {
		switch e.Value.Kind() {
		case value.Map, value.List:
		default:
			if e.Key == key {
				entries[i].Value = c.unread(second)
			}
		}
	}
}

// merged returns what the value of << brings in.
func (c *converter) merged(n *yaml.Node, m mode) []value.Entry {
	from := []*yaml.Node{n}
	if target := follow(n); target != nil && target.Kind == yaml.SequenceNode && !isCustom(target) {
		from = target.Content
	}
	var out []value.Entry
	for _, one := range from {
		target := follow(one)
		if target == nil || target.Kind != yaml.MappingNode || isCustom(target) {
			c.refuse(diag.SrcSyntax, one, "The key << merges mappings, and this is not one.", "give << an alias of a mapping, or a list of such aliases.")
			c.lost = true
			continue
		}
		out = append(out, c.value(one, m).Entries()...)
	}
	return out
}

// key returns the text of a mapping key.
func (c *converter) key(n *yaml.Node) (string, bool) {
	target := follow(n)
	switch {
	case target == nil || target.Kind != yaml.ScalarNode:
		c.refuse(diag.SrcBadScalar, n, "A key is text, and this one is a list or a mapping.", "use text as the key.")
		return "", false
	case isCustom(target):
		c.refuse(diag.SrcTagNesting, n, fmt.Sprintf("The %s stands on a key.", tagName(target.Tag)), "write the key out: tags are for values; quote a key that begins with an exclamation mark.")
		return "", false
	default:
		return target.Value, true
	}
}

// follow returns the node that an alias means.
func follow(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// childOf returns the value under a key of the mapping itself, or nil.
func childOf(n *yaml.Node, key string) *yaml.Node {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if follow(n.Content[i]).Value == key {
			return follow(n.Content[i+1])
		}
	}
	return nil
}

func nodeKind(n *yaml.Node) string {
	switch {
	case isCustom(n):
		return "the " + tagName(n.Tag)
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	default:
		return "a single value"
	}
}
