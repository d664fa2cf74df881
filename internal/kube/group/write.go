package group

import (
	"bytes"
	"errors"
	"fmt"
	"maps"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/kube/object"
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
func Format(f File) ([]byte, error) { return format(f, pair{}) }

// format carries the comments of a Kptfile's inventory to where its fields are now.
func format(f File, inventory pair) ([]byte, error) {
	d := document{APIVersion: object.GroupVersion, Kind: object.GroupKind}
	d.Metadata.Name, d.Metadata.Namespace = f.Name, f.Namespace
	d.Metadata.Labels, d.Metadata.Annotations = map[string]string{}, map[string]string{}
	maps.Copy(d.Metadata.Labels, f.Labels)
	maps.Copy(d.Metadata.Annotations, f.Annotations)
	maps.Copy(d.Metadata.Annotations, f.local)
	if f.ID != "" {
		d.Metadata.Labels[object.InventoryID] = f.ID
	}
	var root yaml.Node
	if err := root.Encode(d); err != nil {
		return nil, fmt.Errorf("write %s: %w", f, err)
	}
	meta := find(&root, "metadata")
	carry(inventory, meta)
	for _, e := range pairs(inventory.value) {
		if e.key.Value == "inventoryID" {
			carry(e, find(find(meta.value, "labels").value, object.InventoryID))
			continue
		}
		to := find(meta.value, e.key.Value)
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

// find returns the entry of a mapping, with nodes that are nil if the key is missing.
func find(n *yaml.Node, key string) pair {
	for _, e := range pairs(n) {
		if e.key.Value == key {
			return e
		}
	}
	return pair{}
}

// carry copies comments. Those at the end of a line stay there.
func carry(from, to pair) {
	if from.key == nil || to.key == nil {
		return
	}
	to.key.HeadComment, to.key.LineComment, to.key.FootComment = from.key.HeadComment, from.key.LineComment, from.key.FootComment
	to.value.HeadComment, to.value.LineComment = from.value.HeadComment, from.value.LineComment
}
