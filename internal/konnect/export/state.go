package export

import (
	"fmt"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/plan"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// A state is a configuration with one document before it: the labels of ours
// that every root carries, by ref. A root that carries none has an empty entry,
// and is made without any.
const (
	keyState  = "_state"
	stateHead = "# The state of a Konnect, for: kongctl local start --seed FILE\n" +
		"# The first document holds the labels that mark what is managed; without it\n" +
		"# the rest is a configuration as any other.\n"
)

// state is the document with the labels.
func (w *writer) state(roots []*Resource) value.Value {
	labels := map[string]any{}
	for _, r := range roots {
		if !r.Type.HasLabels() {
			continue
		}
		own := map[string]any{}
		for k, v := range catalog.Labels(r.Object) {
			if label.Ours(k) {
				own[k] = v
			}
		}
		labels[w.names.refs[r]] = own
	}
	return value.From(value.Pos{}, map[string]any{keyState: map[string]any{keyLabels: labels}})
}

// State is what a configuration cannot say of an embedded Konnect.
type State struct {
	labels map[string]map[string]string // by ref
}

// TakeState takes the state out of documents; nil when there is none.
func TakeState(docs []source.Document) ([]source.Document, *State, diag.List) {
	var rest []source.Document
	var state *State
	var diags diag.List
	for _, d := range docs {
		v := d.Root.Field(keyState)
		if v.IsAbsent() || len(d.Root.Keys()) != 1 {
			rest = append(rest, d)
			continue
		}
		if state == nil {
			state = &State{labels: map[string]map[string]string{}}
		}
		state.read(v.Field(keyLabels), &diags)
	}
	return rest, state, diags
}

func (s *State) read(v value.Value, diags *diag.List) {
	for _, e := range v.Entries() {
		own := map[string]string{}
		for _, entry := range e.Value.Entries() {
			text, ok := entry.Value.Text()
			if !ok || !label.Ours(entry.Key) {
				diags.Add(diag.CfgMeta, entry.KeyPos, fmt.Sprintf("The labels of a state begin with %s and are texts.", label.Prefix), "write the state again with kongctl local export.")
				continue
			}
			own[entry.Key] = text
		}
		s.labels[e.Key] = own
	}
}

// Restore lets a plan that fills an embedded Konnect make resources with the
// labels they had, and siblings in the order they had. What could not be exported gets a value that serves: the
// embedded Konnect makes no use of secrets.
func (s *State) Restore(cat *catalog.Catalog, p *plan.Plan, env func(string) (string, bool)) {
	KeepOrder(cat, p)
	for _, c := range p.Changes {
		t := cat.Kind(c.ResourceType)
		if t == nil {
			continue
		}
		if own, ok := s.labels[c.ResourceRef]; ok && c.Action == plan.Create && t.HasLabels() {
			relabel(c.Fields, own)
		}
		c.SecretWrites = madeUp(t, c, env)
		stand(c.Fields, nil, t.Example)
	}
}

func relabel(fields map[string]any, own map[string]string) {
	labels := map[string]any{}
	given, _ := fields[keyLabels].(map[string]any)
	for k, v := range given {
		if !label.Ours(k) {
			labels[k] = v
		}
	}
	for k, v := range own {
		labels[k] = v
	}
	if len(labels) == 0 {
		delete(fields, keyLabels)
		return
	}
	fields[keyLabels] = labels
}

const noSecret = "not-the-secret"

// madeUp gives secrets whose variable is not set a text that is none, and
// returns the others.
func madeUp(t *catalog.Bound, c *plan.Change, env func(string) (string, bool)) []plan.Expression {
	var rest []plan.Expression
	for _, e := range c.SecretWrites {
		from, _ := e.Expression["source"].(map[string]any)
		name, isEnv := from[string(value.OpEnv)].(string)
		if _, set := env(name); !isEnv || set {
			rest = append(rest, e)
			continue
		}
		p := value.ParsePath(e.Field)
		value.Set(c.Fields, p, t.StandIn(p.Generic(), noSecret))
	}
	return rest
}

// stand puts the type's example where a placeholder stands.
func stand(fields any, p value.Path, example map[string]any) {
	m, ok := fields.(map[string]any)
	if !ok {
		return
	}
	for k, v := range m {
		if v == catalog.Placeholder {
			if x, ok := value.Get(example, p.Child(k)); ok {
				m[k] = x
			}
			continue
		}
		stand(v, p.Child(k), example)
	}
}
