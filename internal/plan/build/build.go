// Package build makes plans: what to change, in which order, and why.
//
// In: a linked configuration, what exists, what targets propose, and a mode. Out: a
// plan. It is pure: no clock, network or randomness; the same input gives the same
// plan. It must never import execute, a view or a target.
package build

import (
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/choose"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
)

// Input is all that a plan is made of.
type Input struct {
	Types    *resource.Types
	Set      *resource.Set
	Links    *resource.Links
	Snapshot resource.State
	Mode     plan.Mode
	Prune    string
	// AllowReplace are the refs of resources that may be deleted and made
	// again though others hang on them.
	AllowReplace []string
	// AllowEmpty are the types whose last resources may be deleted though the
	// configuration never mentions them.
	AllowEmpty []string
	// AllowCascade are the refs of resources that may be deleted though what
	// others own is deleted with them.
	AllowCascade []string
	// refusals are the deletes that former drafts found refused.
	refusals []refusal
	// wholly are all permissions that the plan needs, where they are known.
	wholly permissions
	// Users is what refers to the resources that the plan deletes; With
	// finds out.
	Users *resource.Users
	// partsAlone reports that only parts of attached changes are deleted.
	partsAlone bool
	// MaxDeletes bounds the deletes, "10" or "5%"; empty is no bound.
	MaxDeletes string
	// WriteSecrets are the secrets to write though the resource exists:
	// "[type:]ref[#field]", or "*" for all.
	WriteSecrets []string
	// Filter leaves parts of the configuration out.
	Filter choose.Filter
	// Adopt is a resource to mark that no configuration declares.
	Adopt  *Adoption
	Inputs []plan.Input
	// AllowPending lets resources wait for externals that are not there.
	AllowPending bool
	// Guards refuse changes, in this order.
	Guards []Guard
	// Proposer is the one of a type's target.
	Proposer func(*resource.Type) Proposer
	// Attached are what targets propose for what is attached to resources.
	Attached []*Attachment
	// Env looks up the variables that fields are taken from, to compare them;
	// the plan never holds their values.
	Env       func(string) (string, bool)
	Now       time.Time
	Generator string
	// Dir is the folder that paths in the plan are relative to.
	Dir string
}

// Build makes a plan.
func Build(in Input) (*plan.Plan, diag.List) {
	b := drafted(in)
	return b.Plan, b.diags
}

// draft makes a plan, with what is known of it from former drafts.
func draft(in Input) *Draft {
	b := newDraft(in)
	b.diags = b.selection.Unmatched(in.Types)
	checkAllowed(b)
	findBroken(b)
	findPending(b)
	setAside(b)
	checkValues(b)
	checkUndeclared(b)
	checkPairs(b)
	b.selection.Called = func(x resource.Part) string { return described(b, x.Type, x.Object, x.Ancestors) }
	b.selection.Users = in.Users
	b.selection.Hold(in.Links, in.Types, in.Mode)
	switch in.Mode {
	case plan.ModeDelete:
		deleteDeclared(b)
	case plan.ModeAdopt:
		adopt(b)
	default:
		bringAbout(b)
	}
	tellHeld(b)
	unmatchedSecrets(b)
	listAwaited(b)
	checkCascades(b)
	checkMissing(b)
	checkNamed(b)
	checkInside(b)
	checkRepeated(b)
	checkRequired(b)
	checkSent(b)
	checkUnique(b)
	checkIdentities(b)
	lookUpParents(b)
	order(b)
	if b.Mode.Brings() {
		tellItems(b)
	}
	describe(b)
	return b
}

func newDraft(in Input) *Draft {
	return &Draft{
		Input:        in,
		Sequence:     NewSequence(in.Types),
		objects:      newObjects(in.Snapshot),
		names:        resource.NewNames(in.Set, in.Snapshot),
		replaced:     map[*resource.Resource]bool{},
		refused:      map[*resource.Resource]bool{},
		Making:       map[*resource.Resource]*plan.Change{},
		changes:      map[*resource.Resource]*plan.Change{},
		Deletes:      map[string]*plan.Change{},
		gone:         map[*plan.Change]*resource.Object{},
		broken:       map[*resource.Resource]error{},
		asked:        map[string]bool{},
		held:         map[*resource.Resource][]Held{},
		pending:      map[*resource.Resource]*waiting{},
		AttachedBy:   map[*resource.Resource]*plan.Change{},
		coming:       map[*resource.Resource]*plan.Change{},
		awaited:      map[*resource.Resource]map[string]any{},
		selection:    choose.NewSelection(in.Set, in.Snapshot, in.Filter),
		attachments:  newAttachments(in),
		nameless:     map[*plan.Change]bool{},
		LeftOut:      map[*plan.Change][]string{},
		stranded:     map[*plan.Change][]stranded{},
		deletedFirst: map[*plan.Change][]*plan.Change{},
		notAllowed:   map[string]map[*plan.Change]string{},
	}
}

