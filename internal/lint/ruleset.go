package lint

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// Ruleset is a list of rules.
type Ruleset struct{ rules []rule }

type rule struct {
	name, description, message string
	severity                   Severity
	given                      []node.Path
	then                       []then
}

// then is one function, and what of the selected it is asked about.
type then struct {
	field string
	path  *node.Path // field, where it is a path
	check check
}

var placeholder = pattern.New(`\{\{ *(error|property|path|value|description) *\}\}`)

// Len is how many rules there are.
func (r *Ruleset) Len() int { return len(r.rules) }

// Load reads a ruleset. Its error has all that is wrong with it.
func Load(name string, data []byte) (*Ruleset, error) {
	docs, err := node.Parse(name, data)
	if err != nil {
		return nil, err
	}
	l := &loader{name: name, aliases: map[string]*yaml.Node{}}
	root := docs[0].Content[0]
	if len(docs) > 1 {
		l.wrong(docs[1], "It has more than one document.", "put all rules in one mapping.")
	}
	if root.Kind == yaml.MappingNode {
		l.keys(root, "rules", "aliases", "description", "documentationUrl")
	}
	rules := node.Child(root, "rules")
	if rules == nil || rules.Kind != yaml.MappingNode || len(rules.Content) == 0 {
		l.diags.Add(diag.LintRuleset, value.Pos{File: name}, "It has no mapping of rules.", "begin it with rules: and a mapping of names to rules with given and then.")
		return nil, l.diags.Err()
	}
	if aliases := node.Child(root, "aliases"); aliases != nil {
		for i := 0; i+1 < len(aliases.Content); i += 2 {
			l.aliases[aliases.Content[i].Value] = aliases.Content[i+1]
		}
	}
	out := &Ruleset{}
	for i := 0; i+1 < len(rules.Content); i += 2 {
		if r := l.rule(rules.Content[i].Value, rules.Content[i+1]); r.severity != off {
			out.rules = append(out.rules, r)
		}
	}
	return out, l.diags.Err()
}

type loader struct {
	name    string
	aliases map[string]*yaml.Node
	diags   diag.List
}

func (l *loader) wrong(n *yaml.Node, detail, fix string) {
	l.diags.Add(diag.LintRuleset, node.At(l.name, n), detail, fix)
}

// keys refuses keys of a mapping that are not known.
func (l *loader) keys(n *yaml.Node, known ...string) bool {
	if n.Kind != yaml.MappingNode {
		l.wrong(n, "It is not a mapping.", "write a mapping with "+diag.Join(known[:2], "and")+".")
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case slices.Contains(known, key.Value):
		case slices.Contains([]string{"extends", "overrides", "functions", "functionsDir", "except", "parserOptions"}, key.Value):
			l.wrong(key, fmt.Sprintf("%q is not supported: a ruleset stands by itself.", key.Value), "remove it, and write the rules that you need into this file.")
		default:
			l.wrong(key, fmt.Sprintf("The key %q is not known.", key.Value), "use "+diag.Join(known, "or")+".")
		}
	}
	return true
}

func (l *loader) rule(name string, n *yaml.Node) rule {
	r := rule{name: name, severity: Warn}
	known := []string{
		"given", "then", "severity", "message", "description", "recommended", "enabled", "resolved", "formats", "documentationUrl", "tags", "type", "category", "howToFix", "id",
	}
	if n.Kind == yaml.ScalarNode && (n.Value == string(off) || n.Value == "false") {
		r.severity = off
		return r
	}
	if !l.keys(n, known...) {
		return r
	}
	r.description, r.message = l.text(n, "description"), l.text(n, "message")
	if s := node.Child(n, "severity"); s != nil {
		r.severity = l.severity(s)
	}
	for _, key := range []string{"recommended", "enabled"} {
		if flag := node.Child(n, key); flag != nil && node.Plain(flag) == false {
			r.severity = off
		}
	}
	given, then := node.Child(n, "given"), node.Child(n, "then")
	if given == nil || then == nil {
		l.wrong(n, fmt.Sprintf("The rule %q has no given or no then.", name), "add given with a JSONPath, and then with a function.")
		return r
	}
	for _, g := range listed(given) {
		r.given = append(r.given, l.paths(g, 0)...)
	}
	for _, t := range listed(then) {
		r.then = append(r.then, l.then(t))
	}
	return r
}

func listed(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

func (l *loader) text(n *yaml.Node, key string) string {
	v := node.Child(n, key)
	if v == nil {
		return ""
	}
	if v.Kind != yaml.ScalarNode {
		l.wrong(v, fmt.Sprintf("%q is not a text.", key), "write it as a text.")
	}
	return strings.TrimSpace(v.Value)
}

func (l *loader) severity(n *yaml.Node) Severity {
	s := Severity(n.Value)
	for i, known := range Severities() { // numbers are Spectral's
		if s == known || n.Value == fmt.Sprint(i) {
			return known
		}
	}
	if s == off || n.Value == "false" || n.Value == "-1" {
		return off
	}
	l.wrong(n, fmt.Sprintf("The severity %q is not known.", n.Value), "use error, warn, info, hint or off.")
	return Error
}

// maxAliases is how deep aliases may refer to aliases.
const maxAliases = 8

// paths are what given says: a path, or an alias (#name) with more behind it.
func (l *loader) paths(n *yaml.Node, depth int) []node.Path {
	if alias, is := strings.CutPrefix(n.Value, "#"); is {
		end := strings.IndexAny(alias, ".[")
		if end < 0 {
			end = len(alias)
		}
		list := l.aliases[alias[:end]]
		if list == nil || depth == maxAliases {
			l.wrong(n, fmt.Sprintf("The alias %q is not defined, or refers to itself.", alias[:end]), "define it under aliases, with a list of paths.")
			return nil
		}
		var out []node.Path
		for _, item := range listed(list) {
			out = append(out, l.paths(&yaml.Node{Kind: item.Kind, Value: item.Value + alias[end:], Line: item.Line, Column: item.Column}, depth+1)...)
		}
		return out
	}
	path, err := node.Compile(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		l.wrong(n, fmt.Sprintf("%q is not a JSONPath: %v.", n.Value, err), "correct the path; $.services[*] selects the items of services.")
		return nil
	}
	return []node.Path{path}
}

func (l *loader) then(n *yaml.Node) then {
	var t then
	if !l.keys(n, "function", "field", "functionOptions") {
		return t
	}
	t.field = l.text(n, "field")
	if strings.HasPrefix(t.field, "$") {
		path, err := node.Compile(t.field)
		if err != nil {
			l.wrong(node.Child(n, "field"), fmt.Sprintf("%q is not a JSONPath: %v.", t.field, err), "correct the path, or write the name of a field.")
		}
		t.path = &path
	}
	name := l.text(n, "function")
	build := functions()[name]
	if build == nil {
		var known []string
		for f := range functions() {
			known = append(known, f)
		}
		slices.Sort(known)
		l.wrong(n, fmt.Sprintf("The function %q is not known.", name), "use "+diag.Join(known, "or")+".")
		return t
	}
	options := node.Child(n, "functionOptions")
	if options == nil {
		options = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
	}
	var err error
	if t.check, err = build(options); err != nil {
		l.wrong(options, fmt.Sprintf("The options of %s: %v.", name, err), "docs/patch-lint.md lists the functions and their options.")
	}
	return t
}
