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
func unknownKeys(raw []byte) ([]string, error) {
	written, err := value.Decode(raw)
	if err != nil {
		return nil, err
	}
	var p asWritten
	if err := decodeAs(raw, &p); err != nil {
		return nil, err
	}
	again, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	read, err := value.Decode(again)
	if err != nil {
		return nil, err
	}
	return missing(nil, written, read), nil
}

type planForm Plan

// asWritten is a document in the form of whatever version wrote it.
type asWritten struct {
	planForm
	Changes []*changeForm `json:"changes"`
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
