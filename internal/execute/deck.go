package execute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kongctl/internal/resource"

	"kongctl/internal/gateway"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// InputError says that a file is not what it was when the plan was made.
type InputError struct {
	File string
	// Gone tells that it is not there any more.
	Gone bool
}

func (e *InputError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s, which the plan was made of, is not there any more", e.File)
	}
	return fmt.Sprintf("%s has changed since the plan was made; make a new plan", e.File)
}

// prepareDeck reads what decK needs: nothing is written when a part is missing
// or not what the plan was made of.
func (r *run) prepareDeck(c *plan.Change) error {
	if r.Gateway == nil || c.Parent == nil {
		return errors.New("this program cannot run decK for this plan")
	}
	req, err := r.deckRequest(c)
	r.decks[c.ID] = req
	return err
}

// DeckRequest is what a change of decK asks for. The control plane has no id
// yet.
func DeckRequest(in Input, c *plan.Change) (gateway.Request, error) {
	return newRun(in, nil).deckRequest(c)
}

func (r *run) deckRequest(c *plan.Change) (req gateway.Request, err error) {
	w, err := c.DeckWork()
	if err != nil {
		return req, err
	}
	defer func() { req.Secrets = gateway.WithParts(req.Secrets) }()
	req = gateway.Request{ControlPlane: gateway.ControlPlane{Name: c.ResourceName}, Mode: w.Mode, Flags: w.Flags()}
	for _, name := range w.Files {
		raw, err := r.deckFile(name)
		if err != nil {
			return req, err
		}
		d, diags := gateway.Read(name, raw, listed(w.Variables, r.Env))
		if err := diags.Err(); err != nil {
			return req, err
		}
		req.Files = append(req.Files, d.File())
		req.Secrets = append(req.Secrets, d.Secrets...)
	}
	if !w.Inline {
		return req, nil
	}
	state, secrets, err := r.deckState(c)
	req.Files = append(req.Files, gateway.File{Name: gateway.InlineName(c.ResourceRef), Content: state})
	req.Secrets = append(req.Secrets, secrets...)
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

// deckFile reads a file that the plan names, and refuses one that has changed.
func (r *run) deckFile(name string) ([]byte, error) {
	at := slices.IndexFunc(r.Plan.Metadata.Inputs, func(in plan.Input) bool { return in.File == name })
	if at < 0 {
		return nil, fmt.Errorf("the plan does not say what is in %s", name)
	}
	raw, err := r.folders().ReadFile(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &InputError{File: name, Gone: true}
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	if hex.EncodeToString(sum[:]) != r.Plan.Metadata.Inputs[at].SHA256 {
		return nil, &InputError{File: name}
	}
	return raw, nil
}

// deckState fills in what the plan does not hold of a state.
func (r *run) deckState(c *plan.Change) (state []byte, secrets []string, err error) {
	fields, _ := value.Clone(c.Fields).(map[string]any)
	for _, e := range c.Expressions {
		v, err := r.evaluate(e.Expression)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.Field, err)
		}
		p := value.ParsePath(e.Field)
		value.Set(fields, p, gateway.FieldSchema(r.Catalog, p[1:]).Coerce(v))
		if text, ok := v.(string); ok {
			secrets = append(secrets, text)
		}
	}
	for _, e := range c.SecretWrites {
		text, hidden, err := r.secret(e.Expression)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.Field, err)
		}
		value.Set(fields, value.ParsePath(e.Field), text)
		secrets = append(secrets, hidden...)
	}
	held := fields["state"]
	if held == nil {
		held = map[string]any{} // nothing of it all
	}
	state, err = gateway.InlineContent(held)
	return state, secrets, err
}

// deck runs decK and looks up the services that others wait for.
func (r *run) deck(ctx context.Context, c *plan.Change, ancestors []string) (*resource.Object, error) {
	done, err := r.Gateway.Run(ctx, r.deckOn(c, ancestors))
	r.mu.Lock()
	r.entities[c.ID] = done
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return r.services(ctx, c, ancestors)
}

// deckOn is the request for a control plane that is there.
func (r *run) deckOn(c *plan.Change, ancestors []string) gateway.Request {
	req := r.decks[c.ID]
	req.ControlPlane.ID = ancestors[len(ancestors)-1]
	return req
}

// deck looks whether decK still has to do what the plan says, and nothing else.
func (k *checker) deck(ctx context.Context, c *plan.Change, s remote.Scope) error {
	r := k.run
	now, err := r.Gateway.Diff(ctx, r.deckOn(c, s.Ancestors))
	switch {
	case resource.Missing(err):
		k.moved(Moved{Change: c, Why: "what it belongs to does not exist any more"})
		return nil
	case err != nil:
		return err
	case len(now) == 0:
		return k.deckDone(ctx, c, s)
	}
	for _, x := range now {
		if !slices.ContainsFunc(c.GatewayChanges, func(y gateway.Change) bool { return sameChange(x, y) }) {
			k.moved(Moved{Change: c, Why: fmt.Sprintf("the gateway has changed: decK would now %s %s %s", strings.ToLower(string(x.Action)), x.Kind, x.Name)})
			return nil
		}
	}
	return nil
}

func (k *checker) deckDone(ctx context.Context, c *plan.Change, s remote.Scope) error {
	o, err := k.run.services(ctx, c, s.Ancestors)
	if err != nil {
		return err
	}
	k.done(c, s, o)
	return nil
}

// sameChange compares what is planned with what would be done now.
func sameChange(x, y gateway.Change) bool {
	if x.Kind != y.Kind || x.Name != y.Name || x.Action != y.Action || x.Fingerprint != y.Fingerprint || len(x.ChangedFields) != len(y.ChangedFields) {
		return false
	}
	for field, a := range x.ChangedFields {
		b, ok := y.ChangedFields[field]
		if !ok || !value.Equal(a.Old, b.Old) || !value.Equal(a.New, b.New) {
			return false
		}
	}
	return true
}
