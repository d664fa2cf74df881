package drive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Sources are where decK's work comes from.
type Sources struct {
	// Types are those that the fields of a state are found by.
	Types  *resource.Types
	Values execute.Values
}

// Request is what a change asks decK for. The control plane has no id yet. Inputs
// say what is in the plan's files; values gives the fields of the change, with
// its expressions evaluated, and what must be hidden of them.
func (s Sources) Request(inputs []plan.Input, c *plan.Change, values func() (map[string]any, []string, error)) (req gateway.Request, err error) {
	w, err := gateway.WorkOf(c)
	if err != nil {
		return req, err
	}
	defer func() { req.Secrets = gateway.WithParts(req.Secrets) }()
	req = gateway.Request{ControlPlane: gateway.ControlPlane{Name: c.ResourceName}, Mode: w.Mode, Flags: w.Flags()}
	for _, name := range w.Files {
		raw, err := s.Values.Input(inputs, name)
		if err != nil {
			return req, err
		}
		d, diags := gateway.Read(name, raw, listed(w.Variables, s.Values.Env))
		if err := diags.Err(); err != nil {
			return req, err
		}
		req.Files = append(req.Files, d.File())
		req.Secrets = append(req.Secrets, d.Secrets...)
	}
	for _, name := range w.Listings {
		if err := s.Values.Complete(name, w.Files, gateway.MayBeState); err != nil {
			return req, err
		}
	}
	if !w.Inline {
		return req, nil
	}
	fields, hidden, err := values()
	if err != nil {
		return req, err
	}
	state, secrets, err := s.state(c, fields)
	req.Files = append(req.Files, gateway.File{Name: gateway.InlineName(c.ResourceRef), Content: state})
	req.Secrets = append(append(req.Secrets, secrets...), hidden...)
	return req, err
}

// listed restricts an environment to the variables that the plan says it reads.
func listed(names []string, env gateway.Env) gateway.Env {
	return func(name string) (string, bool) {
		if !slices.Contains(names, name) {
			return "", false
		}
		return env(name)
	}
}

// state is the state that a plan holds. The texts of variables are secrets, too.
func (s Sources) state(c *plan.Change, fields map[string]any) (state []byte, secrets []string, err error) {
	for _, e := range c.Expressions {
		p := value.ParsePath(e.Field)
		v, _ := value.Get(fields, p)
		if text, ok := v.(string); ok {
			secrets = append(secrets, text)
		}
		value.Set(fields, p, gateway.Coerce(s.Types, p[1:], v))
	}
	held := fields["state"]
	if held == nil {
		held = map[string]any{} // nothing of it all
	}
	state, err = gateway.InlineContent(held)
	return state, secrets, err
}
