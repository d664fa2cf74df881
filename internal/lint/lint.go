// Package lint checks YAML documents by rules that people write.
//
// In: a ruleset in the form of Spectral, and documents as nodes. Out: findings with
// their places. It must never read a file or know what a document means.
package lint

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/value"
)

// Severity is how bad a finding is.
type Severity string

// The severities, the worst first. A rule that is off finds nothing.
const (
	Error Severity = "error"
	Warn  Severity = "warn"
	Info  Severity = "info"
	Hint  Severity = "hint"
	off   Severity = "off"
)

// Severities lists them, the worst first.
func Severities() []Severity { return []Severity{Error, Warn, Info, Hint} }

// AtLeast reports whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(bound Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), bound)
}

// Finding is one place where a rule is broken.
type Finding struct {
	Rule     string
	Severity Severity
	Message  string
	// Path is the JSONPath of the place.
	Path string
	Pos  value.Pos
}

// Lint asks the rules about the documents of a file.
func (r *Ruleset) Lint(file string, docs []*yaml.Node) ([]Finding, error) {
	var out []Finding
	for _, doc := range docs {
		found, err := r.document(file, doc)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Path, b.Path))
	})
	return slices.Compact(out), nil // paths may select a place twice
}

func (r *Ruleset) document(file string, doc *yaml.Node) ([]Finding, error) {
	tree := node.NewTree(doc, "$")
	var out []Finding
	for _, rule := range r.rules {
		for _, path := range rule.given {
			given, err := tree.Select(path)
			if err != nil {
				return nil, err
			}
			for _, g := range given {
				found, err := rule.ask(file, g)
				if err != nil {
					return nil, err
				}
				out = append(out, found...)
			}
		}
	}
	return out, nil
}

// ask gives what a rule selects to its functions.
func (r rule) ask(file string, given node.Found) ([]Finding, error) {
	var out []Finding
	for _, then := range r.then {
		targets, err := then.targets(given)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			for _, v := range then.check(t) {
				at, path := t.at, t.path
				if v.at.Node != nil {
					at, path = v.at.Node, v.at.Path
				}
				out = append(out, Finding{Rule: r.name, Severity: r.severity, Message: r.said(t, path, v.text), Path: path, Pos: node.At(file, at)})
			}
		}
	}
	return out, nil
}

// target is what a function is asked about.
type target struct {
	node *yaml.Node // nil: not there
	at   *yaml.Node // the node itself, or where it would stand
	path string
	name string // of the key, or the place in the list
}

// targets are the fields of what a path selects: itself, its keys, or those below it.
func (t then) targets(given node.Found) ([]target, error) {
	n := given.Node
	switch {
	case t.field == "":
		return []target{{n, n, given.Path, last(given.Path)}}, nil
	case t.field == "@key":
		var out []target
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			out = append(out, target{key, key, node.Below(given.Path, key.Value), key.Value})
		}
		return out, nil
	case t.path != nil:
		found, err := node.NewTree(n, given.Path).Select(*t.path)
		if err != nil {
			return nil, err
		}
		var out []target
		for _, f := range found {
			out = append(out, target{f.Node, f.Node, f.Path, last(f.Path)})
		}
		return out, nil
	}
	if found := node.Child(n, t.field); found != nil || !strings.Contains(t.field, ".") {
		return []target{field(n, found, given.Path, t.field)}, nil
	}
	out := target{n, n, given.Path, ""}
	for name := range strings.SplitSeq(t.field, ".") {
		out = field(out.at, node.Child(out.node, name), out.path, name)
	}
	return []target{out}, nil
}

func field(parent, found *yaml.Node, at, name string) target {
	t := target{found, found, node.Below(at, name), name}
	if found == nil {
		t.at = parent
	}
	return t
}

// last is the name of what a path leads to.
func last(path string) string {
	path = strings.TrimSuffix(path, "~")
	if inner, bracket := strings.CutSuffix(path, "]"); bracket {
		return strings.Trim(inner[strings.LastIndexByte(inner, '[')+1:], "'")
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// said is the message of a rule with its places filled in.
func (r rule) said(t target, path, problem string) string {
	if r.message == "" {
		if r.description == "" {
			return problem
		}
		return strings.TrimRight(r.description, ". \n") + ": " + problem
	}
	shown := ""
	if t.node != nil {
		switch t.node.Kind {
		case yaml.MappingNode:
			shown = "{…}"
		case yaml.SequenceNode:
			shown = "[…]"
		default:
			shown = t.node.Value
		}
	}
	return placeholder.ReplaceAllStringFunc(r.message, func(match string) string {
		switch placeholder.FindStringSubmatch(match)[1] {
		case "error":
			return problem
		case "property":
			return t.name
		case "path":
			return path
		case "value":
			return shown
		default:
			return r.description
		}
	})
}
