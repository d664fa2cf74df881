package plan

import (
	"path"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Reads are the files and variables whose values a plan takes when it is
// executed. Files are named from where the plan is.
type Reads struct {
	Files     []string `json:"files,omitempty"`
	Variables []string `json:"variables,omitempty"`
}

// reads collects what the changes read; nil is nothing.
func (p *Plan) reads() *Reads {
	out := &Reads{}
	for _, c := range p.Changes {
		out.change(c)
	}
	if len(out.Files)+len(out.Variables) == 0 {
		return nil
	}
	slices.Sort(out.Files)
	slices.Sort(out.Variables)
	out.Files, out.Variables = slices.Compact(out.Files), slices.Compact(out.Variables)
	return out
}

func (r *Reads) change(c *Change) {
	for _, e := range c.Expressions {
		r.source(e.Expression)
	}
	for _, e := range c.SecretWrites {
		for _, part := range secretParts(e.Expression) {
			r.source(part)
		}
	}
	if c.Action != ExternalTool {
		return
	}
	r.Files = append(r.Files, texts(c.Fields["files"])...)
	r.Variables = append(r.Variables, texts(c.Fields["variables"])...)
}

// VariablesIn are the variables that a field of a change, or a part of it, gets its
// value from.
func (c *Change) VariablesIn(field string) []string {
	var out Reads
	at := value.ParsePath(field)
	for _, e := range c.Expressions {
		if p := value.ParsePath(e.Field); p.HasPrefix(at) || at.HasPrefix(p) {
			out.source(e.Expression)
		}
	}
	slices.Sort(out.Variables)
	return slices.Compact(out.Variables)
}

// Taken is a variable that a field gets its value from.
type Taken struct{ Field, Variable string }

// Takes lists the variables that a change takes when it is executed.
func (c *Change) Takes() []Taken {
	var out []Taken
	add := func(field string, r Reads) {
		for _, name := range r.Variables {
			out = append(out, Taken{field, name})
		}
	}
	for _, e := range c.Expressions {
		var r Reads
		r.source(e.Expression)
		add(e.Field, r)
	}
	for _, e := range c.SecretWrites {
		add(e.Field, SecretSources(e))
	}
	return out
}

// SecretSources are the variables and files that a secret is taken from.
func SecretSources(e Expression) Reads {
	var out Reads
	for _, part := range secretParts(e.Expression) {
		out.source(part)
	}
	return out
}

func (r *Reads) source(e map[string]any) {
	if name, ok := e["env"].(string); ok {
		r.Variables = append(r.Variables, name)
	}
	if name, ok := e["input"].(string); ok {
		r.Files = append(r.Files, name)
	}
	if name, ok := e["content_of"].(string); ok {
		r.Files = append(r.Files, name)
	}
	if name, ok := e["file"].(string); ok {
		base, _ := e["base"].(string)
		r.Files = append(r.Files, path.Join(base, name))
	}
}

// texts are those of a list.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
