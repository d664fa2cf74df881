package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Foreign reports whether another program wrote the plan: it has no seal, does not
// say which organization it is for, and expects nothing of what exists. It can be
// shown; to be executed, it must be stated again in this program's terms.
func (p *Plan) Foreign() bool { return p.foreign }

// Deferred refuses a foreign plan with placeholders that cannot be carried out: they
// must never be written as the texts that they are.
func (p *Plan) Deferred() error {
	if len(p.deferred) == 0 {
		return nil
	}
	return &InvalidError{Problems: p.deferred}
}

// ParseForeign reads a plan of Kong's own tool; nil where the document is another one.
// Such a plan has a version, a mode and changes like ours, and neither a seal nor
// metadata.plan_version.
func ParseForeign(raw []byte) (*Plan, error) {
	var head struct {
		Metadata map[string]any `json:"metadata"`
		Changes  *[]any         `json:"changes"`
	}
	if readable := wellFormed(raw) == nil && json.Unmarshal(raw, &head) == nil; !readable || head.Changes == nil {
		return nil, nil
	}
	version, _ := head.Metadata["version"].(string)
	for _, own := range []string{"plan_version", "seal", "organization", "sync_scope"} {
		if _, there := head.Metadata[own]; there || version == "" {
			return nil, nil
		}
	}
	var doc foreignPlan
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("read plan: %w", PlainJSON(err))
	}
	if err := ended(dec); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	p, err := doc.plan()
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return p, nil
}

// foreignPlan is what is read of a plan of another program. What only describes its
// changes is left out.
type foreignPlan struct {
	Metadata struct {
		Version     string `json:"version"`
		GeneratedAt string `json:"generated_at"`
		Generator   string `json:"generator"`
		Mode        Mode   `json:"mode"`
	} `json:"metadata"`
	Changes         []*foreignChange `json:"changes"`
	ExecutionOrder  []string         `json:"execution_order"`
	ExecutionGroups [][]string       `json:"execution_groups"`
	Warnings        []Warning        `json:"warnings"`
}

type foreignChange struct {
	ID            string                      `json:"id"`
	ResourceType  string                      `json:"resource_type"`
	ResourceRef   string                      `json:"resource_ref"`
	ResourceName  string                      `json:"resource_name"`
	ResourceID    string                      `json:"resource_id"`
	Namespace     string                      `json:"namespace"`
	Action        Action                      `json:"action"`
	Fields        map[string]any              `json:"fields"`
	ChangedFields map[string]OldNew           `json:"changed_fields"`
	References    map[string]foreignReference `json:"references"`
	Parent        *struct {
		Ref string `json:"ref"`
		ID  string `json:"id"`
	} `json:"parent"`
	Protection   any `json:"protection"`
	SecretWrites []struct {
		Field      string `json:"field"`
		Expression struct {
			Parts []struct {
				Literal string `json:"literal"`
				Source  *struct {
					Kind      string `json:"kind"`
					Reference string `json:"reference"`
					Extract   string `json:"extract"`
				} `json:"source"`
			} `json:"parts"`
		} `json:"expression"`
	} `json:"secret_writes"`
	DependsOn []string `json:"depends_on"`
}

type foreignReference struct {
	Ref         string   `json:"ref"`
	ID          string   `json:"id"`
	Refs        []string `json:"refs"`
	ResolvedIDs []string `json:"resolved_ids"`
}

// plan is the plan in the form of ours.
func (d *foreignPlan) plan() (*Plan, error) {
	m := d.Metadata
	if major, _, _ := strings.Cut(m.Version, "."); major != "1" {
		return nil, fmt.Errorf("format version %s, and this program reads %s", m.Version, Version)
	}
	p := &Plan{
		Metadata: Metadata{
			PlanVersion: Version, VersionAlias: Version, GeneratedAt: m.GeneratedAt, GeneratedBy: m.Generator, Generator: m.Generator, Mode: m.Mode,
			SyncScope: Scope{Prune: resource.PruneDeclared, Namespaces: []string{}, ResourceTypes: []string{}},
		},
		ExecutionOrder: d.ExecutionOrder, ExecutionGroups: d.ExecutionGroups, Warnings: d.Warnings, foreign: true,
	}
	for i, x := range d.Changes {
		if x == nil {
			return nil, fmt.Errorf("change %d is empty", i+1)
		}
		c, unread, err := x.change()
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", x.ID, err)
		}
		p.deferred = append(p.deferred, unread...)
		p.Changes = append(p.Changes, c)
		p.Metadata.SyncScope.ResourceTypes = Union(p.Metadata.SyncScope.ResourceTypes, []string{c.ResourceType})
		if c.Namespace != "" {
			p.Metadata.SyncScope.Namespaces = Union(p.Metadata.SyncScope.Namespaces, []string{c.Namespace})
		}
	}
	slices.Sort(p.Metadata.SyncScope.Namespaces)
	slices.Sort(p.Metadata.SyncScope.ResourceTypes)
	p.Summarize()
	return p, p.sound()
}

