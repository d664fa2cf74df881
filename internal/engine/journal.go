package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// JournalFolder is where unfinished runs are kept.
func (h Host) JournalFolder() (string, error) {
	state, err := h.State()
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "journal"), nil
}

// Journals lists the journals of unfinished runs, the oldest first.
func (h Host) Journals() ([]string, error) {
	folder, err := h.JournalFolder()
	if err != nil {
		return nil, err
	}
	return execute.Journals(folder)
}

// history knows the runs of this machine that came before.
type history struct {
	host Host
	sink event.Sink
	// detached is what unfinished runs left detached, by run; nil where that was
	// not looked for.
	detached map[string]detachment
	// warned are the journals that a warning was about.
	warned map[string]bool
}

// located returns the organization that a run is about; without Konnect it has
// none.
type located func(ctx context.Context) (plan.Organization, error)

// unfinished reads the journals of runs in this organization. What cannot be
// read must not keep others from working: a run that cannot keep its own journal
// does not start.
func (h *history) unfinished(ctx context.Context, here located) ([]*execute.Unfinished, error) {
	return h.journals(ctx, here, execute.Journals)
}

// journals reads the journals that a function lists, of runs in this
// organization.
func (h *history) journals(ctx context.Context, where located, list func(folder string) ([]string, error)) ([]*execute.Unfinished, error) {
	log, err := h.host.Log()
	if err != nil {
		return nil, err
	}
	folder, err := h.host.JournalFolder()
	var names []string
	if err == nil {
		names, err = list(folder)
	}
	if err != nil {
		log.InfoContext(ctx, "journals are not read", slog.String("error", err.Error()))
	}
	if len(names) == 0 {
		return nil, nil
	}
	here, err := where(ctx)
	if err != nil {
		return nil, err
	}
	var out []*execute.Unfinished
	for _, name := range names {
		u, err := h.host.journal(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // that run has just ended
		}
		if err != nil {
			h.unreadable(name, err)
			continue
		}
		if h.settled(u) {
			_ = os.Remove(u.File) // the next run tries again
			continue
		}
		if o := u.Plan.Metadata.Organization; o.Is(here) || o.Same(here) == nil {
			out = append(out, u)
		}
	}
	return out, nil
}

// unreadable warns of a journal that cannot be read, once.
func (h *history) unreadable(name string, err error) {
	id := execute.JournalID(name)
	if h.warned[id] {
		return
	}
	if h.warned == nil {
		h.warned = map[string]bool{}
	}
	h.warned[id] = true
	h.sink(event.Warning{Text: fmt.Sprintf("the journal of the unfinished run %s cannot be read and is ignored: %v; `kongctl resume --discard %s` removes it", id, err, id)})
}

// recent reads the journals of runs in this organization that were finished a
// moment ago: reads may not show yet what they created. Older ones are removed.
func (h *history) recent(ctx context.Context, here located) ([]*execute.Unfinished, error) {
	return h.journals(ctx, here, execute.Finished)
}

// settled reports whether a journal is of a finished run, in any organization,
// whose results every read shows by now.
func (h *history) settled(u *execute.Unfinished) bool {
	return execute.IsFinished(u.File) && h.host.Now().Sub(u.LastWrite()) >= resource.Settle
}

// Retire discards the journals that a complete run makes obsolete: runs older
// than its id in the same organization, over namespaces and types that it
// covers.
func (e *Engine) Retire(ctx context.Context, done *plan.Plan, id string) ([]string, error) {
	if !complete(done) {
		return nil, nil
	}
	s, err := e.session(ctx, e.targets.involved(done))
	if err != nil {
		return nil, err
	}
	runs, err := e.history.unfinished(ctx, s.here)
	if err != nil {
		return nil, err
	}
	locks, err := e.running()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, u := range runs {
		if u.ID >= id || !covers(e.targets, done, u.Plan) || e.history.leavesDetached(done, u) {
			continue
		}
		if _, running := locks.runner(u.File); running {
			continue // without a lock on its namespaces
		}
		if err := os.Remove(u.File); err != nil {
			return out, fmt.Errorf("discard journal: %w", err)
		}
		out = append(out, u.ID)
	}
	return out, nil
}

// complete reports whether a plan leaves nothing of its scope out.
func complete(p *plan.Plan) bool {
	m := p.Metadata
	return m.Mode.Brings() && !m.Inverse && m.Filters == nil &&
		len(p.Errors)+len(p.Blocked)+len(p.Pending) == 0
}

// covers reports whether what a plan looked at holds all that another changes, in
// the same place.
// An apply looks at what it declares only.
func covers(targets *registry, p, older *plan.Plan) bool {
	declared := map[string]bool{}
	for ref := range p.Metadata.ReferenceMappings {
		declared[ref] = true
	}
	for _, c := range p.Changes {
		declared[c.ResourceRef] = true
	}
	if c := older.Metadata.Cluster; c != nil && (p.Metadata.Cluster == nil || !c.Is(*p.Metadata.Cluster)) {
		return false
	}
	whole := map[string]bool{} // targets of which nothing is left to do
	for target, place := range older.Metadata.Targets {
		if s, ok := targets.named(target).(Superseder); ok {
			whole[target] = s.Supersedes(p.Metadata, older.Metadata)
		}
		if !whole[target] && !plan.Alike(place, p.Metadata.Targets[target]) {
			return false
		}
	}
	for _, ns := range older.Metadata.SyncScope.Namespaces {
		if !slices.Contains(p.Metadata.SyncScope.Namespaces, ns) {
			return false
		}
	}
	for _, c := range older.Changes {
		if t := targets.of(c.ResourceType); t != nil && whole[t.Name()] {
			continue
		}
		if p.Metadata.Mode == plan.ModeApply && !declared[c.ResourceRef] && !declared[c.ResourceType+":"+c.ResourceRef] {
			return false
		}
		kind := c.ResourceType
		if c.Action == plan.ExternalTool && c.Parent != nil {
			kind = c.Parent.Type
		}
		t := targets.types.Kind(kind)
		for t != nil && t.Parent != nil {
			t = t.Parent
		}
		if t == nil || !slices.Contains(p.Metadata.SyncScope.ResourceTypes, t.Kind) {
			return false
		}
	}
	return true
}
