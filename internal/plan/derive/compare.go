// Package derive makes plans of plans: it compares and merges them, and makes the
// plan that undoes another.
//
// In: plan documents, and what is there now. Out: comparisons and plans. It is pure
// and must never import a target.
package derive

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/value"
)

// Comparison is how two plans, a and b, differ.
type Comparison struct {
	// Plan is what differs beside the changes: mode, organization, scope, …
	Plan      []FieldPair   `json:"plan"`
	OnlyInA   []ChangeName  `json:"only_in_a"`
	OnlyInB   []ChangeName  `json:"only_in_b"`
	Different []Differing   `json:"different"`
	Same      []ChangeName  `json:"same"`
	Summary   ComparedCount `json:"summary"`
}

// ComparedCount counts the changes.
type ComparedCount struct {
	OnlyInA   int  `json:"only_in_a"`
	OnlyInB   int  `json:"only_in_b"`
	Different int  `json:"different"`
	Same      int  `json:"same"`
	Identical bool `json:"identical"`
}

// ChangeName says which change is meant.
type ChangeName struct {
	ID           string      `json:"id"`
	Action       plan.Action `json:"action"`
	ResourceType string      `json:"resource_type"`
	ResourceRef  string      `json:"resource_ref"`
	Parent       string      `json:"parent,omitempty"`
	Namespace    string      `json:"namespace,omitempty"`
}

// Differing is a resource that both plans change, each in its way.
type Differing struct {
	A      ChangeName  `json:"a"`
	B      ChangeName  `json:"b"`
	Fields []FieldPair `json:"fields"`
}

// FieldPair is a field in both plans. One that is absent is not null.
type FieldPair struct {
	Field    string
	A, B     any
	InA, InB bool
}

// MarshalJSON leaves out the side where the field is absent.
func (f FieldPair) MarshalJSON() ([]byte, error) {
	out := map[string]any{"field": f.Field}
	if f.InA {
		out["a"] = f.A
	}
	if f.InB {
		out["b"] = f.B
	}
	return json.Marshal(out)
}

// Compare compares two plans. When and by whom they were made, in which order
// they list things and volatile labels, which every run writes, do not count.
func Compare(a, b *plan.Plan, volatile ...string) *Comparison {
	out := &Comparison{OnlyInA: []ChangeName{}, OnlyInB: []ChangeName{}, Different: []Differing{}, Same: []ChangeName{}}
	out.Plan = fieldPairs(nil, head(a), head(b))
	paired := pairs(a, b)
	inB := map[*plan.Change]bool{}
	for _, c := range a.Changes {
		other := paired[c]
		if other == nil {
			out.OnlyInA = append(out.OnlyInA, nameOf(a, c))
			continue
		}
		inB[other] = true
		fields := compareChanges(a, b, c, other, volatile)
		if len(fields) == 0 {
			out.Same = append(out.Same, nameOf(a, c))
			continue
		}
		out.Different = append(out.Different, Differing{A: nameOf(a, c), B: nameOf(b, other), Fields: fields})
	}
	for _, c := range b.Changes {
		if !inB[c] {
			out.OnlyInB = append(out.OnlyInB, nameOf(b, c))
		}
	}
	out.Summary = ComparedCount{OnlyInA: len(out.OnlyInA), OnlyInB: len(out.OnlyInB), Different: len(out.Different), Same: len(out.Same)}
	out.Summary.Identical = len(out.Plan)+out.Summary.OnlyInA+out.Summary.OnlyInB+out.Summary.Different == 0
	return out
}

func nameOf(p *plan.Plan, c *plan.Change) ChangeName {
	return ChangeName{ID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Parent: parentName(p, c), Namespace: c.Space()}
}

// parentName is the ref of what a change's resource belongs to, else its id.
func parentName(p *plan.Plan, c *plan.Change) string {
	if c.Parent == nil {
		return ""
	}
	if c.Parent.Ref != "" {
		return c.Parent.Ref
	}
	for _, ref := range slices.Sorted(maps.Keys(p.Metadata.ReferenceMappings)) {
		if p.Metadata.ReferenceMappings[ref] == c.Parent.ID {
			return strings.TrimPrefix(ref, c.Parent.Type+":")
		}
	}
	return c.Parent.ID
}

// pairs finds for the changes of a those of b that are of the same resource: by
// id, else by ref, else by name. The halves of a replace stay apart.
func pairs(a, b *plan.Plan) map[*plan.Change]*plan.Change {
	out := map[*plan.Change]*plan.Change{}
	taken := map[*plan.Change]bool{}
	for _, key := range []func(*plan.Plan, *plan.Change) string{
		func(_ *plan.Plan, c *plan.Change) string { return c.ResourceID },
		func(_ *plan.Plan, c *plan.Change) string { return c.ResourceRef },
		func(_ *plan.Plan, c *plan.Change) string { return c.ResourceName },
	} {
		index := map[string]*plan.Change{}
		for _, c := range slices.Backward(b.Changes) {
			if k := key(b, c); k != "" && !taken[c] {
				index[site(b, c)+k] = c
			}
		}
		for _, c := range a.Changes {
			k := key(a, c)
			other := index[site(a, c)+k]
			if k == "" || out[c] != nil || other == nil || taken[other] {
				continue
			}
			out[c], taken[other] = other, true
		}
	}
	return out
}

