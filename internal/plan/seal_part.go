package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Parts are digests of a document's parts, except for white space.
type Parts struct {
	Sections map[string]string `json:"sections"`
	Changes  map[string]string `json:"changes"`
}

// partsOf takes a document apart; the seal is no part.
func partsOf(raw []byte) (*Parts, error) {
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(raw, &sections); err != nil {
		return nil, err
	}
	out := &Parts{Sections: map[string]string{}, Changes: map[string]string{}}
	for name, part := range sections {
		var err error
		switch name {
		case "changes":
			err = out.changes(part)
		case "metadata":
			out.Sections[name], err = metadataDigest(part)
		default:
			out.Sections[name], err = partDigest(part)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

func (p *Parts) changes(raw json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	for _, part := range list {
		var c struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(part, &c); err != nil {
			return err
		}
		sum, err := partDigest(part)
		if err != nil {
			return err
		}
		name := c.ID
		for n := 2; p.Changes[name] != ""; n++ {
			name = fmt.Sprintf("%s (%d)", c.ID, n)
		}
		p.Changes[name] = sum
	}
	return nil
}

func metadataDigest(raw json.RawMessage) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	delete(fields, "seal")
	rest, err := json.Marshal(fields) // sorted, and without white space
	return digest(rest), err
}

func partDigest(raw json.RawMessage) (string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return "", err
	}
	return digest(b.Bytes()), nil
}

// altered names what is not as it was sealed. Blank is the document without its
// digest.
func altered(raw, blank []byte, seal *Seal) []string {
	now, err := partsOf(raw)
	if err != nil {
		return []string{"the plan's form was changed"}
	}
	out := compareParts("", seal.Parts.Sections, now.Sections)
	out = append(out, compareParts("change ", seal.Parts.Changes, now.Changes)...)
	if len(out) > 0 {
		return out
	}
	if seal.Algorithm != sealAlgorithm {
		return []string{"the seal's algorithm was changed"}
	}
	if digest(reformatted(blank)) == seal.Digest {
		return []string{"only white space was changed"}
	}
	return []string{"the seal, or the way in which the plan is written, was changed"}
}

func compareParts(prefix string, sealed, now map[string]string) []string {
	names := map[string]bool{}
	for name := range sealed {
		names[name] = true
	}
	for name := range now {
		names[name] = true
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, there := sealed[name]
		is, still := now[name]
		switch {
		case !there:
			out = append(out, prefix+name+" was added")
		case !still:
			out = append(out, prefix+name+" was removed")
		case was != is:
			out = append(out, prefix+name+" was changed")
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return leading(out[i]) < leading(out[j]) })
	return out
}

// leading is the number that the id of a change begins with.
func leading(text string) (n int) {
	_, _ = fmt.Sscanf(text, "change %d:", &n) // 0 without a number
	return n
}

// reformatted is a document as Write would break and indent it.
func reformatted(raw []byte) []byte {
	var flat, out bytes.Buffer
	if json.Compact(&flat, raw) != nil || json.Indent(&out, flat.Bytes(), "", "  ") != nil {
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}
