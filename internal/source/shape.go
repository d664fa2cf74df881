package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// shape is what a document is, as far as its root tells.
type shape uint8

const (
	wanted shape = iota // a claim owns it, or only the configuration can judge it
	foreign
	kustomization
	printed // what this program printed
	noMapping
)

// judge says what documents are.
type judge struct {
	claims []Claim
	// ours reports whether a root key declares something.
	ours func(key string) bool
	// printed are the forms of what this program prints.
	printed []Form
}

func newJudge(o Options) judge {
	j := judge{claims: o.Claims, ours: o.Declares, printed: o.Printed}
	if j.ours == nil {
		j.ours = func(string) bool { return false }
	}
	return j
}

// shapeOf returns what a document is, and the claim that says so, if any.
func (j judge) shapeOf(root *yaml.Node) (shape, Claim) {
	if root.Kind != yaml.MappingNode || isCustom(root) {
		return noMapping, Claim{}
	}
	kind := childOf(root, "kind")
	version := childOf(root, "apiVersion")
	if kind != nil && kind.Value == "Kustomization" && (version == nil || strings.HasPrefix(version.Value, "kustomize.config.k8s.io/")) {
		return kustomization, Claim{}
	}
	for _, c := range j.claims {
		if c.owns(root) {
			return wanted, c
		}
	}
	for _, c := range j.claims {
		if c.Foreign.Key != "" && childOf(root, c.Foreign.Key) != nil {
			return foreign, c
		}
	}
	// What only looks like one may declare something.
	if slices.ContainsFunc(j.printed, func(f Form) bool { return f.fits(root, j.ours) }) {
		return printed, Claim{}
	}
	return wanted, Claim{}
}

// declares reports whether one of some documents is a source by itself.
func (j judge) declares(docs []*yaml.Node) bool {
	return slices.ContainsFunc(docs, func(root *yaml.Node) bool {
		shape, claim := j.shapeOf(root)
		return shape == wanted && (claim.Name != "" || slices.ContainsFunc(keysOf(root), j.ours))
	})
}

// declared lists the keys at the roots of documents that a walk leaves out, and those by
// which a claim owns one of them.
func (j judge) declared(docs []*yaml.Node) (keys, owned []string) {
	for _, root := range docs {
		switch shape, claim := j.shapeOf(root); {
		case shape == printed:
			continue
		case shape == wanted && claim.Name != "":
			owned = claim.Own
		}
		keys = append(keys, keysOf(root)...)
	}
	return keys, owned
}

// accept reports whether a document is a source, and the name of the claim that
// owns it. What a folder happens to hold is skipped; what the user named is an
// error.
func (l *loader) accept(f *file, root *yaml.Node) (owner string, ok bool) {
	pos := value.Pos{File: f.posName(), Line: root.Line, Column: root.Column}
	shape, claim := l.judge.shapeOf(root)
	if shape == wanted && claim.Name == "" && !f.walked && f.local {
		// Whoever names a values file means it; the others cannot be meant.
		if why := otherTool(filepath.Base(f.real)); why != "" && why != helmValues {
			shape = kustomization
		}
	}
	report := diag.New
	if f.walked {
		report = diag.Warn
	}
	l.lose(shape != wanted && !f.walked)
	switch shape {
	case wanted:
		return claim.Name, true
	case foreign:
		if f.walked {
			l.skip(f.name, claim.Foreign.Words, keysOf(root))
			break
		}
		l.diags.Add(claim.Foreign.Code, pos, fmt.Sprintf("%q is a %s (it has %s), not a configuration.", f.name, claim.FileWords, claim.Foreign.Key), claim.Foreign.Fix)
	case kustomization:
		if f.walked {
			l.skip(f.name, Kustomization, keysOf(root))
			break
		}
		l.diags.Add(diag.SrcNotASource, pos, fmt.Sprintf("%q belongs to another tool (Kustomize or Helm) and holds no resources.", f.name),
			"name the files that hold the resources.")
	case printed:
		if f.walked {
			l.skip(f.name, "printed by kongctl", nil)
			break
		}
		l.diags.Add(diag.SrcNotASource, pos, fmt.Sprintf("%q is a plan, a report or another document that kongctl printed, not a configuration.", f.name),
			"name the files that hold the resources; a saved plan is given with --plan.")
	case noMapping:
		if f.walked {
			l.result.Skipped = append(l.result.Skipped, Skipped{File: f.name, Why: "not a mapping", Unknown: true})
		}
		l.diags = append(l.diags, report(diag.SrcNotAMapping, pos,
			fmt.Sprintf("The document is %s; a configuration is a mapping of collections.", nodeKind(root)),
			"put the resources under their collection: `portals: [...]`."))
	}
	return "", false
}

