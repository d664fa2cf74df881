// Package deck brings the configuration of gateways about with decK's binary.
//
// In: requests with decK files, and where the binary and Konnect are. Out: what
// the binary would change, what it changed, and why it failed. It must never put
// a token or a decK file into arguments or on disk, nor let settings, variables
// or files of the user's lead the binary elsewhere.
package deck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Options say where the binary and Konnect are.
type Options struct {
	// Path is the binary; "" looks for deck on PATH.
	Path string
	// Address is Konnect's, such as https://us.api.konghq.com. The binary
	// authenticates at https://global.api.konghq.com, whatever it says.
	Address string
	// Token returns the one to use, whenever the binary is started.
	Token func(context.Context) string
	// Env gives the variables of this process, of which the binary gets PATH and
	// those that name proxies and certificates.
	Env func(name string) (string, bool)
	// Extra are variables for the binary besides, NAME=VALUE; they win.
	Extra []string
	// Check tells what is wrong with files by themselves, in the same words for
	// every way; nil checks nothing. Of a control plane that does not exist yet the
	// binary could be asked nothing.
	Check func(gateway.Request) error
	// AskSchema asks Konnect for the schema of a plugin or a partial, which the binary tells nobody;
	// nil asks for none.
	AskSchema func(ctx context.Context, controlPlane string, of gateway.SchemasOf, name string) (map[string]any, error)
	// Sleep waits between two looks; nil is by the clock on the wall.
	Sleep func(context.Context, time.Duration) error
	// Grace is how long the binary may take to end when it is asked to; 0 is 5
	// seconds.
	Grace time.Duration
}

// New gives a reconciler that runs the binary. Nothing is run before it is
// used.
func New(o Options) gateway.Reconciler {
	r := &runner{Options: o, seen: map[string][]plan.Part{}}
	return r
}

type runner struct {
	Options
	found binary

	mu sync.Mutex
	// tokens are those that the binary was given.
	tokens []string
	// seen is what the last Diff of a request found.
	seen map[string][]plan.Part
}

// Diff tells what Run would change.
func (r *runner) Diff(ctx context.Context, q gateway.Request) ([]plan.Part, error) {
	if q.ControlPlane.ID == "" {
		// Without the binary nothing can come of the plan.
		if _, err := r.binary(ctx); err != nil {
			return nil, r.fail(q, "diff", 0, err.Error(), err)
		}
		if err := r.check(q); err != nil {
			return nil, err
		}
		return q.Entities()
	}
	if err := r.check(q); err != nil {
		return nil, err
	}
	changes, err := r.diff(ctx, q)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seen[q.Key()] = changes
	}
	return changes, err
}

func (r *runner) check(q gateway.Request) error {
	if err := gateway.NotForBinary("diff", q); err != nil {
		return err
	}
	if r.Check == nil {
		return nil
	}
	return r.Check(q)
}

// Schema asks for a schema.
func (r *runner) Schema(ctx context.Context, controlPlane string, of gateway.SchemasOf, name string) (map[string]any, error) {
	if r.AskSchema == nil {
		return map[string]any{}, nil // nobody can tell
	}
	return r.AskSchema(ctx, controlPlane, of, name)
}

// Run brings it about. What the binary says of itself is not enough: what is
// left to do afterwards did not come about.
func (r *runner) Run(ctx context.Context, q gateway.Request) ([]plan.Part, error) {
	before, err := r.unwritten(ctx, q)
	if err != nil || len(before) == 0 {
		return nil, err
	}
	if err := resource.StartWriting(ctx); err != nil {
		return nil, r.fail(q, string(q.Mode), 0, err.Error(), err)
	}
	failed := r.write(ctx, q)
	if ctx.Err() != nil {
		return nil, failed
	}
	after, err := r.after(ctx, q, failed == nil)
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	done := gateway.Done(without(before, after))
	if failed == nil && len(after) > 0 {
		failed = r.fail(q, string(q.Mode), 0, "these are still to be made: "+names(after), nil)
	}
	return done, failed
}

// unwritten is what is to be done; an interrupt ends the look at that.
func (r *runner) unwritten(ctx context.Context, q gateway.Request) ([]plan.Part, error) {
	reading, cancel := resource.Waiting(ctx)
	defer cancel()
	before, err := r.before(reading, q)
	if stopped := resource.NotStarted(ctx); stopped != nil {
		return nil, r.fail(q, string(q.Mode), 0, stopped.Error(), stopped)
	}
	return before, err
}

func (r *runner) before(ctx context.Context, q gateway.Request) ([]plan.Part, error) {
	r.mu.Lock()
	changes, ok := r.seen[q.Key()]
	delete(r.seen, q.Key())
	r.mu.Unlock()
	if ok {
		return changes, nil
	}
	return r.diff(ctx, q)
}

// after is what is left to do. Reads may be behind writes for a moment, so what
// seems to be left is looked at again where the binary reported no failure.
func (r *runner) after(ctx context.Context, q gateway.Request, again bool) ([]plan.Part, error) {
	for try := 0; ; try++ {
		left, err := r.diff(ctx, q)
		if err != nil || len(left) == 0 || !again || try == tries-1 {
			return left, err
		}
		if err := r.sleep(ctx, try); err != nil {
			return nil, err
		}
	}
}