// bringAbout makes and changes what is declared, and in a sync deletes what is
// not.
func bringAbout(b *Draft) {
	findReplaced(b)
	for _, r := range b.Links.Sorted() {
		if plannable(b, r) {
			bring(b, r)
		}
		attach(b, r)
	}
	if b.Mode.Prunes() {
		prune(b)
		tellStillNamed(b)
		tellFormer(b)
		tellSpared(b)
	}
	tellUnlisted(b)
	tellUnnamed(b)
}

// plannable tells that a resource is this plan's to bring about.
func plannable(b *Draft, r *resource.Resource) bool {
	return r.External == nil && b.broken[r] == nil && b.pending[r] == nil && !b.selection.LeftOut(r) && reachable(b, r)
}

// Draft is a plan that is being made: what it is made of, the changes so far, and
// what was found out on the way.
type Draft struct {
	Input
	*Sequence
	// replaced resources are deleted and made again; refused ones would have to
	// be, and get no change.
	replaced, refused map[*resource.Resource]bool
	// Making is the change that brings a resource into being, changes the one
	// that writes it, Deletes the one that removes an object, by kind and id.
	Making, changes map[*resource.Resource]*plan.Change
	Deletes         map[string]*plan.Change
	// broken resources could not be looked for, or hang on one that could not.
	broken map[*resource.Resource]error
	// pending resources wait for something that others make.
	pending map[*resource.Resource]*waiting
	// AttachedBy are the changes that are attached to resources.
	AttachedBy  map[*resource.Resource]*plan.Change
	attachments attachments
	// coming are the changes of AttachedBy, and those that are still to be planned.
	coming map[*resource.Resource]*plan.Change
	// awaited are the entities whose fields are taken after attached changes, with the
	// values that are known.
	awaited map[*resource.Resource]map[string]any
	asked   map[string]bool // names of secrets that were found
	held    map[*resource.Resource][]Held
	// suggested are the values of unique fields that fixes name.
	suggested map[string]bool
	// selection is what the filter makes of it all.
	selection *choose.Selection
	objects   *objects
	names     *resource.Names
	// gone are the objects that deletes remove.
	gone map[*plan.Change]*resource.Object
	// goes is the change that each deleted resource goes with, in a delete.
	goes map[*resource.Resource]*plan.Change
	// nameless creates have an identity that is known only when they run.
	nameless map[*plan.Change]bool
	// declaredAt are the declared resources by the objects that they are.
	declaredAt map[string]*resource.Resource
	// asks are the permissions that refused changes need.
	asks []ask
	// learned: a delete is refused that no former draft knew of.
	learned bool
	// shownOnce are the creates and the secrets that they leave to the target.
	shownOnce []shownOnce
	// inUse are deletes that Konnect would refuse.
	inUse []inUse
	// stranded are the references to what attached changes delete.
	stranded map[*plan.Change][]stranded
	// deletedFirst are the deletes of what refers to what attached changes delete.
	deletedFirst map[*plan.Change][]*plan.Change
	// notAllowed are the changes that targets refuse, by the rule.
	notAllowed map[string]map[*plan.Change]string
	// LeftOut is what deletes would also delete by cascade though this plan
	// leaves it alone.
	LeftOut map[*plan.Change][]string
}

// object is the live resource that a change can start from: none when it, or
// something above it, is made new.
func (b *Draft) object(r *resource.Resource) *resource.Object {
	for x := r; x != nil; x = x.Parent {
		if b.replaced[x] && !onlyID(b, r) {
			return nil
		}
	}
	return b.Snapshot.Object(r)
}

// onlyID reports whether an external is an id that is that of nothing yet: it
// stays what it is when what it would belong to is made again.
func onlyID(b *Draft, r *resource.Resource) bool {
	return r.External != nil && r.External.ID != "" && b.Snapshot.Absent(r)
}

