package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// The severities of rules.
const (
	refusal = "error"
	warning = "warning"
)

// File is a file with rules.
type File struct {
	Name    string
	Content []byte
}

// written is a rule as it stands in a file.
type written struct {
	Name       string
	Expression string
	Message    string
	Severity   string
	pos        value.Pos
}

// Load reads rules. Its error has all that is wrong with them.
func Load(files ...File) (*Policy, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	p := &Policy{}
	var list diag.List
	seen := map[string]value.Pos{}
	for _, f := range files {
		rules, found := f.rules()
		list = append(list, found...)
		for _, w := range rules {
			if first, twice := seen[w.Name]; twice {
				list.Add(diag.PolicyFile, w.pos, fmt.Sprintf("There is another rule %q at %s.", w.Name, first), "give one of them another name.")
				continue
			}
			seen[w.Name] = w.pos
			r, err := compile(env, w)
			if err != nil {
				list.Add(diag.PolicyFile, w.pos, fmt.Sprintf("Rule %q: %v.", w.Name, err), "correct the expression: it sees plan, changes and change; docs/policy.md has examples.")
				continue
			}
			p.rules = append(p.rules, r)
		}
	}
	return p, list.Err()
}

// rules are those of a file, and what is wrong with its form.
func (f File) rules() ([]written, diag.List) {
	var list diag.List
	whole := value.Pos{File: f.Name}
	var root yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(f.Content))
	if err := decoder.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		list.Add(diag.PolicyFile, whole, "It is not YAML: "+strings.TrimPrefix(err.Error(), "yaml: ")+".", "correct the file.")
		return nil, list
	}
	if decoder.Decode(&yaml.Node{}) == nil {
		list.Add(diag.PolicyFile, whole, "It has more than one document.", "put all rules in one list.")
		return nil, list
	}
	var rules *yaml.Node
	if len(root.Content) == 1 {
		rules = f.only(&list, root.Content[0], "rules")["rules"]
	}
	if rules == nil || rules.Kind != yaml.SequenceNode || len(rules.Content) == 0 {
		if len(list) == 0 {
			list.Add(diag.PolicyFile, whole, "It has no list of rules.", "begin it with rules: and a list of name, expression, message and severity.")
		}
		return nil, list
	}
	var out []written
	for _, n := range rules.Content {
		if w, ok := f.rule(&list, n); ok {
			out = append(out, w)
		}
	}
	return out, list
}

// rule reads one rule.
func (f File) rule(list *diag.List, n *yaml.Node) (written, bool) {
	pos := f.at(n)
	before := len(*list)
	keys := f.only(list, n, "name", "expression", "message", "severity")
	get := func(key string) string {
		v := keys[key]
		if v == nil {
			return ""
		}
		if v.Kind != yaml.ScalarNode {
			list.Add(diag.PolicyFile, f.at(v), fmt.Sprintf("%q is not a text.", key), "write it as a text.")
			return ""
		}
		return v.Value
	}
	w := written{Name: get("name"), Expression: get("expression"), Message: get("message"), Severity: get("severity"), pos: pos}
	if n.Kind == yaml.MappingNode && len(*list) == before {
		for _, key := range []string{"name", "expression", "message"} {
			if strings.TrimSpace(get(key)) == "" {
				list.Add(diag.PolicyFile, pos, fmt.Sprintf("The rule has no %s.", key), "give it one: a rule has name, expression and message, and may have a severity.")
			}
		}
		if w.Severity != "" && w.Severity != refusal && w.Severity != warning {
			list.Add(diag.PolicyFile, f.at(keys["severity"]), fmt.Sprintf("The severity %q is not known.", w.Severity), "use error (refuse the plan) or warning.")
		}
	}
	return w, len(*list) == before
}

// only are the values of a mapping by key; other keys than the known are wrong.
func (f File) only(list *diag.List, n *yaml.Node, known ...string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		list.Add(diag.PolicyFile, f.at(n), "It is not a mapping.", "write a mapping with "+diag.Join(known, "and")+".")
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(known, key.Value):
			list.Add(diag.PolicyFile, f.at(key), fmt.Sprintf("The key %q is not known.", key.Value), "use "+diag.Join(known, "or")+".")
		case out[key.Value] != nil:
			list.Add(diag.PolicyFile, f.at(key), fmt.Sprintf("The key %q is there twice.", key.Value), "remove one of them.")
		default:
			out[key.Value] = n.Content[i+1]
		}
	}
	return out
}

func (f File) at(n *yaml.Node) value.Pos {
	return value.Pos{File: f.Name, Line: n.Line, Column: n.Column}
}
