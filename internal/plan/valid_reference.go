package plan

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// References checks that what is shown of a reference is what is sent, and that
// a change that makes a value comes first.
func (v *Validation) References(c *Change, t *resource.Type) {
	if c.Action == Delete && len(c.References) > 0 {
		v.Say(c, "a delete sends nothing")
		return
	}
	for _, path := range slices.Sorted(maps.Keys(c.References)) {
		r, p := c.References[path], value.ParsePath(path)
		sent, there := value.Get(c.Fields, p)
		if path == t.KeyField && t.KeyField != "" {
			sent, there = any(c.ResourceID), true
		}
		if !there || path != p.String() {
			v.Say(c, "references.%s: no such field is sent", path)
			continue
		}
		if v.Types.Kind(r.Type) == nil {
			v.Say(c, "references.%s: unknown resource type %q", path, r.Type)
		}
		if r.Change != "" {
			v.made(c, path, r)
			if path != t.KeyField && !Alike(sent, UnknownID) {
				v.Say(c, "references.%s: the value is not known before %s", path, r.Change)
			}
			continue
		}
		text, ok := sent.(string)
		if !ok {
			text = string(value.Canonical(sent))
		}
		if text != r.ID || r.ID == UnknownID || v.pending(r.ID) {
			v.Say(c, "references.%s: the id shown is not the one sent", path)
		}
	}
}

// made checks a reference to what another change of the plan makes.
func (v *Validation) made(c *Change, path string, r Reference) {
	made := v.byID[r.Change]
	switch {
	case made == nil || made.Action == Delete:
		v.Say(c, "references.%s: %s does not make it", path, r.Change)
	case !v.after(c, r.Change):
		v.Say(c, "references.%s: does not depend on %s, which makes it", path, r.Change)
	case made.Action == ExternalTool:
		if !v.pending(r.ID) || !slices.ContainsFunc(v.Plan.Dependencies, func(d Dependency) bool {
			return d.Change == r.Change && d.Ref == r.Ref
		}) {
			v.Say(c, "references.%s: %s makes no %q", path, v.tool(), r.Ref)
		}
	case r.ID != UnknownID || r.Type != made.ResourceType || r.Ref != made.ResourceRef:
		v.Say(c, "references.%s: %s makes another resource", path, r.Change)
	}
}

// Source checks the form of an expression. Variables that hold kongctl's own
// credentials are refused by whoever reads them, too.
func (v *Validation) Source(c *Change, field string, e map[string]any, files bool) {
	kinds, known := 0, []string{"extract"}
	for _, kind := range []string{"env", "file", "text", "input"} {
		if _, ok := e[kind].(string); ok {
			kinds++
			known = append(known, kind)
		}
	}
	_, isFile := e["file"]
	_, isText := e["text"]
	if isFile {
		known = append(known, "base")
	}
	if _, isInput := e["input"]; isInput {
		known = append(known, "document", "path", "content_of")
	}
	for k, x := range e {
		if _, text := x.(string); !text || !slices.Contains(known, k) {
			kinds = 0
		}
	}
	input, isInput := e["input"].(string)
	name, _ := e["env"].(string)
	switch {
	case kinds != 1:
		v.Say(c, "%s: unknown expression", field)
	case (isFile || isText || isInput) && !files:
		v.Say(c, "%s: only a secret comes from a file", field)
	case isInput && !v.isInput(input):
		v.Say(c, "%s: metadata.inputs does not list the file %s", field, input)
	case isInput && e["content_of"] != nil && !v.isInput(e["content_of"]):
		v.Say(c, "%s: metadata.inputs does not list the file %v", field, e["content_of"])
	case IsCredential(name):
		v.Say(c, "%s: the variable %s holds a credential of kongctl, which no plan may read", field, name)
	}
}

// isInput reports whether the plan was made of a file.
func (v *Validation) isInput(file any) bool {
	return slices.ContainsFunc(v.Plan.Metadata.Inputs, func(in Input) bool { return in.File == file })
}

// Secret checks the parts of a secret: one at least is not in the plan.
func (v *Validation) Secret(c *Change, e Expression) {
	parts := secretParts(e.Expression)
	hidden := false
	for _, p := range parts {
		v.Source(c, e.Field, p, true)
		_, text := p["text"]
		hidden = hidden || !text
	}
	if len(e.Expression) != 1 || len(parts) == 0 || !hidden {
		v.Say(c, "secret_writes: %s does not say where the secret comes from", e.Field)
	}
}

// secretParts are the sources that a secret is joined from.
func secretParts(e map[string]any) []map[string]any {
	list, _ := e["parts"].([]any)
	if one, ok := e["source"]; ok {
		list = append(slices.Clone(list), one)
	}
	var out []map[string]any
	for _, x := range list {
		m, _ := x.(map[string]any)
		out = append(out, m)
	}
	return out
}

// pending reports whether a text stands for an id that an attached change makes
// known.
func (v *Validation) pending(id string) bool {
	return slices.ContainsFunc(v.Types.All(), func(t *resource.Type) bool { return t.Attached && t.Unknown == id })
}

// attached is the type of attached changes, or nil.
func (v *Validation) attached() *resource.Type {
	i := slices.IndexFunc(v.Types.All(), func(t *resource.Type) bool { return t.Attached })
	if i < 0 {
		return nil
	}
	return v.Types.All()[i]
}

// tool is what carries out attached changes.
func (v *Validation) tool() string {
	if t := v.attached(); t != nil {
		return t.Tool
	}
	return "an attached resource"
}
