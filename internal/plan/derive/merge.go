package derive

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// MergeInput is all that a joint plan is made of.
type MergeInput struct {
	Types *resource.Types
	// Plans are joined; Names is what people call them.
	Plans []*plan.Plan
	Names []string
	// Volatile are labels that every run writes: they do not count.
	Volatile  []string
	Now       time.Time
	Generator string
}

// Merge joins plans. Where they conflict there is no plan, but a line for each
// conflict. It is pure.
func Merge(in MergeInput) (*plan.Plan, []string) {
	m := &merger{
		MergeInput: in,
		b:          build.NewSequence(in.Types),
		first:      map[*plan.Change]*plan.Change{}, joint: map[*plan.Change]*plan.Change{},
	}
	m.metadata()
	for i := range in.Plans {
		for j := range i {
			m.pair(j, i)
		}
	}
	for i := range in.Plans {
		for j := range in.Plans {
			if i != j {
				m.deletes(i, j)
			}
		}
	}
	if len(m.conflicts) > 0 {
		return nil, m.conflicts
	}
	m.join()
	if len(m.conflicts) > 0 {
		return nil, m.conflicts
	}
	build.Number(m.b)
	m.describe()
	return m.b.Plan, nil
}

type merger struct {
	MergeInput
	b         *build.Sequence
	conflicts []string
	// first is, of a change that several plans have, the one that is taken;
	// joint is the change of the joint plan.
	first, joint map[*plan.Change]*plan.Change
	// after are changes of one plan that wait for one of another.
	after []build.Need
	mode  plan.Mode
}

func (m *merger) conflict(format string, args ...any) {
	m.conflicts = append(m.conflicts, fmt.Sprintf(format, args...))
}

// metadata tells of plans that cannot be one plan, whatever they change.
func (m *merger) metadata() {
	a := m.Plans[0].Metadata
	m.mode = a.Mode
	for i, p := range m.Plans[1:] {
		b, name := p.Metadata, m.Names[i+1]
		if !a.Organization.Is(b.Organization) && a.Organization != (plan.Organization{}) && b.Organization != (plan.Organization{}) {
			m.conflict("%s is for %s, and %s is for %s", m.Names[0], a.Organization, name, b.Organization)
		}
		for _, target := range slices.Sorted(maps.Keys(b.Targets)) {
			if here, both := a.Targets[target]; both && !plan.Alike(here, b.Targets[target]) {
				m.conflict("%s and %s are for different places of %s", m.Names[0], name, target)
			}
		}
		if a.Cluster != nil && b.Cluster != nil && !a.Cluster.Is(*b.Cluster) {
			m.conflict("%s is for the cluster %s, and %s is for %s", m.Names[0], a.Cluster.Server, name, b.Cluster.Server)
		}
		if a.Inverse != b.Inverse {
			m.conflict("one of %s and %s undoes a plan, and the other does not", m.Names[0], name)
		}
		switch {
		case m.mode == b.Mode:
		case m.mode == plan.ModeSync && b.Mode == plan.ModeApply, m.mode == plan.ModeApply && b.Mode == plan.ModeSync:
			m.mode = plan.ModeSync
		default:
			m.conflict("%s is for %s, and %s is for %s", m.Names[0], m.mode, name, b.Mode)
		}
	}
}

// pair compares what two plans do with the same resources.
func (m *merger) pair(i, j int) {
	a, b := m.Plans[i], m.Plans[j]
	paired := pairs(a, b)
	for _, x := range a.Changes {
		y := paired[x]
		if y == nil {
			continue
		}
		fields := slices.DeleteFunc(compareChanges(a, b, x, y, m.Volatile), func(f FieldPair) bool { return f.Field == "depends_on" })
		switch {
		case len(fields) == 0:
			m.first[y] = m.firstOf(x)
		case x.Action != y.Action:
			m.conflict("%s: %s %ss it, and %s %ss it", called(m.Types, x), m.Names[i], verb(x), m.Names[j], verb(y))
		default:
			m.conflict("%s: %s and %s %s it differently (%s)", called(m.Types, x), m.Names[i], m.Names[j], verb(x), fieldNames(fields))
		}
	}
}

