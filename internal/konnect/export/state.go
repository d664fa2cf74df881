package export

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// A state is a configuration with one document before it: the labels of ours
// that every root carries, by ref. A root that carries none has an empty entry,
// and is made without any.
const (
	keyState     = "_state"
	keyVariables = "variables"
	keyRegion    = "region"

	// StateHead begins the file of a state.
	StateHead = "# The state of a Konnect, for: kongctl local start --seed FILE\n" +
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
	state := map[string]any{keyLabels: labels}
	if made := w.standIns(); len(made) > 0 {
		state[keyVariables] = made
	}
	if w.o.Region != "" {
		state[keyRegion] = w.o.Region
	}
	return value.From(value.Pos{}, map[string]any{keyState: state})
}

// State is what a configuration cannot say of an embedded Konnect.
type State struct {
	labels map[string]map[string]string // by ref
	// Variables are those that a configuration takes secrets from, with what
	// serves where they are not set.
	Variables map[string]string
	// Regions are the others of the same documents, in their order.
	Regions []string
}

// TakeState takes the state of a region out of documents, or nil.
// What follows a state in its file belongs to the region that it names, up to the
// next one.
func TakeState(docs []source.Document, region string) ([]source.Document, *State, diag.List) {
	var rest []source.Document
	var state *State
	var diags diag.List
	here, file := "", ""
	for _, d := range docs {
		if f := d.Root.Pos().File; f != file {
			here, file = "", f
		}
		v := d.Root.Field(keyState)
		isState := !v.IsAbsent() && len(d.Root.Keys()) == 1
		if isState {
			here, _ = v.Field(keyRegion).Text()
			if state == nil {
				state = &State{labels: map[string]map[string]string{}, Variables: map[string]string{}}
			}
			if here != "" && here != region && !slices.Contains(state.Regions, here) {
				state.Regions = append(state.Regions, here)
			}
		}
		switch {
		case here != region:
		case isState:
			state.read(v, &diags)
		default:
			rest = append(rest, d)
		}
	}
	return rest, state, diags
}

func (s *State) read(v value.Value, diags *diag.List) {
	const fix = "write the state again with kongctl local export."
	for _, e := range v.Field(keyLabels).Entries() {
		own := map[string]string{}
		for _, entry := range e.Value.Entries() {
			text, ok := entry.Value.Text()
			if !ok || !label.Ours(entry.Key) {
				diags.Add(diag.CfgMeta, entry.KeyPos, fmt.Sprintf("The labels of a state begin with %s and are texts.", label.Prefix), fix)
				continue
			}
			own[entry.Key] = text
		}
		s.labels[e.Key] = own
	}
	for _, e := range v.Field(keyVariables).Entries() {
		text, ok := e.Value.Text()
		if !ok {
			diags.Add(diag.CfgMeta, e.KeyPos, "The variables of a state are texts.", fix)
			continue
		}
		s.Variables[e.Key] = text
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

// madeUp gives secrets whose variable is not set a placeholder, and
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