// leaveOut records a file that a walk leaves out, with a warning where it may declare
// something of which nobody else warns.
func (l *loader) leaveOut(name, why string, docs []*yaml.Node, warning *diag.Diagnostic) {
	keys, owned := l.judge.declared(docs)
	l.skip(name, why, keys)
	if owned != nil {
		d := diag.Warn(diag.SrcNotASource, value.Pos{File: name}, fmt.Sprintf("The file has %s, but it is skipped, because it is %s.", diag.Join(owned, "and"), why),
			fmt.Sprintf("give it with -f %s too.", name)+wayOut(name))
		warning = &d
	}
	if warning != nil {
		l.result.Skipped = append(l.result.Skipped, Skipped{File: name, Why: why, Unknown: true})
		l.diags = append(l.diags, *warning)
	}
}

// dropNamed takes out what another source names with !file or under a claim's key:
// that is its content, not a source of its own, be it found in a folder or
// named by a pattern of the shell. A file named only by such a file is a source again; so are files that name each other in a
// circle, because leaving them out would lose resources without a word.
func (l *loader) dropNamed() {
	namers := map[*file][]*file{}
	for _, f := range l.files {
		for _, path := range l.mentions(f) {
			if named := l.byReal[path]; named != nil && named != f && (named.walked || named.local && !l.judge.declares(named.docs)) {
				namers[named] = append(namers[named], f)
			}
		}
	}
	isSource := map[*file]bool{} // absent: not decided yet
	for changed := true; changed; {
		changed = false
		for _, f := range l.files {
			if _, decided := isSource[f]; decided {
				continue
			}
			free := true
			for _, by := range namers[f] {
				source, decided := isSource[by]
				if source {
					isSource[f], changed = false, true
				}
				free = free && decided && !source
			}
			if free {
				isSource[f], changed = true, true
			}
		}
	}
	var kept []*file
	for _, f := range l.files {
		if source, decided := isSource[f]; decided && !source {
			keys, _ := l.judge.declared(f.docs)
			l.skip(f.name, "named by "+namers[f][0].posName(), keys)
			continue
		}
		kept = append(kept, f)
	}
	l.files = kept
}

// keysOf lists the keys of a mapping, with those that << merges in.
func keysOf(n *yaml.Node) []string { return mergedKeys(n, map[*yaml.Node]bool{}) }

func mergedKeys(n *yaml.Node, seen map[*yaml.Node]bool) []string {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode || seen[n] {
		return nil
	}
	seen[n] = true
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			keys = append(keys, follow(n.Content[i]).Value)
			continue
		}
		for _, one := range mergedFrom(n.Content[i+1]) {
			keys = append(keys, mergedKeys(one, seen)...)
		}
	}
	return keys
}

// meant lists the files that a name stands for, which may be a folder or a
// pattern: of those, what declares resources is a source of its own.
func meant(l *loader, f *file, name string) []string {
	found, p := l.read.find(f.dir, f.base, name)
	if p != nil {
		return []string{name} // reported where it is read
	}
	if found.pattern == "" {
		return found.paths
	}
	return slices.DeleteFunc(found.paths, func(path string) bool {
		named := l.byReal[realPath(from(f.dir, path))]
		return named != nil && l.judge.declares(named.docs)
	})
}

// mentions lists the files, links resolved, that a file's documents name.
func (l *loader) mentions(f *file) []string {
	var out []string
	if f.remote || f.other != "" {
		return nil
	}
	name := func(n *yaml.Node, many bool) {
		if n = follow(n); n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
			return
		}
		paths := []string{n.Value}
		if many {
			paths = meant(l, f, strings.TrimSpace(n.Value))
		}
		for _, path := range paths {
			out = append(out, realPath(from(f.dir, path)))
		}
	}
	var visit func(n *yaml.Node, at *step)
	visit = func(n *yaml.Node, at *step) {
		switch {
		case n.Tag == tagFile && n.Kind == yaml.MappingNode:
			name(childOf(n, "path"), false)
		case n.Tag == tagFile:
			path, _, _ := strings.Cut(n.Value, "#")
			name(&yaml.Node{Kind: yaml.ScalarNode, Value: path}, false)
		case n.Kind == yaml.MappingNode:
			at.mentions(n, name)
		}
		for _, child := range n.Content {
			visit(child, at)
		}
	}
	for _, root := range f.docs {
		if shape, claim := l.judge.shapeOf(root); shape == wanted {
			visit(root, l.steps[claim.Name])
		}
	}
	return out
}