// without are the changes that are not in another list: each of that takes one
// away.
func without(all, left []plan.Part) []plan.Part {
	type entity struct {
		kind, name string
		action     plan.Action
	}
	count := map[entity]int{}
	for _, c := range left {
		count[entity{c.Kind, c.Name, c.Action}]++
	}
	var out []plan.Part
	for _, c := range all {
		e := entity{c.Kind, c.Name, c.Action}
		if count[e]--; count[e] < 0 {
			out = append(out, c)
		}
	}
	return out
}

func names(changes []plan.Part) string {
	var out []string
	for i, c := range changes {
		if i == 10 {
			out = append(out, fmt.Sprintf("%d more", len(changes)-i))
			break
		}
		out = append(out, fmt.Sprintf("%s %s %s", strings.ToLower(string(c.Action)), c.Kind, c.Name))
	}
	return strings.Join(out, ", ")
}

// diff asks the binary what it would change.
func (r *runner) diff(ctx context.Context, q gateway.Request) ([]plan.Part, error) {
	// decK's workers add to the report without waiting for each other, and lose
	// entries: one worker loses none.
	args := []string{"--json-output", "--no-mask-deck-env-vars-value", "--parallelism=1"}
	if q.Flags.SkipConsumers {
		args = append(args, "--skip-consumers")
	}
	root, err := state(q)
	if err != nil {
		return nil, r.fail(q, "diff", 0, err.Error(), err)
	}
	out, err := r.gateway(ctx, q, "diff", args, root)
	var failed *gateway.Error
	if errors.As(err, &failed) && failed.Exit != 0 && failed.Err == nil && q.Mode == gateway.Apply && r.complete(ctx, q, root) {
		if again, ok := r.gateway(ctx, q, "diff", args, root); ok == nil {
			out, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	rep, err := parse(out.stdout)
	if err != nil {
		return nil, r.fail(q, "diff", 0, err.Error(), nil)
	}
	if len(rep.Errors) > 0 {
		return nil, r.fail(q, "diff", 0, strings.Join(rep.Errors, "\n"), nil)
	}
	changes, err := r.changes(ctx, q, rep)
	if err != nil {
		return nil, r.fail(q, "diff", 0, err.Error(), nil)
	}
	return changes, nil
}

// changes are those of a report. The names of entities that updates refer to and
// the report does not have come from a dump.
func (r *runner) changes(ctx context.Context, q gateway.Request, rep *report) ([]plan.Part, error) {
	all, err := rep.edits(q.Mode)
	if err != nil {
		return nil, err
	}
	edits := all
	if q.Mode == gateway.Apply {
		// decK's diff counts deletes that apply does not do.
		edits = slices.DeleteFunc(slices.Clone(all), func(e gateway.Edit) bool { return e.Action == plan.Delete })
	}
	words := gateway.NewWording(all, nil, q.Secrets)
	if words.Unnamed(edits) {
		if there, ok := r.dump(ctx, q); ok {
			words = gateway.NewWording(all, namesIn(there), q.Secrets)
		}
	}
	return words.Changes(edits), nil
}

// write lets the binary do its work.
func (r *runner) write(ctx context.Context, q gateway.Request) error {
	op, args := "sync", []string{"--json-output", "--no-mask-deck-env-vars-value"}
	switch {
	case q.Mode == gateway.Apply:
		// It has no report, and tells a failure by its exit status.
		op, args = "apply", []string{"--silence-events"}
	case q.Flags.SkipConsumers:
		args = append(args, "--skip-consumers")
	}
	if n := q.Flags.Parallelism; n > 0 {
		args = append(args, fmt.Sprintf("--parallelism=%d", n))
	}
	root, err := state(q)
	if err != nil {
		return r.fail(q, op, 0, err.Error(), err)
	}
	out, err := r.gateway(ctx, q, op, args, root)
	if err != nil || op == "apply" {
		return err
	}
	rep, err := parse(out.stdout)
	if err != nil {
		return r.fail(q, op, 0, err.Error(), nil)
	}
	if len(rep.Errors) > 0 {
		return r.fail(q, op, 0, strings.Join(rep.Errors, "\n"), nil)
	}
	return nil
}

// fail is an error without a secret in it, on one line.
func (r *runner) fail(q gateway.Request, op string, exit int, message string, cause error) error {
	if cause == nil {
		cause = refusal(op, message)
	}
	var file *unreadable
	e := &gateway.Error{Op: op, Exit: exit, Err: cause, File: errors.As(cause, &file) || cause == nil && exit != 0 && ofFile(message)}
	for _, f := range q.Files {
		e.Files = append(e.Files, f.Name)
	}
	if m := ofEntity.FindStringSubmatch(message); m != nil {
		e.Pos = q.Place(m[1], m[2])
	}
	if pos := q.About(message); pos.Line > 0 && e.Pos.Line == 0 {
		e.Pos = pos
	}
	mask := gateway.MaskError(append(q.Secrets[:len(q.Secrets):len(q.Secrets)], r.given()...), gateway.SecretsIn(q.Files))
	e.Message = oneLine(mask(message))
	return e
}

// ofEntity finds the kind and the name of the first entity that could not be
// written.
var ofEntity = pattern.New(`(?:Create|Update|Delete)\}? (\S+) (.+?) failed`)

func oneLine(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}
