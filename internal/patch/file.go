package patch

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/value"
)

// Read reads the patches of a file. Its error has all that is wrong with them.
func Read(name string, data []byte) ([]Patch, error) {
	docs, err := node.Parse(name, data)
	if err != nil {
		return nil, err
	}
	f := &file{name: name}
	if len(docs) > 1 {
		f.wrong(docs[1], "It has more than one document.", "put all patches in one list.")
	}
	if root := docs[0].Content[0]; root.Style&yaml.FlowStyle != 0 {
		node.Block(root)
	}
	root := f.keys(docs[0].Content[0], "_format_version", "patches")
	list := root["patches"]
	switch {
	case len(f.diags) > 0:
	case list == nil || list.Kind != yaml.SequenceNode:
		f.diags.Add(diag.PatchFile, value.Pos{File: name}, "It has no list of patches.", "begin it with patches: and a list of selectors, values and remove.")
	default:
		for _, n := range list.Content {
			f.patch(n)
		}
	}
	return f.patches, f.diags.Err()
}

type file struct {
	name    string
	patches []Patch
	diags   diag.List
}

func (f *file) wrong(n *yaml.Node, detail, fix string) {
	f.diags.Add(diag.PatchFile, node.At(f.name, n), detail, fix)
}

// keys are the values of a mapping. Other keys than the known are wrong; those that
// begin with _ are for people.
func (f *file) keys(n *yaml.Node, known ...string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		f.wrong(n, "It is not a mapping.", "write a mapping with "+diag.Join(known, "and")+".")
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(known, key.Value) && !strings.HasPrefix(key.Value, "_") {
			f.wrong(key, fmt.Sprintf("The key %q is not known.", key.Value), "use "+diag.Join(known, "or")+".")
		}
		if v := n.Content[i+1]; v.Tag != "!!null" {
			out[key.Value] = v
		}
	}
	return out
}

func (f *file) patch(n *yaml.Node) {
	before := len(f.diags)
	keys := f.keys(n, "selectors", "values", "remove")
	if len(f.diags) > before {
		return
	}
	p := Patch{selectors: f.selectors(n, keys["selectors"])}
	for _, key := range f.texts(keys["remove"], "remove") {
		p.remove = append(p.remove, key.Value)
	}
	switch values := keys["values"]; {
	case values == nil && keys["remove"] == nil:
		f.wrong(n, "The patch changes nothing.", "add values to set, or remove with a list of keys.")
	case values == nil:
	case values.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(values.Content); i += 2 {
			p.set = append(p.set, entry{values.Content[i].Value, values.Content[i+1]})
			if slices.Contains(p.remove, values.Content[i].Value) {
				f.wrong(values.Content[i], fmt.Sprintf("The key %q is set and removed.", values.Content[i].Value), "keep one of the two.")
			}
		}
	case values.Kind == yaml.SequenceNode:
		p.appends, p.items = true, values.Content
		if keys["remove"] != nil {
			f.wrong(keys["remove"], "The values are a list, which is appended to lists, and lists have no keys to remove.", "write two patches.")
		}
	default:
		f.wrong(values, "The values are neither a mapping nor a list.", "write a mapping of keys to set, or a list of items to append.")
	}
	f.patches = append(f.patches, p)
}

// selectors are those of a patch; without any it is about the whole document.
func (f *file) selectors(patch, list *yaml.Node) []selector {
	texts := f.texts(list, "selectors")
	if list != nil && list.Kind == yaml.SequenceNode && len(texts) == 0 {
		f.wrong(list, "The list of selectors is empty, so the patch changes nothing.", "name what to change; leave selectors out to change the whole document.")
	}
	if list == nil {
		texts = []*yaml.Node{{Value: "$", Line: patch.Line, Column: patch.Column}}
	}
	var out []selector
	for _, n := range texts {
		path, err := node.Compile(n.Value)
		if err != nil {
			f.wrong(n, fmt.Sprintf("The selector %q is not a JSONPath: %v.", n.Value, err), "correct the selector; $..services[*] selects all items of all lists named services.")
			continue
		}
		out = append(out, selector{path, node.At(f.name, n)})
	}
	return out
}

// texts are the items of a list of texts.
func (f *file) texts(n *yaml.Node, key string) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		f.wrong(n, fmt.Sprintf("%q is not a list.", key), "write a list of texts.")
		return nil
	}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.Tag != "!!str" {
			f.wrong(c, fmt.Sprintf("An item of %q is not a text.", key), "write a list of texts.")
		}
	}
	return n.Content
}