func called(types *resource.Types, c *plan.Change) string {
	words := resource.Words(c.ResourceType)
	if t := types.Kind(c.ResourceType); t != nil {
		words = t.Words
	}
	out := resource.WithName(words, c.ResourceRef)
	// An id alone says little, and a name that nothing declares is one of several.
	if (plan.IsUUID(c.ResourceRef) || c.With != nil) && c.Parent != nil && c.Parent.Ref != "" {
		out += fmt.Sprintf(" of %s %q", resource.Words(c.Parent.Type), c.Parent.Ref)
	}
	return out
}

func verb(c *plan.Change) string { return strings.ToLower(string(c.Action)) }

func fieldNames(fields []FieldPair) string {
	var names []string
	for _, f := range fields {
		names = append(names, strings.TrimPrefix(f.Field, "fields."))
	}
	if more := len(names) - plan.MaxNamed; more > 0 {
		names = append(names[:plan.MaxNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (m *merger) firstOf(c *plan.Change) *plan.Change {
	if first := m.first[c]; first != nil {
		return first
	}
	return c
}

// deletes compares what one plan deletes with what another needs.
func (m *merger) deletes(i, j int) {
	shared := map[*plan.Change]bool{}
	for _, c := range m.Plans[j].Changes {
		shared[m.firstOf(c)] = true
	}
	for _, d := range m.Plans[i].Changes {
		t := m.Types.Kind(d.ResourceType)
		// What is put at a key has the id of what the key names.
		if d.Action != plan.Delete || d.ResourceID == "" || t == nil || t.KeyField != "" || shared[m.firstOf(d)] {
			continue
		}
		for _, c := range m.Plans[j].Changes {
			m.use(i, j, d, c)
		}
	}
}

// use compares a delete of one plan with a change of another.
func (m *merger) use(i, j int, d, c *plan.Change) {
	t := m.Types.Kind(c.ResourceType)
	below := c.Parent != nil && slices.Contains(c.Parent.Ancestors, d.ResourceID)
	if t == nil || t.Attached {
		if below {
			m.conflict("%s: %s changes it, and %s deletes the %s that it belongs to", called(m.Types, c), m.Names[j], m.Names[i], called(m.Types, d))
		}
		return
	}
	switch {
	case c.Action == plan.Delete && (below || slices.Contains(t.RefersTo(c.CurrentState), d.ResourceID)):
		m.after = append(m.after, build.Need{Change: d, Before: c})
	case c.Action == plan.Delete:
	case below:
		m.conflict("%s: %s %ss it, and %s deletes the %s that it belongs to", called(m.Types, c), m.Names[j], verb(c), m.Names[i], called(m.Types, d))
	case m.refers(t, c, d.ResourceID):
		m.conflict("%s: %s lets it refer to the %s, which %s deletes", called(m.Types, c), m.Names[j], called(m.Types, d), m.Names[i])
	case slices.Contains(t.RefersTo(c.CurrentState), d.ResourceID):
		m.after = append(m.after, build.Need{Change: d, Before: c})
	}
}

func (m *merger) refers(t *resource.Type, c *plan.Change, id string) bool {
	if t.KeyField != "" && c.ResourceID == id {
		return true
	}
	for _, r := range c.References {
		if r.ID == id {
			return true
		}
	}
	return slices.Contains(t.RefersTo(c.Fields), id)
}

// join copies the changes, each once, with what they wait for.
func (m *merger) join() {
	for _, p := range m.Plans {
		for _, c := range p.Changes {
			if first := m.firstOf(c); first != c {
				m.joint[c] = m.joint[first]
				continue
			}
			m.joint[c] = copied(c)
			m.b.Plan.Changes = append(m.b.Plan.Changes, m.joint[c])
		}
	}
	for _, p := range m.Plans {
		for _, c := range p.Changes {
			m.tie(p, c)
		}
		for _, d := range p.Dependencies {
			d.Change, d.Made = "", m.joint[p.Change(d.Change)]
			if !slices.ContainsFunc(m.b.Plan.Dependencies, func(x plan.Dependency) bool { return reflect.DeepEqual(x, d) }) {
				m.b.Plan.Dependencies = append(m.b.Plan.Dependencies, d)
			}
		}
	}
	for _, n := range m.after {
		m.b.Need(m.joint[n.Change], m.joint[n.Before])
	}
	m.circles()
}

func copied(c *plan.Change) *plan.Change {
	out := *c
	out.DependsOn = []string{}
	out.References = maps.Clone(c.References)
	if c.Parent != nil {
		parent := *c.Parent
		out.Parent = &parent
	}
	if c.Expect != nil {
		expect := *c.Expect
		out.Expect = &expect
	}
	return &out
}

// tie leads the copy of a change to the copies of those that it names.
func (m *merger) tie(p *plan.Plan, c *plan.Change) {
	out := m.joint[c]
	for _, id := range c.DependsOn {
		m.b.Need(out, m.joint[p.Change(id)])
	}
	for path, r := range c.References {
		if made := p.Change(r.Change); made != nil {
			r.Made = m.joint[made]
			out.References[path] = r
		}
	}
	if c.Expect != nil {
		out.After = m.joint[p.Change(c.Expect.After)]
	}
	if c.Parent != nil {
		if made := p.Change(c.Parent.Change); made != nil {
			out.ParentChange = m.joint[made]
		}
	}
}

// circles tells of changes that would wait for each other.
func (m *merger) circles() {
	index := map[*plan.Change]int{}
	var g graph.Graph[int]
	for i, c := range m.b.Plan.Changes {
		index[c] = i
		g.Add(i)
	}
	for _, n := range m.b.Needs {
		g.Need(index[n.Change], index[n.Before])
	}
	cycle := g.Cycle()
	if cycle == nil {
		return
	}
	var names []string
	for _, i := range cycle {
		names = append(names, called(m.Types, m.b.Plan.Changes[i]))
	}
	m.conflict("together they would wait for each other: %s", strings.Join(names, ", "))
}

func (m *merger) describe() {
	p := m.b.Plan
	p.Metadata = plan.Metadata{
		PlanVersion: plan.Version, VersionAlias: plan.Version,
		GeneratedAt: m.oldest(), GeneratedBy: m.Generator, Generator: m.Generator,
		Mode: m.mode, Inverse: m.Plans[0].Metadata.Inverse,
		ReferenceMappings: map[string]string{},
	}
	hashes := map[string]bool{}
	for _, source := range m.Plans {
		meta := source.Metadata
		hashes[meta.ConfigHash] = true
		if p.Metadata.Organization == (plan.Organization{}) {
			p.Metadata.Organization = meta.Organization
		}
		if p.Metadata.Cluster == nil {
			p.Metadata.Cluster = meta.Cluster
		}
		for target, place := range meta.Targets {
			p.Metadata.Describe(target, place)
		}
		p.Metadata.SyncScope.Join(meta.SyncScope)
		p.Metadata.Filters = joinFilters(p.Metadata.Filters, meta.Filters)
		for _, in := range meta.Inputs {
			if !slices.Contains(p.Metadata.Inputs, in) {
				p.Metadata.Inputs = append(p.Metadata.Inputs, in)
			}
		}
		for ref, id := range meta.ReferenceMappings {
			if _, taken := p.Metadata.ReferenceMappings[ref]; !taken {
				p.Metadata.ReferenceMappings[ref] = id
			}
		}
		p.Metadata.Externals = plan.Union(p.Metadata.Externals, meta.Externals)
		p.Pending = plan.Union(p.Pending, source.Pending)
		p.Blocked = plan.Union(p.Blocked, source.Blocked)
		p.Errors = plan.Union(p.Errors, source.Errors)
		for _, w := range source.Warnings {
			if c := source.Change(w.ChangeID); c != nil {
				w.ChangeID = m.joint[c].ID
			}
			p.Warnings = plan.Union(p.Warnings, []plan.Warning{w})
		}
	}
	p.Metadata.ConfigHash = joinHashes(slices.Sorted(maps.Keys(hashes)))
	p.Summarize()
}

// oldest is when the first of the plans was created: joining does not make it
// new.
func (m *merger) oldest() string {
	out := m.Plans[0].Metadata.GeneratedAt
	for _, p := range m.Plans[1:] {
		out = min(out, p.Metadata.GeneratedAt)
	}
	return out
}

func joinFilters(a, b *plan.Filters) *plan.Filters {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return &plan.Filters{Ignore: plan.Union(slices.Clone(a.Ignore), b.Ignore), Isolate: plan.Union(slices.Clone(a.Isolate), b.Isolate)}
}

// joinHashes is the hash of one configuration, or of several.
func joinHashes(hashes []string) string {
	if len(hashes) == 1 {
		return hashes[0]
	}
	list := make([]any, len(hashes))
	for i, h := range hashes {
		list[i] = h
	}
	return value.Fingerprint(list)
}
