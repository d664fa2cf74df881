//go:build !nonative

package native

import (
	"fmt"

	"github.com/kong/go-database-reconciler/pkg/diff"
	"github.com/kong/go-database-reconciler/pkg/state"

	"kongctl/internal/target/gateway"
)

// outcome is what came of a pass.
type outcome struct {
	session *session
	changes []gateway.Change
	failed  []failure
}

// failure is a change that did not succeed.
type failure struct {
	change gateway.Change
	err    error
}

var actions = map[diff.ReconcileAction]gateway.Action{
	diff.CreateAction: gateway.Create, diff.UpdateAction: gateway.Update, diff.DeleteAction: gateway.Remove,
}

// add takes one result. It runs on a goroutine of its own, so it must not fail.
func (o *outcome) add(a diff.EntityAction) {
	defer func() {
		if p := recover(); p != nil {
			o.failed = append(o.failed, failure{err: fmt.Errorf("show what happened to a %s: %v", a.Entity.Kind, p)})
		}
	}()
	c, err := o.session.change(a)
	if err == nil {
		err = a.Error
	}
	switch {
	case err != nil:
		o.failed = append(o.failed, failure{c, err})
	case c.Action != gateway.Update || len(c.ChangedFields) > 0:
		o.changes = append(o.changes, c)
	}
}

// change puts a result in our words.
func (s *session) change(a diff.EntityAction) (gateway.Change, error) {
	c := gateway.Change{Kind: a.Entity.Kind, Action: actions[a.Action]}
	after, err := s.object(a.Entity.New)
	if err != nil {
		return c, err
	}
	c.Name = gateway.Mask(gateway.Name(c.Kind, after), s.request.Secrets)
	if c.Action != gateway.Update {
		return c, nil
	}
	before, err := s.object(a.Entity.Old)
	if err != nil {
		return c, err
	}
	c.ChangedFields = gateway.Changed(c.Kind, before, after, s.request.Secrets)
	return c, nil
}

func (s *session) object(entity any) (map[string]any, error) {
	m, err := gateway.Object(entity)
	s.refs.name(m)
	return m, err
}

// references are names by id. After a write the library has stripped them from
// what it hands out.
type references map[string]map[string]string // field of the reference, id, name

func referencesOf(states ...*state.KongState) (references, error) {
	out := references{"service": {}, "route": {}, "consumer": {}, "consumer_group": {}, "model": {}}
	put := func(field string, id, name *string) {
		if id != nil && name != nil {
			out[field][*id] = *name
		}
	}
	for _, s := range states {
		services, err := s.Services.GetAll()
		if err != nil {
			return nil, err
		}
		for _, x := range services {
			put("service", x.ID, x.Name)
		}
		routes, err := s.Routes.GetAll()
		if err != nil {
			return nil, err
		}
		for _, x := range routes {
			put("route", x.ID, x.Name)
		}
		consumers, err := s.Consumers.GetAll()
		if err != nil {
			return nil, err
		}
		for _, x := range consumers {
			put("consumer", x.ID, x.Username)
		}
		groups, err := s.ConsumerGroups.GetAll()
		if err != nil {
			return nil, err
		}
		for _, x := range groups {
			put("consumer_group", x.ID, x.Name)
		}
		models, err := s.AIModels.GetAll()
		if err != nil {
			return nil, err
		}
		for _, x := range models {
			put("model", x.ID, x.Name)
		}
	}
	return out, nil
}

// name writes the names of referred entities beside their ids.
func (r references) name(entity map[string]any) {
	for field, names := range r {
		ref, ok := entity[field].(map[string]any)
		if !ok {
			continue
		}
		id, _ := ref["id"].(string)
		if name := names[id]; name != "" {
			key := "name"
			if field == "consumer" {
				key = "username"
			}
			ref[key] = name
		}
	}
}
