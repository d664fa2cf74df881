package build

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// order settles what waits for what, and gives the changes their ids.
func order(b *Draft) {
	settleUses(b)
	settleParts(b)
	namedFirst(b)
	orderDeletes(b)
	if b.Mode != plan.ModeDelete {
		deletesAfterUsers(b)
	}
	orderRequired(b)
	freeGenerated(b)
	createFirst(b)
	waitTogether(b)
	usersFirst(b)
	detachLate(b)
	takeAlong(b)
	guardAll(b)
	tellStranded(b)
	reportInUse(b)
	tellShownOnce(b)
	Number(b.Sequence)
}

// Number gives the changes their ids, in an order that the needs allow.
func Number(b *Sequence) {
	index := map[*plan.Change]int{}
	for i, c := range b.Plan.Changes {
		index[c] = i
	}
	var g graph.Graph[int]
	for i := range b.Plan.Changes {
		g.Add(i)
	}
	for _, n := range b.Needs {
		g.Need(index[n.Change], index[n.Before])
	}
	if cycle := g.Cycle(); cycle != nil {
		circular(b, cycle)
		return
	}
	var ordered []*plan.Change
	for _, group := range g.Groups() {
		var ids []string
		for _, i := range group {
			c := b.Plan.Changes[i]
			ordered = append(ordered, c)
			c.ID = fmt.Sprintf("%d:%s:%s:%s", len(ordered), strings.ToLower(string(c.Action[:1])), c.ResourceType, c.ResourceRef)
			ids = append(ids, c.ID)
		}
		b.Plan.ExecutionGroups = append(b.Plan.ExecutionGroups, ids)
		b.Plan.ExecutionOrder = append(b.Plan.ExecutionOrder, ids...)
	}
	for i, c := range b.Plan.Changes {
		for _, before := range g.Needs(i) {
			c.DependsOn = append(c.DependsOn, b.Plan.Changes[before].ID)
		}
		sort.Strings(c.DependsOn)
		nameChanges(c)
	}
	if ordered != nil {
		b.Plan.Changes = ordered
	}
	b.Plan.Index()
	for i, d := range b.Plan.Dependencies {
		if d.Made != nil {
			b.Plan.Dependencies[i].Change = d.Made.ID
		}
	}
}

// circular reports changes that wait for each other.
func circular(b *Sequence, cycle []int) {
	var chain []string
	var pos value.Pos
	exchange := true // updates wait for each other only by values that they take over
	for _, i := range cycle {
		c := b.Plan.Changes[i]
		exchange = exchange && c.Action == plan.Update
		chain = append(chain, string(c.Action)+" "+resource.WithName(resource.Words(c.ResourceType), c.ResourceRef))
		if c.Source != nil && pos.Line == 0 {
			pos = value.Pos{File: c.Source.File, Line: c.Source.Line, Column: c.Source.Column}
		}
	}
	fix := "remove one of the references between them, or make the changes in two runs."
	if exchange {
		fix = "they exchange values that only one of them can have: make the changes in two runs, with another value for one of them in the first."
	}
	b.diags.Add(diag.RefCycle, pos, "These changes wait for each other: "+strings.Join(chain, " → ")+".", fix)
}

// nameChanges writes the ids of the changes that make ids known.
func nameChanges(c *plan.Change) {
	if c.ParentChange != nil {
		c.Parent.Change = c.ParentChange.ID
	}
	if c.After != nil {
		c.Expect.After = c.After.ID
	}
	for path, r := range c.References {
		if r.Made != nil {
			r.Change = r.Made.ID
			c.References[path] = r
		}
	}
}

// deletesAfterUsers lets whatever stops referring to a resource go before its
// deletion.
func deletesAfterUsers(b *Draft) {
	byID, named := map[string]*plan.Change{}, names{}
	for _, c := range b.Deletes {
		named.add(b.Types.Kind(c.ResourceType), plan.AncestorsOf(c), c.CurrentState, c)
		// What is put at a key has the id of what the key names.
		if b.Types.Kind(c.ResourceType).KeyField == "" && c.ResourceID != "" {
			byID[c.ResourceID] = c
		}
	}
	if len(b.Deletes) == 0 {
		return
	}
	for _, c := range b.Plan.Changes {
		if c.Action == plan.Create {
			continue
		}
		t := b.Types.Kind(c.ResourceType)
		if t == nil {
			continue // decK's
		}
		first := func(d *plan.Change) {
			if d != nil && d != c && !b.WaitsFor(c, d) {
				b.Need(d, c)
			}
		}
		for _, r := range t.References {
			for _, id := range value.TextsAt(c.CurrentState, value.ParsePath(r.Field)) {
				first(byID[id])
			}
		}
		named.each(t, plan.AncestorsOf(c), c.CurrentState, first)
	}
}

