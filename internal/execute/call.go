package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// call makes the one call of a change and returns what it made.
func (r *run) call(ctx context.Context, c *plan.Change, ancestors []string) (*resource.Object, error) {
	if c.Action == plan.ExternalTool {
		return r.deck(ctx, c, ancestors)
	}
	scope := remote.Scope{Type: r.Catalog.Kind(c.ResourceType), Ancestors: ancestors}
	if c.Action == plan.Delete {
		return &resource.Object{ID: c.ResourceID}, r.Target.Delete(ctx, scope, c.ResourceID)
	}
	id, w, err := r.filled(c)
	if err != nil {
		return nil, err
	}
	return r.write(ctx, scope, id, c, w)
}

// filled is what a change sends, with the values that earlier changes made.
func (r *run) filled(c *plan.Change) (id string, w remote.Write, err error) {
	t := r.Catalog.Kind(c.ResourceType)
	w = r.writes[c.ID]
	id = c.ResourceID
	for path, ref := range c.References {
		if ref.Change == "" {
			continue
		}
		v, err := r.made(ref)
		if err != nil {
			return "", w, fmt.Errorf("%s: %w", path, err)
		}
		if path == t.MapKey {
			id, _ = v.(string)
			continue
		}
		p := value.ParsePath(path)
		if ref.ID == plan.PendingDeck {
			v = plan.AsText(t.Write().At(p.Generic(), nil), v)
		}
		value.Set(w.Fields, p, v)
	}
	date(w.Fields, func() string { return r.Now().UTC().Format(label.TimeForm) })
	return id, w, nil
}

// date writes the time of the write where the plan leaves it open.
func date(fields map[string]any, now func() string) {
	labels, _ := fields["labels"].(map[string]any)
	for k, v := range labels {
		if v == plan.NowText {
			labels[k] = now()
		}
	}
}

// ancestors are the ids above a change; those that this run made are known by
// now.
func (r *run) ancestors(c *plan.Change) ([]string, error) {
	if c.Parent == nil {
		return nil, nil
	}
	if c.Parent.Change == "" {
		return c.Parent.Ancestors, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.done[c.Parent.Change]
	if o == nil {
		return nil, fmt.Errorf("the plan does not order %s after %s", c.ID, c.Parent.Change)
	}
	return append(slices.Clone(r.above[c.Parent.Change]), o.ID), nil
}

// made is the value that an earlier change brought about.
func (r *run) made(ref plan.Reference) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.done[ref.Change]
	switch {
	case o == nil:
		return nil, fmt.Errorf("the plan does not order this after %s", ref.Change)
	case ref.ID == plan.PendingDeck:
		return ofService(o, ref)
	case ref.Field == "":
		return o.ID, nil
	}
	v, ok := value.Get(o.Fields, value.ParsePath(ref.Field))
	if !ok {
		return nil, fmt.Errorf("%s %s has no %s after its change", ref.Type, ref.Ref, ref.Field)
	}
	return v, nil
}

// prepare refuses a plan that asks for what its kind does not allow, and puts
// together what every change sends, except for what other changes make, so that
// nothing is written when a part is missing.
func (r *run) prepare() error {
	if !r.Seed {
		if err := plan.Validate(r.Plan, r.Catalog); err != nil {
			return err
		}
	}
	var problems []error
	for _, c := range r.Plan.Changes {
		if err := r.prepareChange(c); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name(c), err))
		}
	}
	return errors.Join(problems...)
}

// name is what people call what a change is about.
func name(c *plan.Change) string {
	if c.Action == plan.ExternalTool && c.Parent != nil {
		return fmt.Sprintf("decK on %s %s", c.Parent.Type, c.ResourceRef)
	}
	return c.ResourceType + " " + c.ResourceRef
}

func (r *run) prepareChange(c *plan.Change) error {
	if c.Action == plan.ExternalTool {
		return r.prepareDeck(c)
	}
	t := r.Catalog.Kind(c.ResourceType)
	fields, _ := value.Clone(c.Fields).(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	w := remote.Write{Fields: fields}
	for _, e := range c.Expressions {
		p := value.ParsePath(e.Field)
		v, err := r.evaluate(e.Expression)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Field, err)
		}
		value.Set(fields, p, t.Write().At(p.Generic(), nil).Coerce(v))
	}
	for _, e := range c.SecretWrites {
		s, hidden, err := r.secret(e.Expression)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Field, err)
		}
		value.Set(fields, value.ParsePath(e.Field), s)
		w.Secrets = append(w.Secrets, hidden...)
	}
	r.writes[c.ID] = w
	return r.acceptable(c, w, true)
}
