package group

import (
	"bytes"
	"errors"
	"fmt"
	"maps"

	yaml "go.yaml.in/yaml/v3"

	"kongctl/internal/kube/object"
)

// document is a ResourceGroup in the order in which it is written.
type document struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name        string            `yaml:"name"`
		Namespace   string            `yaml:"namespace"`
		Labels      map[string]string `yaml:"labels,omitempty"`
		Annotations map[string]string `yaml:"annotations,omitempty"`
	} `yaml:"metadata"`
}

// Format writes a group as a file.
func Format(f File) ([]byte, error) { return format(f, nil) }

// format carries the comments of a Kptfile's inventory to where its fields are now.
func format(f File, inventory *yaml.Node) ([]byte, error) {
	d := document{APIVersion: object.GroupVersion, Kind: object.GroupKind}
	d.Metadata.Name, d.Metadata.Namespace = f.Name, f.Namespace
	d.Metadata.Labels, d.Metadata.Annotations = maps.Clone(f.Labels), f.Annotations
	if f.ID != "" {
		if d.Metadata.Labels == nil {
			d.Metadata.Labels = map[string]string{}
		}
		d.Metadata.Labels[object.InventoryID] = f.ID
	}
	var root yaml.Node
	if err := root.Encode(d); err != nil {
		return nil, fmt.Errorf("write %s: %w", f, err)
	}
	meta := child(&root, "metadata")
	for _, e := range pairs(inventory) {
		if e.key.Value == "inventoryID" {
			carry(e, find(child(meta, "labels"), object.InventoryID))
			continue
		}
		to := find(meta, e.key.Value)
		carry(e, to)
		for _, below := range pairs(e.value) {
			carry(below, find(to.value, below.key.Value))
		}
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(&root), enc.Close()); err != nil {
		return nil, fmt.Errorf("write %s: %w", f, err)
	}
	return b.Bytes(), nil
}

// pair is a key of a mapping with its value.
type pair struct{ key, value *yaml.Node }

func pairs(n *yaml.Node) []pair {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var out []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, pair{n.Content[i], n.Content[i+1]})
	}
	return out
}

// find returns the entry of a mapping, with nodes that are nil where there is none.
func find(n *yaml.Node, key string) pair {
	for _, e := range pairs(n) {
		if e.key.Value == key {
			return e
		}
	}
	return pair{}
}

func child(n *yaml.Node, key string) *yaml.Node { return find(n, key).value }

// carry copies comments. Those at the end of a line stay there.
func carry(from, to pair) {
	if to.key == nil {
		return
	}
	to.key.HeadComment, to.key.LineComment, to.key.FootComment = from.key.HeadComment, from.key.LineComment, from.key.FootComment
	to.value.HeadComment, to.value.LineComment = from.value.HeadComment, from.value.LineComment
}
