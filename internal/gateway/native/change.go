//go:build !nonative

package native

import (
	"fmt"
	"strings"

	"github.com/kong/go-database-reconciler/pkg/diff"
	"github.com/kong/go-database-reconciler/pkg/utils"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
)

// outcome is what came of a pass.
type outcome struct {
	edits []gateway.Edit
	// errs are those of the edits that did not succeed, by their index.
	errs map[int]error
}

// failure is a change that did not succeed.
type failure struct {
	name         string // what was done to what
	kind, entity string
	err          error
}

var actions = map[diff.ReconcileAction]plan.Action{
	diff.CreateAction: plan.Create, diff.UpdateAction: plan.Update, diff.DeleteAction: plan.Delete,
}

// add takes one result. It runs on a goroutine of its own, so it must not fail.
func (o *outcome) add(a diff.EntityAction) {
	e := gateway.Edit{Kind: a.Entity.Kind, Action: actions[a.Action]}
	fail := func(err error) { o.errs[len(o.edits)] = err }
	defer func() {
		if p := recover(); p != nil {
			fail(fmt.Errorf("show what happened to a %s: %v", e.Kind, p))
		}
		o.edits = append(o.edits, e)
	}()
	var err error
	if e.After, err = gateway.Object(a.Entity.New); err != nil {
		fail(err)
	}
	if e.Before, err = gateway.Object(a.Entity.Old); err != nil {
		fail(err)
	}
	if a.Error != nil {
		fail(a.Error)
	}
}

// result is the outcome in our words.
func (o *outcome) result(known gateway.Names, secrets []string) ([]plan.Part, []failure) {
	words := gateway.NewWording(o.edits, known, secrets)
	var (
		done   []gateway.Edit
		failed []failure
	)
	for i, e := range o.edits {
		if err := o.errs[i]; err != nil {
			name := words.Name(e)
			failed = append(failed, failure{fmt.Sprintf("%s %s %s", strings.ToLower(string(e.Action)), e.Kind, name), e.Kind, name, err})
			continue
		}
		done = append(done, e)
	}
	return words.Changes(done), failed
}

// namesOf are those of entities that others refer to. After a write the library
// has stripped them from what it hands out.
func namesOf(states ...*utils.KongRawState) gateway.Names {
	out := gateway.Names{}
	put := func(id, name *string) {
		if id != nil && name != nil {
			out[*id] = *name
		}
	}
	for _, s := range states {
		for _, x := range s.Services {
			put(x.ID, x.Name)
		}
		for _, x := range s.Routes {
			put(x.ID, x.Name)
		}
		for _, x := range s.Consumers {
			put(x.ID, x.Username)
		}
		for _, x := range s.ConsumerGroups {
			put(x.ConsumerGroup.ID, x.ConsumerGroup.Name)
		}
		for _, x := range s.AIModels {
			put(x.ID, x.Name)
		}
		for _, x := range s.KeySets {
			put(x.ID, x.Name)
		}
		for _, x := range s.Partials {
			put(x.ID, x.Name)
		}
		for _, x := range s.Upstreams {
			put(x.ID, x.Name)
		}
	}
	return out
}
