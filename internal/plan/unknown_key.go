package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// unknownKeys lists what stands in a document and this program does not take in:
// a key of another version, or one that is misspelled. It must not be executed,
// for nobody was shown what it means.
func unknownKeys(raw []byte, p *Plan) ([]string, error) {
	written, err := value.Decode(raw)
	if err != nil {
		return nil, err
	}
	again, err := json.Marshal(p.asRead())
	if err != nil {
		return nil, err
	}
	read, err := value.Decode(again)
	if err != nil {
		return nil, err
	}
	if covers(written, read) {
		return nil, nil
	}
	return missing(nil, written, read), nil
}

// covers reports whether another value has all of one, as missing would find; most
// do, and no path needs to be made.
func covers(have, other any) bool {
	switch x := have.(type) {
	case map[string]any:
		y, ok := other.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range x {
			if z, there := y[k]; !there && !value.Empty(v) || there && !covers(v, z) {
				return false
			}
		}
		return true
	case []any:
		y, ok := other.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !covers(x[i], y[i]) {
				return false
			}
		}
		return true
	case string, bool, json.Number, nil:
		return have == other
	default:
		return false
	}
}

// missing are the paths of a value that another one lacks. What is empty may be
// left out.
func missing(at value.Path, have, other any) []string {
	var out []string
	switch x := have.(type) {
	case map[string]any:
		y, _ := other.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if z, ok := y[k]; ok {
				out = append(out, missing(at.Child(k), x[k], z)...)
			} else if !value.Empty(x[k]) || y == nil {
				out = append(out, at.Child(k).String())
			}
		}
	case []any:
		y, _ := other.([]any)
		if len(x) != len(y) {
			return []string{at.String()}
		}
		for i := range x {
			out = append(out, missing(at.Index(i), x[i], y[i])...)
		}
	default:
		if fmt.Sprint(have) != fmt.Sprint(other) && !value.Empty(have) {
			out = append(out, at.String())
		}
	}
	return out
}

// asRead is a document as it was read, in the form of its version.
func (p *Plan) asRead() any {
	type planForm Plan
	changes := make([]*changeForm, len(p.Changes))
	for i, c := range p.Changes {
		changes[i] = (*changeForm)(c)
	}
	return struct {
		*planForm
		Changes []*changeForm `json:"changes"`
	}{(*planForm)(p), changes}
}
