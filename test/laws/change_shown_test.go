package laws

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// shown are the lines that a view of a plan has below one change, which may take the place
// of what another one deletes.
func (w *world) shown(p *plan.Plan, c *plan.Change, gone ...*plan.Change) []string {
	w.t.Helper()
	load := func() (*catalog.Catalog, error) { return w.cat, nil }
	one := &plan.Plan{Metadata: p.Metadata, Changes: append(gone, c)}
	var b testkit.Buffer
	style := view.Style{Diff: view.Diff{Holds: engine.Holds(load), Meaning: engine.Meaning(load), Default: engine.Default(load)}}
	if err := view.WritePlan(&b, one, view.PlanOptions{Style: style}); err != nil {
		w.t.Fatal(err)
	}
	mark := "  ~ "
	if len(gone) > 0 {
		mark = "-/+ "
	}
	_, after, _ := strings.Cut(b.String(), mark)
	_, after, _ = strings.Cut(after, "\n")
	block, _, _ := strings.Cut(after, "\n\n")
	return strings.Split(block, "\n")
}

var (
	placeInList = pattern.New(`\[[0-9]+\]`)
	// lineField is the field that a line is about.
	lineField = pattern.New(`^ +([^ +-][^ ]*?)(?: \([a-z, ]+\))?:(?: (.*))?$`)
)

// valuesByField are the values of the fields of a value, by field and without places in lists.
func valuesByField(at value.Path, x any, out map[string][]string) {
	switch v := x.(type) {
	case map[string]any:
		for k, y := range v {
			valuesByField(at.Child(k), y, out)
		}
	case []any:
		for _, y := range v {
			valuesByField(at, y, out)
		}
	default:
		if raw, _ := json.Marshal(x); !value.Empty(x) && x != "" {
			out[at.String()] = append(out[at.String()], string(raw))
		}
	}
}

// changesAreShown fails unless the view of a plan that was carried out has a line for
// each field that came, changed or went, and lines for nothing else.
func (w *world) changesAreShown(p *plan.Plan) (n int) {
	w.t.Helper()
	for _, c := range p.Changes {
		t, now := w.cat.Kind(c.ResourceType), w.current(c.ResourceRef)
		var was map[string]any
		var gone []*plan.Change
		switch {
		case c.Action == plan.Update:
			was = c.CurrentState
		case c.Action == plan.Delete && c.Replace && p.Half(c) != nil:
			was, gone, c = c.CurrentState, []*plan.Change{c}, p.Half(c)
		default:
			continue
		}
		if now == nil {
			continue
		}
		essence := func(fields map[string]any) map[string][]string {
			plain, _ := value.Clone(fields).(map[string]any)
			out := map[string][]string{}
			valuesByField(nil, t.Neutral().Essence(&resource.Object{ID: c.ResourceID, Fields: plain}), out)
			for at, list := range out {
				if p := value.ParsePath(at); p[0] == "labels" && len(p) > 1 && label.Ours(p[1]) {
					delete(out, at)
				}
				slices.Sort(list)
			}
			return out
		}
		before, after := essence(was), essence(now)
		lines := w.shown(p, c, gone...)
		if strings.Contains(lines[0], "only the labels") && !onlyLabels(c.ChangedFields) {
			w.t.Errorf("%s changes %v, and the view says that it changes labels alone", c.ID, c.ChangedFields)
		}
		fields := map[string]string{}
		for _, line := range lines {
			if m := lineField.FindStringSubmatch(line); m != nil {
				fields[placeInList.ReplaceAllString(m[1], "")] = line
			}
		}
		differs := func(at string) bool { return !slices.Equal(before[at], after[at]) }
		covered := map[string]bool{}
		for _, side := range []map[string][]string{before, after} {
			for at := range side {
				if !differs(at) || covered[at] {
					continue
				}
				covered[at] = true
				if !sends(c.Fields, at) && len(before[at]) == 0 {
					continue // Konnect fills it in
				}
				n++
				has := false
				for p := value.ParsePath(at); len(p) > 0; p = p[:len(p)-1] {
					_, shown := fields[p.String()]
					has = has || shown
				}
				if !has {
					w.t.Errorf("%s: %s goes from %v to %v, and the view does not show it:\n%s", c.ID, at, before[at], after[at], strings.Join(lines, "\n"))
				}
			}
		}
		for at, line := range fields {
			p := value.ParsePath(at)
			unseen := len(gone) > 0 && slices.ContainsFunc(c.Unseen(was), func(x value.Path) bool { return x.String() == at })
			if unseen || isHidden(t, p) || strings.Contains(line, "(secret)") || strings.Contains(line, "(from $") || p[0] == "labels" {
				continue // what is there before or after is not in sight
			}
			moves := false
			for _, side := range []map[string][]string{before, after} {
				for other := range side {
					moves = moves || value.ParsePath(other).HasPrefix(p) && differs(other)
				}
			}
			if !moves {
				w.t.Errorf("%s: the view shows %s, and %v stays:\n%s", c.ID, line, before[at], strings.Join(lines, "\n"))
			}
		}
	}
	return n
}

// sends reports whether a change sends a field in some place.
func sends(fields map[string]any, at string) bool {
	return len(value.Places(fields, value.ParsePath(at))) > 0
}

// isHidden reports whether a field is a secret, or a list of them.
func isHidden(t *catalog.Bound, p value.Path) bool {
	s := t.Write().At(p, nil)
	return s != nil && (s.Secret || s.Item() != nil && s.Item().Secret)
}

// onlyLabels reports whether labels are all that changes.
func onlyLabels(changed map[string]plan.OldNew) bool {
	for field := range changed {
		if value.ParsePath(field)[0] != "labels" {
			return false
		}
	}
	return true
}
