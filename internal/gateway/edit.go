package gateway

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// Edit is what decK does to one entity, in JSON's form and as decK tells it:
// After is what is made or removed.
type Edit struct {
	Kind          string
	Action        plan.Action
	Before, After map[string]any
}

// Names are those of entities, by id.
type Names map[string]string

// Add takes the name of an entity, where it has one.
func (n Names) Add(entity map[string]any) {
	if id := text(entity, "id"); id != "" {
		if name := reference(entity); name != "" {
			n[id] = name
		}
	}
}

// New stands for an id that is generated each time.
const New = "[new]"

// Wording puts edits in the words of a plan.
type Wording struct {
	names   Names
	made    map[string]bool // ids of entities that are made
	secrets *masker
}

// NewWording knows the names that edits have, and others besides.
func NewWording(edits []Edit, known Names, secrets []string) *Wording {
	w := &Wording{names: Names{}, made: map[string]bool{}, secrets: newMasker(secrets)}
	maps.Copy(w.names, known)
	for _, e := range edits {
		w.names.Add(e.Before)
		w.names.Add(e.After)
		if e.Action == plan.Create {
			w.made[text(e.After, "id")] = true
		}
	}
	return w
}

// Changes are edits in the words of a plan, sorted. An update that changes
// nothing is left out.
func (w *Wording) Changes(edits []Edit) []plan.Part {
	var out []plan.Part
	for _, e := range edits {
		if c := w.change(e); c.Action != plan.Update || len(c.ChangedFields) > 0 {
			out = append(out, c)
		}
	}
	Sort(out)
	return out
}

// Name is what an edit's entity is called.
func (w *Wording) Name(e Edit) string { return w.secrets.mask(Name(e.Kind, w.refer(e.After))) }

func (w *Wording) change(e Edit) plan.Part {
	c := plan.Part{Kind: e.Kind, Action: e.Action, Name: w.Name(e)}
	switch e.Action {
	case plan.Update:
		c.ID = text(e.Before, "id")
		c.ChangedFields = changed(e.Kind, w.refer(e.Before), w.refer(e.After), w.secrets)
		c.Fingerprint = fingerprint(e.Kind, e.Before, e.After, w.secrets)
	case plan.Delete:
		c.ID = text(e.After, "id")
		c.Fingerprint = fingerprint(e.Kind, e.After, nil, w.secrets)
	case plan.Create, plan.ExternalTool:
	}
	return c
}

// Done are changes that were made: what was there before them is gone.
func Done(changes []plan.Part) []plan.Part {
	out := slices.Clone(changes)
	for i := range out {
		out[i].Fingerprint, out[i].ID = "", ""
	}
	return out
}

// refer is an entity with the names of those it refers to instead of their ids.
// An id without a name stays, unless it is a new one.
func (w *Wording) refer(entity map[string]any) map[string]any {
	out := make(map[string]any, len(entity))
	for field, v := range entity {
		switch v := v.(type) {
		case map[string]any:
			out[field] = v
			if field != "config" {
				out[field] = w.reference(field, v)
			}
		case []any:
			out[field] = v
			if field == "partials" {
				out[field] = w.references(v)
			}
		default:
			out[field] = v
		}
	}
	return out
}

func (w *Wording) references(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
		if m, ok := v.(map[string]any); ok {
			out[i] = w.reference("", m)
		}
	}
	return out
}

func (w *Wording) reference(field string, ref map[string]any) map[string]any {
	id, name := text(ref, "id"), "name"
	if field == kindConsumer {
		name = "username"
	}
	if id == "" {
		return ref
	}
	out := maps.Clone(ref)
	switch {
	case named(ref):
	case w.names[id] != "":
		out[name] = w.names[id]
	case w.made[id]:
		out["id"] = New
		return out
	default:
		return out
	}
	if field == "" {
		delete(out, "id") // in lists, which are compared as a whole
	}
	return out
}

// Unnamed tells of an update that refers to another entity than before, of which
// nobody knows what it is called.
func (w *Wording) Unnamed(edits []Edit) bool {
	return slices.ContainsFunc(edits, func(e Edit) bool {
		return e.Action == plan.Update && !maps.Equal(w.ids(e.Before), w.ids(e.After))
	})
}

// ids are those of entities that one refers to and whose names are not known.
func (w *Wording) ids(entity map[string]any) map[string]bool {
	out := map[string]bool{}
	add := func(v any) {
		m := asMap(v)
		if id := text(m, "id"); uuid.MatchString(id) && !named(m) {
			out[id] = true
		}
	}
	for field, v := range w.refer(entity) {
		add(v)
		if list, ok := v.([]any); ok && field == "partials" {
			for _, x := range list {
				add(x)
			}
		}
	}
	return out
}
