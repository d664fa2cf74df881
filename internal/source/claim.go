package source

import (
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Claim is what a target says about documents: which are its own, and which keys
// name files. A claim that owns no documents is about those that no claim owns.
type Claim struct {
	// Name is what the documents that it owns carry as their Claim.
	Name string
	// Own are the root keys that together make a document the target's own.
	Own []string
	// Files are paths of keys, from any mapping of a document, whose text, or list
	// of texts, names files. They are read with the document, as they are.
	Files []string
	// Several are those of Files that may name folders and patterns, too.
	Several []string
	// Unread are such paths below which !file stays an expression: the files may
	// be secret.
	Unread []string
	// FileWords is what people call a file that Files name.
	FileWords string
	// Older says that the documents it owns follow YAML 1.1, as Kubernetes reads
	// it: 0644 is octal, and yes is true.
	Older bool
	// Credentials is what the names of environment variables begin with that hold
	// the target's credentials, which no document may read; "" for none.
	Credentials string
	// Shows reports whether the value at a path of keys surely holds no secret, so
	// that a diagnostic may quote it, and Hides whether what is there or below it
	// surely may. Nil shows and hides nothing.
	Shows, Hides func(path []string) bool
	// Knows reports whether the target knows the very field at a path: then a name
	// alone does not make it a secret.
	Knows func(path []string) bool
	// Names reports whether the key at a path is a name of the language, though what
	// is at it may be a secret: a diagnostic may quote the key.
	Names func(path []string) bool
	// Foreign are documents of the format of such files, which are no sources.
	Foreign Foreign
}

// Foreign says how documents of another format are recognised, and what is said
// of one that is given as a source.
type Foreign struct {
	// Key is the root key that gives them away; "" for no such format.
	Key string
	// Words say why a walk skips one.
	Words string
	// Code and Fix are those of the diagnostic for one that was named.
	Code diag.Code
	Fix  string
}

// owns reports whether a document is the target's own.
func (c *Claim) owns(root *yaml.Node) bool {
	for _, key := range c.Own {
		if childOf(root, key) == nil {
			return false
		}
	}
	return len(c.Own) > 0
}

// older reports whether the documents of a claim follow YAML 1.1.
func (l *loader) older(owner string) bool {
	return owner != "" && slices.ContainsFunc(l.judge.claims, func(c Claim) bool { return c.Name == owner && c.Older })
}

// Of lists the documents that a claim owns; "" stands for those that none owns.
func (r *Result) Of(claim string) []Document {
	var out []Document
	for _, d := range r.Documents {
		if d.Claim == claim {
			out = append(out, d)
		}
	}
	return out
}

// credentials are the prefixes of the variables that no document may read.
func (l *loader) credentials() []string {
	var out []string
	for _, c := range l.judge.claims {
		if c.Credentials != "" {
			out = append(out, c.Credentials)
		}
	}
	return out
}

// step is a key on the way to values that claims say something about.
type step struct {
	next   map[string]*step
	file   string // what a file named here is called; "" where none is named
	many   bool   // a folder or a pattern may be named
	unread bool
}

// stepsOf returns the ways through documents by the name of the claim that owns
// them.
func stepsOf(claims []Claim) map[string]*step {
	out := map[string]*step{}
	for _, c := range claims {
		owner := ""
		if len(c.Own) > 0 {
			owner = c.Name
		}
		if out[owner] == nil {
			out[owner] = &step{}
		}
		for _, path := range c.Files {
			out[owner].to(path).file = c.FileWords
		}
		for _, path := range c.Several {
			out[owner].to(path).many = true
		}
		for _, path := range c.Unread {
			out[owner].to(path).unread = true
		}
	}
	return out
}

// to returns the step at the end of a path.
func (s *step) to(path string) *step {
	for key := range strings.SplitSeq(path, ".") {
		if s.next == nil {
			s.next = map[string]*step{}
		}
		if s.next[key] == nil {
			s.next[key] = &step{}
		}
		s = s.next[key]
	}
	return s
}

// below returns the step under a key, nil where the claims say nothing.
func (s *step) below(key string) *step {
	if s == nil {
		return nil
	}
	return s.next[key]
}

// mentions calls name with the nodes below a mapping that name files, and whether
// they may name several.
func (s *step) mentions(n *yaml.Node, name func(n *yaml.Node, many bool)) {
	if s == nil {
		return
	}
	for key, next := range s.next {
		child := childOf(n, key)
		if child == nil {
			continue
		}
		if next.file != "" {
			name(child, next.many)
			for _, item := range child.Content {
				name(item, next.many)
			}
		}
		next.mentions(child, name)
	}
}

// namedFile reads a file that a claim's key names, or several, and leaves the
// name: what the file means is for the target to say.
func (c *converter) namedFile(n *yaml.Node, at *step) value.Value {
	words := at.file
	path := strings.TrimSpace(n.Value)
	switch {
	case path == "":
		return value.StringAt(c.pos(n), "")
	case !c.mayRead(n):
		return c.unread(n)
	case strings.Contains(path, "://"):
		return c.refuse(diag.SrcFileMissing, n, "A "+words+" is a file of this machine, not a URL.", "download it, and write its path.")
	}
	if at.many {
		named, p := c.read.several(c.file.dir, c.file.base, path, words)
		if p != nil {
			return c.refuse(p.code, n, p.detail, p.fix)
		}
		c.named[c.pos(n)] = named
		return value.StringAt(c.pos(n), path)
	}
	one, p := c.read.open(c.file.dir, c.file.base, path)
	if p != nil {
		return c.refuse(p.code, n, p.detail, p.fix)
	}
	c.named[c.pos(n)] = Named{Files: []File{{Name: one.name, Content: one.data}}}
	return value.StringAt(c.pos(n), path)
}
