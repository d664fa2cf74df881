package gateway

import (
	"encoding/json"
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Work is what a change of decK does, as a plan holds it.
type Work struct {
	Mode Mode `json:"mode"`
	// Files are named from where the plan is.
	Files []string `json:"files,omitempty"`
	// Listings are the folders and patterns that the files were found in, named
	// like files.
	Listings []string `json:"listings,omitempty"`
	// Variables are those that the files' templates read.
	Variables     []string `json:"variables,omitempty"`
	SelectTags    []string `json:"select_tags,omitempty"`
	SkipConsumers bool     `json:"skip_consumers,omitempty"`
	Parallelism   int      `json:"parallelism,omitempty"`
	// Written are the flags as they stand in the configuration, for those who read
	// the plan; decK gets what the fields above say.
	Written []string `json:"flags,omitempty"`
	// Inline tells that the state stands in the plan itself, in State, empty or
	// not; its expressions are the change's.
	Inline bool           `json:"inline,omitempty"`
	State  map[string]any `json:"state,omitempty"`
}

// Fields is the work as the fields of a change.
func (w Work) Fields() (map[string]any, error) {
	raw, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	data, err := value.Decode(raw) // numbers keep their digits
	out, _ := data.(map[string]any)
	return out, err
}

// Flags are what is said besides files.
func (w Work) Flags() Flags {
	return Flags{SelectTags: w.SelectTags, SkipConsumers: w.SkipConsumers, Parallelism: w.Parallelism, Written: w.Written}
}

// WorkOf reads the fields of a change of decK.
func WorkOf(c *plan.Change) (Work, error) {
	var w Work
	raw, err := json.Marshal(c.Fields)
	if err == nil {
		err = json.Unmarshal(raw, &w)
	}
	switch {
	case err != nil:
		return w, fmt.Errorf("the plan does not say what decK is to do: %w", err)
	case w.Mode != Apply && w.Mode != Sync && w.Mode != Delete:
		return w, fmt.Errorf("decK has no mode %q", w.Mode)
	}
	return w, nil
}

// stateOf takes a state apart that stands in a configuration: what a plan may
// hold, and the expressions that it does not. Base is the folder that files are
// below, relative to the plan.
func stateOf(v value.Value, base string) (state map[string]any, expressions, secrets []plan.Expression) {
	plain := v.Plain(func(p value.Path, e *value.Expression) any {
		field := append(value.Path{"state"}, p...).String()
		if e.Op == value.OpSecret {
			secrets = append(secrets, plan.Expression{Field: field, Expression: plan.SecretExpression(e, base)})
		} else {
			expressions = append(expressions, plan.Expression{Field: field, Expression: plan.NewExpression(e, base)})
		}
		return plan.Hidden
	})
	state, _ = unescape(plain).(map[string]any)
	return state, expressions, secrets
}
