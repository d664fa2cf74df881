// Package patch changes parts of YAML documents that JSONPath selects.
//
// In: documents as nodes, and patches from files or flags. Out: the documents changed,
// and warnings. It must never read a file or know what a document means.
package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/value"
)

// Patch is what is done to all that its selectors select: keys of mappings are set and
// removed, or items are appended to lists.
type Patch struct {
	selectors []selector
	set       []entry
	remove    []string
	items     []*yaml.Node
	appends   bool // to lists
}

type selector struct {
	path node.Path
	pos  value.Pos // zero for a flag
}

type entry struct {
	key   string
	value *yaml.Node
}

// FromFlags makes a patch of selectors and of values, which are KEY:JSON, KEY: to
// remove the key, or a JSON list.
func FromFlags(selectors, values []string) (Patch, error) {
	var p Patch
	for _, text := range selectors {
		path, err := node.Compile(text)
		if err != nil {
			return p, fmt.Errorf("invalid value %q for --selector: %w", text, err)
		}
		p.selectors = append(p.selectors, selector{path: path})
	}
	for _, text := range values {
		if err := p.flag(text); err != nil {
			return p, err
		}
	}
	if p.appends && (len(p.set) > 0 || len(p.remove) > 0) {
		return p, errors.New("--value: a list is appended to lists, and KEY:VALUE changes mappings; use one of them")
	}
	for _, key := range p.remove {
		if p.sets(key) {
			return p, fmt.Errorf("--value: the key %q is set and removed", key)
		}
	}
	return p, nil
}

// flag adds one value. What it says about the value does not repeat it: it may be
// a secret.
func (p *Patch) flag(text string) error {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") {
		list, err := node.FromJSON(trimmed)
		if err != nil {
			return errors.New("invalid list for --value: it is not JSON")
		}
		p.appends, p.items = true, append(p.items, list.Content...)
		return nil
	}
	key, rest, found := strings.Cut(text, ":")
	if !found || key == "" {
		return errors.New(`invalid value for --value: use KEY:JSON, KEY: to remove the key, or a JSON list such as ["a"]`)
	}
	if rest = strings.TrimSpace(rest); rest == "" {
		p.remove = append(p.remove, key)
		return nil
	}
	v, err := node.FromJSON(rest)
	if err != nil {
		return fmt.Errorf("invalid value of %q for --value: it is not JSON; text needs double quotes, as in --value '%s:\"text\"'", key, key)
	}
	p.set = slices.DeleteFunc(p.set, func(e entry) bool { return e.key == key })
	p.set = append(p.set, entry{key, v})
	return nil
}

func (p *Patch) sets(key string) bool {
	return slices.ContainsFunc(p.set, func(e entry) bool { return e.key == key })
}

// Apply changes documents by patches, one after the other. It warns of selectors that
// have no effect.
func Apply(docs []*yaml.Node, patches []Patch) (diag.List, error) {
	var warnings diag.List
	for _, p := range patches {
		var targets []*yaml.Node
		for _, s := range p.selectors {
			found, err := s.of(docs)
			if err != nil {
				return nil, err
			}
			fitting := slices.DeleteFunc(slices.Clone(found), func(n *yaml.Node) bool { return !p.fits(n) })
			if len(fitting) == 0 {
				warnings = append(warnings, s.warning(&p, len(found)))
			}
			targets = append(targets, fitting...)
		}
		for _, n := range targets {
			p.change(n)
		}
	}
	return warnings, nil
}

func (s selector) of(docs []*yaml.Node) ([]*yaml.Node, error) {
	var out []*yaml.Node
	for _, doc := range docs {
		found, err := node.NewTree(doc, "$").Select(s.path)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out = append(out, f.Node)
		}
	}
	return out, nil
}

func (s selector) warning(p *Patch, found int) diag.Diagnostic {
	if found == 0 {
		return diag.Warn(diag.PatchNothing, s.pos, fmt.Sprintf("The selector %s selects nothing.", s.path), "correct the selector, or remove the patch.")
	}
	want := "mapping, whose keys could be changed"
	if p.appends {
		want = "list, which could be appended to"
	}
	return diag.Warn(diag.PatchNothing, s.pos, fmt.Sprintf("The selector %s selects no %s.", s.path, want), "select the mapping to set or remove its keys, the list to append items.")
}

// fits reports whether the patch can change a node. Keys and values with tags of
// their own, such as !ref, are not looked into.
func (p *Patch) fits(n *yaml.Node) bool {
	if p.appends {
		return n.Kind == yaml.SequenceNode
	}
	return n.Kind == yaml.MappingNode
}

func (p *Patch) change(n *yaml.Node) {
	for _, item := range p.items {
		n.Content = append(n.Content, fresh(item))
	}
	for _, key := range p.remove {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				n.Content = slices.Delete(n.Content, i, i+2)
				break
			}
		}
	}
	for _, e := range p.set {
		set(n, e)
	}
}

// set gives a key its value, in the place that it has.
func set(n *yaml.Node, e entry) {
	v := fresh(e.value)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != e.key {
			continue
		}
		if old := n.Content[i+1]; old.Kind == yaml.ScalarNode && v.Kind == yaml.ScalarNode && v.LineComment == "" {
			v.LineComment = old.LineComment
		}
		n.Content[i+1] = v
		return
	}
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.key}, v)
}

// fresh is a copy that has no place in a file.
func fresh(n *yaml.Node) *yaml.Node {
	out := node.Clone(n)
	var forget func(*yaml.Node)
	forget = func(n *yaml.Node) {
		n.Line, n.Column = 0, 0
		for _, c := range n.Content {
			forget(c)
		}
	}
	forget(out)
	return out
}
