// Package engine is the walk: a configuration is loaded, linked, compared with
// what exists and becomes a plan; a plan is checked, carried out and, where it
// was interrupted, continued.
//
// In: requests as plain values, and the surroundings as functions: clock,
// environment, folders, standard input. Out: plans, reports, and events for
// whoever listens. It must never print, read flags or end the process, and must
// never import view or the command line.
package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/source"
)

// Host is what the engine takes from its surroundings.
type Host struct {
	Now func() time.Time
	// After is the clock that waiting goes by.
	After   func(time.Duration) <-chan time.Time
	WorkDir func() (string, error)
	// State returns the folder that journals and locks are kept in.
	State func() (string, error)
	Stdin io.Reader
	// Env is what configurations and plans may read of the environment. With false, the
	// text is why a variable may not be read, "" where it is not set.
	Env func(string) (string, bool)
	Log func() (*slog.Logger, error)
	// Aborted is closed when calls under way must end, too; nil is never.
	Aborted func() <-chan struct{}
	// Command is what runs, without its arguments, for others that wait for it.
	Command string
	Version string
	// Catalog returns Konnect's types, the same every time.
	Catalog Catalog
	// Kube says how Kubernetes is reached and objects are applied.
	Kube kube.Options
	// Printed are the forms of what the program prints, which is no configuration.
	Printed []source.Form
	// Targets are others than Konnect and decK's part. They come after those.
	Targets []Target
}

// generator is how documents name this program.
func (h Host) generator() string { return "kongctl " + h.Version }

// sleep waits, unless the context ends.
func (h Host) sleep(ctx context.Context, d time.Duration) error {
	return clock.Until(ctx, h.After(d))
}

// Absolute returns a path that does not depend on the current folder.
func (h Host) Absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	work, err := h.WorkDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(work, path), nil
}

// Options say what an engine works on and who listens.
type Options struct {
	Host
	Sink event.Sink
	// Lock keeps other runs on this machine off what this one changes.
	Lock    bool
	Konnect Konnect
	// Gateway returns how decK's part is done; it is called when there is some.
	Gateway func() (Gateway, error)
}

// Engine leads configurations to plans and plans to calls. One engine serves one
// command: what it read for a plan serves the execution, too.
type Engine struct {
	host    Host
	sink    event.Sink
	locks   *Locks
	konnect *connection
	gateway *reconciler
	history *history
	closers *closers
	targets *registry
	// standIns are what a seed puts in the place of variables.
	standIns *standIns
}

// New makes an engine; nothing is read or called before it is asked for.
func New(o Options) (*Engine, error) {
	stand := &standIns{env: o.Env}
	if o.Konnect.Embedded != nil {
		o.Env = stand.lookup
	}
	e := &Engine{host: o.Host, sink: o.Sink, closers: &closers{}, standIns: stand}
	if o.Lock {
		var err error
		if e.locks, err = e.newLocks(); err != nil {
			return nil, err
		}
	}
	e.konnect = &connection{Konnect: o.Konnect, host: o.Host, sink: o.Sink, locks: e.locks, closers: e.closers}
	e.gateway = &reconciler{settings: o.Gateway, host: o.Host, closers: e.closers}
	e.history = &history{host: o.Host, sink: o.Sink}
	e.register()
	return e, nil
}

// Close gives back what the engine holds.
func (e *Engine) Close() error { return e.closers.close() }

func (e *Engine) newLocks() (*Locks, error) {
	l, err := e.host.Locks(e.sink)
	if err != nil {
		return nil, err
	}
	e.closers.add(l.Release)
	return l, nil
}

// running returns the locks that say which runs are running, also for a run that
// waits for no other.
func (e *Engine) running() (*Locks, error) {
	if e.locks != nil {
		return e.locks, nil
	}
	return e.newLocks()
}

// phase tells how long a stage takes.
func (e *Engine) phase(name event.Phase, do func() (count int, err error)) error {
	began := e.host.Now()
	e.sink(event.PhaseStarted{Phase: name})
	n, err := do()
	e.sink(event.PhaseFinished{Phase: name, Count: n, Took: e.host.Now().Sub(began)})
	return err
}

// closers are what to do at the end, last one first.
type closers struct{ list []func() error }

func (c *closers) add(do func() error) { c.list = append(c.list, do) }

func (c *closers) close() error {
	var errs []error
	for i := len(c.list) - 1; i >= 0; i-- {
		errs = append(errs, c.list[i]())
	}
	c.list = nil
	return errors.Join(errs...)
}
