package object

import (
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kongctl/kongctl/internal/value"
)

// Make turns plain data, with numbers of any form, into an object.
func Make(fields map[string]any) (*unstructured.Unstructured, error) {
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	out := map[string]any{}
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	return &unstructured.Unstructured{Object: out}, nil
}

// Fields turns an object into the plain data of the core: numbers are kept as
// they are written.
func Fields(u *unstructured.Unstructured) (map[string]any, error) {
	raw, err := json.Marshal(u.Object)
	if err != nil {
		return nil, fmt.Errorf("decode the object: %w", err)
	}
	out := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("decode the object: %w", err)
	}
	return out, nil
}

// HoldsUnknown reports whether a value has a part that is not known yet.
func HoldsUnknown(x any) bool {
	switch d := x.(type) {
	case value.Unknown:
		return true
	case map[string]any:
		for _, v := range d {
			if HoldsUnknown(v) {
				return true
			}
		}
	case []any:
		for _, v := range d {
			if HoldsUnknown(v) {
				return true
			}
		}
	}
	return false
}