// findReplaced finds the resources that need to be made again. One that is
// makes the ids of others unknown, which may change more, so it looks again
// until nothing is added.
func findReplaced(b *Draft) {
	for again := true; again; {
		again = false
		for _, r := range b.Set.Resources {
			o := b.object(r)
			if o == nil || b.replaced[r] || b.refused[r] || r.External != nil || b.broken[r] != nil || b.pending[r] != nil || b.selection.LeftOut(r) {
				continue
			}
			desired := b.resolve(r)
			p := b.Proposer(r.Type).Propose(b.subject(r, o, desired))
			fields, held := slices.Concat(movedIdentity(r, desired), p.Immutable, fixedSecrets(b, r, desired)), bound(b, r, desired)
			if len(fields)+len(held) == 0 {
				continue
			}
			if !mayReplace(b, r, fields, held) || !mayLose(b, r) || !attachedKnown(b, r) || mayBeUsed(b, r) {
				b.refused[r] = true
				continue
			}
			b.replaced[r] = true
			again = true
		}
	}
	for r := range b.replaced {
		for above := r.Parent; above != nil; above = above.Parent {
			if b.replaced[above] {
				delete(b.replaced, r) // it goes with what it belongs to
			}
		}
	}
}

func bring(b *Draft, r *resource.Resource) {
	desired := b.resolve(r)
	o := b.object(r)
	if o == nil {
		if b.replaced[r] {
			old := b.Snapshot.Object(r)
			b.record(remove(b, r.Type, old, b.KnownAncestors(r), r), r.Type, old, desired)
		}
		create(b, r, desired)
		return
	}
	if b.refused[r] {
		return // it is listed as blocked
	}
	desired.Asked = secretsToWrite(b, r, desired)
	p := b.Proposer(r.Type).Propose(b.subject(r, o, desired))
	if p.Action != "" {
		c := newChange(b, r, plan.Update, desired)
		if p.Filled {
			needSources(b, c, desired)
		}
		fillUpdate(c, r, o, p)
		noteRefusal(b, c, p)
	}
	tell(b, r, p.Notes)
	tellKept(b, r, p)
	tellUnseen(b, r, p.Unseen)
}

// needSources lets a change wait for those of the resources that the target may
// fill in fields from.
func needSources(b *Draft, c *plan.Change, desired Desired) {
	for _, link := range desired.Links {
		b.Need(c, b.changes[link.Target])
	}
}

// KnownAncestors are the ids above a resource that exists.
func (b *Draft) KnownAncestors(r *resource.Resource) []string {
	ids, _ := b.Snapshot.Ancestors(r)
	return ids
}

// newChange starts a change of a declared resource.
func newChange(b *Draft, r *resource.Resource, action plan.Action, desired Desired) *plan.Change {
	c := &plan.Change{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, ResourceName: r.Name, Namespace: r.Namespace,
		Action: action, Protection: r.Protected, DependsOn: []string{},
		References: desired.references(), Expressions: slices.Clone(desired.Env),
		Source: &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column},
	}
	b.Plan.Changes = append(b.Plan.Changes, c)
	b.changes[r] = c
	placeBelow(b, r, c)
	for _, link := range desired.Links {
		switch {
		case link.change != nil:
			b.Need(c, link.change)
		case link.Target.Type.Apart != r.Type.Apart:
			b.Need(c, b.changes[link.Target])
		default:
			b.Need(c, b.Making[link.Target]) // the value is known, and what has it must be there
			b.Need(c, mayMake(b, link.Target))
		}
	}
	for _, t := range r.After {
		b.Need(c, b.changes[t])
	}
	if r.Type.NamesInside() {
		b.Need(c, b.changes[r.Parent])
	}
	for _, t := range b.Links.After(r) {
		b.Need(c, b.Making[t])
	}
	return c
}

// placeBelow says what the change stands below.
func placeBelow(b *Draft, r *resource.Resource, c *plan.Change) {
	if r.Parent == nil {
		return
	}
	c.Parent = &plan.ParentRef{Ref: r.Parent.Ref, Type: r.Parent.Type.Kind, Lookup: plan.Named(r.Parent.Name)}
	if made := b.Making[r.Parent]; made != nil {
		c.Parent.ID = plan.UnknownID
		c.ParentChange = made
		b.Need(c, made)
		return
	}
	ids, _ := b.Snapshot.Ancestors(r)
	c.Parent.ID = ids[len(ids)-1]
	c.Parent.Ancestors = ids
}