// change is the change in the form of ours, and what its placeholders are refused for.
func (x *foreignChange) change() (*Change, []string, error) {
	c := &Change{
		ID: x.ID, ResourceType: x.ResourceType, ResourceRef: x.ResourceRef, ResourceName: x.ResourceName, ResourceID: x.ResourceID,
		Namespace: x.Namespace, Action: x.Action, Fields: x.Fields, DependsOn: x.DependsOn, References: map[string]Reference{},
	}
	if c.ResourceType == "" || c.ResourceRef == "" {
		return nil, nil, errors.New("it does not say which resource it changes")
	}
	texts := &foreignTexts{c: c}
	texts.literal("resource_ref", x.ResourceRef)
	texts.literal("resource_id", x.ResourceID)
	texts.literal("namespace", x.Namespace)
	if x.Parent != nil {
		c.Parent = texts.parent(x.Parent.Ref, x.Parent.ID)
	}
	for _, key := range slices.Sorted(maps.Keys(x.References)) {
		x.reference(texts, indexed(strings.Split(key, ".")), x.References[key])
	}
	x.differences(c)
	texts.fields()
	c.ResourceName = named(c)
	err := x.secrets(texts)
	return c, texts.problems, err
}

// named is the name of a resource; "" where the plan does not hold it.
func named(c *Change) string {
	name, _ := c.Fields["name"].(string)
	_, refers := c.References["name"]
	switch {
	case refers || len(c.VariablesIn("name")) > 0 || foreignText.MatchString(c.ResourceName):
		return ""
	case c.ResourceName != "":
		return c.ResourceName
	default:
		return name
	}
}

// reference adds a reference, or each of a list.
func (x *foreignChange) reference(texts *foreignTexts, at value.Path, r foreignReference) {
	add := func(at value.Path, ref, id string) {
		texts.c.References[at.String()] = texts.reference("references."+at.String(), ref, id)
	}
	if r.Ref != "" || r.ID != "" {
		add(at, r.Ref, r.ID)
	}
	for i, ref := range r.Refs {
		id := ""
		if i < len(r.ResolvedIDs) {
			id = r.ResolvedIDs[i]
		}
		add(at.Index(i), ref, id)
	}
}

// differences shows what an update changes. Fields of older plans hold both values
// themselves.
func (x *foreignChange) differences(c *Change) {
	changed := maps.Clone(x.ChangedFields)
	if changed == nil {
		changed = map[string]OldNew{}
	}
	for key, v := range x.Fields {
		m, ok := v.(map[string]any)
		old, before := m["old"]
		now, after := m["new"]
		if c.Action == Update && ok && before && after && len(m) == 2 {
			c.Fields[key], changed[key] = now, OldNew{Old: old, New: now}
		}
	}
	switch protection := x.Protection.(type) {
	case bool:
		c.Protection = protection
	case map[string]any:
		old, _ := protection["old"].(bool)
		c.Protection, _ = protection["new"].(bool)
		if old != c.Protection {
			changed[ProtectedField] = OldNew{Old: old, New: c.Protection}
		}
	}
	if c.Action == Create && marked(c.Fields) {
		c.Protection = true
	}
	if c.Action != Update {
		return
	}
	var list []FieldChange
	for _, key := range slices.Sorted(maps.Keys(changed)) {
		list = append(list, FieldChange{Field: key, CurrentValue: changed[key].Old, DesiredValue: changed[key].New})
	}
	c.Show(list)
}

// marked reports whether fields have the label that protects.
func marked(fields map[string]any) bool {
	labels, _ := fields["labels"].(map[string]any)
	text, has := labels[resource.ProtectedMark]
	return has && text != nil && text != "false"
}

// secrets adds what is written and not in the plan: texts and variables.
func (x *foreignChange) secrets(texts *foreignTexts) error {
	for _, s := range x.SecretWrites {
		var parts []any
		for _, part := range s.Expression.Parts {
			switch {
			case part.Source == nil:
				texts.literal("secret_writes."+s.Field, part.Literal)
				parts = append(parts, map[string]any{"text": part.Literal})
			case part.Source.Kind == string(value.OpEnv):
				from := &deferred{variable: part.Source.Reference, field: part.Source.Extract}
				parts = append(parts, from.expression())
			default:
				return fmt.Errorf("secret_writes: a secret from %q is not known here", part.Source.Kind)
			}
		}
		e := Expression{Field: pointed(s.Field).String(), Expression: map[string]any{"parts": parts}}
		texts.c.SecretWrites = append(texts.c.SecretWrites, e)
	}
	return nil
}
