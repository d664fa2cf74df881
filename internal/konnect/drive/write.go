package drive

import (
	"context"
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// write creates or changes a resource. When the answer is lost, a create is
// looked for until reads must show it, and only repeated when they do not; one that
// puts a resource at its key is repeated as it is, and looked for at the end. An
// update sets fields to what they must be and is repeated as it is. All attempts
// at it count, those that the target makes by itself, too.
func (d *Driver) write(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (*resource.Object, error) {
	wait := firstWait
	writing, effort := remote.WithEffort(ctx)
	for try := 1; ; try++ {
		o, err := d.once(writing, s, id, c, w)
		last := effort.Spent() || !effort.Counted() && try == writeTries
		// There is one already: the one that an earlier try made, though reads
		// did not show it.
		if again := resource.Uncertain(err) || (try > 1 && resource.Taken(err)); err == nil || !again {
			return o, err
		}
		if keyed := catalog.PutAtKey(s.Type); c.Action == plan.Create && (!keyed || last) {
			found, lerr := d.lookFor(ctx, s, id, c, w)
			switch {
			case found != nil && (!keyed || undone(s.Type, c, w.Fields, found).Empty()):
				return found, nil
			case keyed:
				return nil, err
			case lerr != nil, resource.Lingering(err):
				return nil, &UncertainError{err, lerr}
			case !last:
				continue // the looks took their time
			}
		}
		if last {
			return nil, err
		}
		if serr := d.sleep(ctx, wait); serr != nil {
			return nil, err
		}
		wait = min(2*wait, longWait)
	}
}

// UncertainError is a create of which nobody can say whether it happened. It is
// not repeated: that could create the resource twice.
type UncertainError struct {
	err  error // of the create
	look error // why it could not be looked for; nil when it was not found
}

// Error says what is not known and why.
func (e *UncertainError) Error() string {
	if e.look != nil {
		return fmt.Sprintf("%v; it may exist, and looking for it did not work: %v", e.err, e.look)
	}
	return fmt.Sprintf("%v; it does not exist yet, but Konnect may still create it", e.err)
}

// Unwrap returns the error of the create.
func (e *UncertainError) Unwrap() error { return e.err }

// Is reports whether the look was cut off.
func (e *UncertainError) Is(target error) bool {
	return target == context.Canceled && errors.Is(e.look, context.Canceled)
}

func (d *Driver) once(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (*resource.Object, error) {
	quiet := d.quiet(s)
	quiet.RLock()
	defer quiet.RUnlock()
	if c.Action == plan.Create {
		return d.Target.Create(ctx, s, id, w)
	}
	w.Method = c.ExecutionContext.HTTPMethod
	return d.Target.Update(ctx, s, id, w)
}