func create(b *Draft, r *resource.Resource, desired Desired) {
	subject := b.subject(r, nil, desired)
	subject.Was, subject.Replaces = b.Snapshot.Object(r), b.replaced[r]
	p := b.Proposer(r.Type).Propose(subject)
	if sendsNothing(b, r, p) {
		return
	}
	c := newChange(b, r, p.Action, desired)
	if r.Type.Computed {
		needSources(b, c, desired)
	}
	if r.Type.FromParent {
		b.Need(c, b.changes[r.Parent])
	}
	fill(c, p)
	noteRefusal(b, c, p)
	b.shownOnce = append(b.shownOnce, shownOnce{c, r, subject.Was != nil, p.ShownOnce})
	c.ResourceID, c.Beside = p.ID, sameName(b, r)
	if b.replaced[r] {
		c.Replace = true
		del := b.Deletes[ObjectKey(r.Type, subject.Was.ID, b.KnownAncestors(r))]
		b.Need(c, del)
		join(del, c)
	} else if len(desired.UnknownIdentity(r.Type)) > 0 {
		b.nameless[c] = true
	}
	b.Making[r] = c
}

// sendsNothing reports whether a resource that comes with its parent is as declared
// by then: nothing is declared of it, and nothing needs what a change of it returns.
// An order of one resource that nobody wrote comes of itself.
func sendsNothing(b *Draft, r *resource.Resource, p Proposal) bool {
	if r.Implied && len(listedIn(b, r, ordersIn(r.Type))) == 1 {
		return true
	}
	return r.Type.Fixed && len(p.Fields)+len(p.Secrets) == 0 && len(b.Links.To(r)) == 0 && len(b.Set.Children(r)) == 0
}

// fillUpdate says what an update sends, changes and expects.
func fillUpdate(c *plan.Change, r *resource.Resource, o *resource.Object, p Proposal) {
	c.ResourceID, c.ResourceName, c.SendsAll = o.ID, resource.ExistingName(r, o), r.Type.Whole
	fill(c, p)
	references := map[string]plan.Reference{}
	for path, ref := range c.References {
		if at, moved := p.Places[path]; moved {
			path = at.String()
		}
		references[path] = ref
	}
	if len(references) > 0 {
		c.References = references
	}
	c.DropUnusedExpressions()
}

// foundBy are the fields that tell a resource from others of its type: its variant where
// others that were read have the rest of its identity.
func foundBy(b *Draft, t *resource.Type, id string, state map[string]any) map[string]any {
	out := map[string]any{}
	for _, field := range t.Identity {
		if v, ok := state[field]; ok {
			out[field] = v
		}
	}
	v, ok := state[t.Variant]
	if ok && slices.ContainsFunc(b.objects.same(t, out), func(o *resource.Object) bool { return o.ID != id }) {
		out[t.Variant] = v
	}
	return out
}

// remove deletes an object; r is its declaration where it is made again.
func remove(b *Draft, t *resource.Type, o *resource.Object, ancestors []string, r *resource.Resource) *plan.Change {
	c := &plan.Change{
		ResourceType: t.Kind, ResourceID: o.ID, Action: plan.Delete, DependsOn: []string{},
		Namespace: o.Owner.Namespace, Protection: o.Owner.Protected,
	}
	c.ResourceRef = liveRef(b, t, o, ancestors)
	if c.ResourceName = c.ResourceRef; o.Ref != "" {
		c.ResourceName = t.Name(o)
	}
	if r != nil {
		c.ResourceRef, c.ResourceName, c.Namespace, c.Replace = r.Ref, b.names.Current(r, o), r.Namespace, true
		c.Protection = b.protected(r)
		c.Source = &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
	}
	if len(ancestors) > 0 {
		c.Parent = &plan.ParentRef{Type: t.Parent.Kind, ID: ancestors[len(ancestors)-1], Ancestors: ancestors}
		if r != nil {
			c.Parent.Ref, c.Parent.Lookup, c.Parent.RootProtected = r.Parent.Ref, plan.Named(r.Parent.Name), b.protected(r.Root())
		}
	}
	p := b.Proposer(t).Propose(Subject{Type: t, Live: o, Mode: b.Mode, Drop: true, Replaces: r != nil})
	fill(c, p)
	c.Identity = foundBy(b, t, o.ID, c.CurrentState)
	noteRefusal(b, c, p)
	for _, text := range p.Notes {
		b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{ResourceType: t.Kind, ResourceRef: c.ResourceRef, Message: text})
	}
	for _, first := range p.After {
		b.Need(c, b.changes[first])
	}
	b.Plan.Changes = append(b.Plan.Changes, c)
	if p.Action == plan.Update { // the target keeps it and gives it up
		c.Action = plan.Update
		return c
	}
	b.Deletes[ObjectKey(t, o.ID, ancestors)] = c
	b.gone[c] = o
	return c
}

// ObjectKey tells where an object is, by type and ids.
func ObjectKey(t *resource.Type, id string, ancestors []string) string {
	return plan.PlaceKey(t.Kind, ancestors, id)
}