// site is where a change's resource is, and which of two changes of one resource
// it is: the halves of a replace, or an update that detaches and one that
// attaches again.
func site(p *plan.Plan, c *plan.Change) string {
	half := "whole"
	if c.Replace && c.Action == plan.Delete || len(c.Detaches) > 0 {
		half = "first"
	}
	return strings.Join([]string{half, c.ResourceType, parentName(p, c), ""}, "\x00")
}

// compareChanges compares what two changes do and what they start from.
func compareChanges(a, b *plan.Plan, x, y *plan.Change, volatile []string) []FieldPair {
	left, right := plainChange(a, x, volatile), plainChange(b, y, volatile)
	if x.Expect != nil && y.Expect != nil && x.Expect.Fingerprint == y.Expect.Fingerprint {
		delete(left, "current_state")
		delete(right, "current_state")
	}
	return fieldPairs(nil, left, right)
}

// plainChange is a change without what says the same twice or only holds in its
// own plan.
func plainChange(p *plan.Plan, c *plan.Change, volatile []string) map[string]any {
	out := plain(c)
	for _, k := range []string{"id", "source", "expect", "execution_context", "changed_fields", "field_changes"} {
		delete(out, k)
	}
	if c.Action == plan.Delete { // what it was found by is part of its state
		delete(out, "fields")
	}
	for _, k := range []string{"fields", "current_state"} {
		m, _ := out[k].(map[string]any)
		labels, _ := m["labels"].(map[string]any)
		for _, name := range volatile {
			delete(labels, name)
		}
		if k == "current_state" {
			delete(m, "updated_at")
		}
	}
	marks, _ := out["marks"].(map[string]any)
	for _, name := range volatile {
		delete(marks, name)
	}
	if len(marks) == 0 {
		delete(out, "marks")
	}
	refs, _ := out["references"].(map[string]any)
	for key, r := range refs {
		m, _ := r.(map[string]any)
		delete(m, "change")
		delete(m, "lookup_fields") // another way to say which resource it is
		if m["parent"] == true {   // the plan says it twice
			delete(refs, key)
		}
	}
	if parent, ok := out["parent"].(map[string]any); ok {
		delete(parent, "change")
	}
	after := []any{}
	for _, id := range c.DependsOn {
		if d := p.Change(id); d != nil {
			after = append(after, strings.ToLower(string(d.Action))+" "+d.ResourceType+" "+d.ResourceRef)
		}
	}
	slices.SortFunc(after, func(x, y any) int { return strings.Compare(x.(string), y.(string)) })
	out["depends_on"] = after
	return out
}

// head is a plan without its changes and without what is of the moment.
func head(p *plan.Plan) map[string]any {
	h := *p
	h.Changes, h.Warnings = nil, slices.Clone(p.Warnings)
	for i := range h.Warnings {
		h.Warnings[i].ChangeID = ""
	}
	h.Dependencies = slices.Clone(p.Dependencies)
	for i := range h.Dependencies {
		h.Dependencies[i].Change = ""
	}
	out := plain(h)
	for _, k := range []string{"changes", "summary", "execution_order", "execution_groups", "diagnostics"} {
		delete(out, k)
	}
	metadata, _ := out["metadata"].(map[string]any)
	for _, k := range []string{"plan_version", "version", "generated_at", "generated_by", "generator", "inputs", "reference_mappings", "names", "seal"} {
		delete(metadata, k)
	}
	return out
}

func plain(x any) map[string]any {
	raw, err := json.Marshal(x)
	if err != nil {
		panic("plan: " + err.Error()) // plans hold plain data
	}
	data, err := value.Decode(raw)
	if err != nil {
		panic("plan: " + err.Error())
	}
	out, _ := data.(map[string]any)
	return out
}

// fieldPairs lists what differs between two mappings, as deep as they go.
func fieldPairs(at value.Path, a, b map[string]any) []FieldPair {
	out := []FieldPair{}
	keys := append(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))...)
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		p := at.Child(k)
		x, inA := a[k]
		y, inB := b[k]
		left, isMap := x.(map[string]any)
		right, both := y.(map[string]any)
		switch {
		case isMap && both:
			out = append(out, fieldPairs(p, left, right)...)
		case inA != inB || !value.Equal(x, y):
			out = append(out, FieldPair{Field: p.String(), A: x, B: y, InA: inA, InB: inB})
		}
	}
	return out
}