// WaitsFor reports whether a change waits for another, through any number of
// steps.
func (b *Sequence) WaitsFor(c, other *plan.Change) bool {
	if b.waits == nil {
		b.waits = map[*plan.Change][]*plan.Change{}
		for _, n := range b.Needs {
			b.waits[n.Change] = append(b.waits[n.Change], n.Before)
		}
	}
	return Reaches(b.waits, c, other)
}

// kindGraph says of the root types which refer to which, by themselves or by
// what belongs to them.
func kindGraph(cat *resource.Types) *graph.Graph[string] {
	var g graph.Graph[string]
	for _, t := range cat.All() {
		root := t
		for root.Parent != nil {
			root = root.Parent
		}
		g.Add(root.Kind)
		for _, r := range t.References {
			target := cat.Kind(r.Kind)
			for target != nil && target.Parent != nil {
				target = target.Parent
			}
			if target != nil {
				g.Need(root.Kind, target.Kind)
			}
		}
	}
	return &g
}

// describe fills metadata and summary.
func describe(b *Draft) {
	p := b.Plan
	p.Metadata = plan.Metadata{
		PlanVersion: plan.Version, VersionAlias: plan.Version,
		GeneratedAt: b.Now.UTC().Format("2006-01-02T15:04:05Z"), GeneratedBy: b.Generator, Generator: b.Generator,
		Mode: b.Mode, ConfigHash: configHash(b.Set),
		SyncScope:         scope(b),
		Filters:           b.Filter.Document(),
		Inputs:            b.Inputs,
		ReferenceMappings: mappings(b),
		Names:             formerNames(b),
		Externals:         b.Plan.Using(externals(b)),
	}
	p.Summarize()
}

// scope is what the plan was made from.
func scope(b *Draft) plan.Scope {
	s := plan.Scope{Prune: scopePrune(b), Namespaces: append([]string{}, b.Set.Namespaces...), ResourceTypes: b.Snapshot.Kinds()}
	if b.Plan.Deletes() > 0 {
		s.Existing = Existing(b)
	}
	if b.Adopt == nil { // else one resource was asked for, not a namespace
		s.OtherNamespaces = resource.Elsewhere(b.Snapshot, b.Types, b.Set)
	}
	s.NotPruned = notPruned(b, s.Prune)
	if s.Prune != resource.PruneNone {
		s.Narrowed = narrowed(b.Set, s.Prune)
	}
	return s
}

// narrowed are the files that prune less than the run.
func narrowed(set *resource.Set, prune string) map[string]string {
	var out map[string]string
	for file, own := range set.Narrowed {
		if resource.NarrowerPrune(prune, own) != prune {
			if out == nil {
				out = map[string]string{}
			}
			out[file] = own
		}
	}
	return out
}

// notPruned are the externals below which lists of children are written, or sets: nothing
// there is removed for not being declared.
func notPruned(b *Draft, prune string) []string {
	var out []string
	for _, r := range b.Set.Resources {
		spares := prune != resource.PruneNone && slices.ContainsFunc(r.Type.Children, func(t *resource.Type) bool { return resource.Spares(t, r, resource.PruneFull) })
		if spares || b.Mode.Brings() && sharesSet(r) {
			out = append(out, r.Owner().Type.Kind+":"+r.Owner().Ref)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func scopePrune(b *Draft) string {
	if !b.Mode.Prunes() {
		return resource.PruneNone
	}
	return b.Prune
}

// mappings are the ids of what exists, by ref.
func mappings(b *Draft) map[string]string {
	count := map[string]int{}
	for _, r := range b.Set.Resources {
		count[r.Ref]++
	}
	out := map[string]string{}
	for _, r := range b.Set.Resources {
		o := b.object(r)
		if o == nil || o.ID == "" {
			continue
		}
		key := r.Ref
		if count[r.Ref] > 1 {
			key = r.Type.Kind + ":" + r.Ref
		}
		out[key] = o.ID
	}
	for _, c := range b.Plan.Changes {
		mapParent(out, c)
	}
	return out
}

// mapParent notes what a delete names its parent. A name that stands for something
// else already says nothing.
func mapParent(ids map[string]string, c *plan.Change) {
	p := c.Parent
	if c.Action != plan.Delete || p == nil || p.Ref == "" || c.Replace || ids[p.Ref] == p.ID {
		return
	}
	key := p.Type + ":" + p.Ref
	if id, taken := ids[key]; taken && id != p.ID || ids[p.Ref] != "" {
		p.Ref = ""
		return
	}
	ids[key] = p.ID
}
