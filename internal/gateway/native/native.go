//go:build !nonative

package native

import (
	"context"
	"fmt"
	"sync"

	"github.com/kong/go-database-reconciler/pkg/cprint"
	"github.com/kong/go-database-reconciler/pkg/state"
	"github.com/kong/go-database-reconciler/pkg/utils"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/plan"
)

// New gives a reconciler that works in process. What Diff read of a control
// plane serves the Run after it.
func New(client *client.Client) gateway.Reconciler {
	silence()
	return &engine{client: client, gates: map[string]*gate{}}
}

// silence keeps the library from writing to the terminal; its switch is a
// global variable, so it is turned once.
var silence = sync.OnceFunc(func() { cprint.DisableOutput = true })

type engine struct {
	client *client.Client

	mu    sync.Mutex
	gates map[string]*gate // by id of the control plane
}

// Diff tells what Run would change.
func (e *engine) Diff(ctx context.Context, r gateway.Request) ([]plan.Part, error) {
	if r.ControlPlane.ID == "" {
		if err := Check(r); err != nil {
			return nil, err
		}
		return r.Entities()
	}
	g := e.gate(r.ControlPlane.ID)
	g.running.Lock()
	defer g.running.Unlock()
	g.forget() // what an earlier Diff read may be old
	return reconcile(ctx, g, r, true)
}

// Run brings the configuration about.
func (e *engine) Run(ctx context.Context, r gateway.Request) ([]plan.Part, error) {
	g := e.gate(r.ControlPlane.ID)
	g.running.Lock()
	defer g.running.Unlock()
	defer g.forget()
	changes, err := reconcile(ctx, g, r, false)
	return gateway.Done(changes), err
}

func (e *engine) gate(id string) *gate {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gates[id] == nil {
		e.gates[id] = newGate(e.client, id)
	}
	return e.gates[id]
}

// reconcile is one pass of the library. A panic on our side of it becomes an
// error; files reach it only after they were checked against decK's schema.
func reconcile(ctx context.Context, g *gate, r gateway.Request, dry bool) (changes []plan.Part, err error) {
	s := &session{ctx: ctx, gate: g, request: r, op: string(r.Mode)}
	if dry {
		s.op = "diff"
	}
	defer func() {
		if p := recover(); p != nil {
			changes, err = nil, s.fail(panicked(p))
		}
	}()
	if err := s.prepare(); err != nil {
		return nil, s.fail(err)
	}
	return s.solve(dry)
}

func panicked(p any) error {
	return fmt.Errorf("decK's library cannot work with this: %v", p)
}

// Check tells what is wrong with the files of a request as far as that can be
// seen without a control plane: fields and kinds of values, and, where there is no
// control plane yet, entities that are there twice and references to entities that
// are not there.
func Check(r gateway.Request) (err error) {
	if r.Mode == gateway.Delete {
		return nil
	}
	s := &session{ctx: context.Background(), request: r, op: "diff", building: true}
	defer func() {
		if p := recover(); p != nil {
			err = s.fail(panicked(p))
		}
	}()
	content, err := contentOf(r)
	if err != nil {
		return s.fail(err)
	}
	if r.ControlPlane.ID != "" {
		return nil // it may have what they refer to
	}
	s.current = &utils.KongRawState{}
	if s.target, err = s.wanted(content, s.dumpConfig(content)); err != nil {
		return s.fail(err)
	}
	s.building = true
	if _, err = state.Get(s.target); err != nil {
		return s.fail(err)
	}
	return nil
}
