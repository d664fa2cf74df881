package plan

import (
	"slices"
	"time"

	"kongctl/internal/diag"
	"kongctl/internal/resource"
)

// BuildInput is all that a plan is made of.
type BuildInput struct {
	Types    *resource.Types
	Set      *resource.Set
	Links    *resource.Links
	Snapshot resource.State
	Mode     Mode
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
	// Users is what refers to the resources that the plan deletes; BuildWith
	// finds out.
	Users *resource.Users
	// MaxDeletes bounds the deletes, "10" or "5%"; empty is no bound.
	MaxDeletes string
	// WriteSecrets are the secrets to write though the resource exists:
	// "[type:]ref[#field]", or "*" for all.
	WriteSecrets []string
	// Filter leaves parts of the configuration out.
	Filter Filter
	// Adopt is a resource to mark that no configuration declares.
	Adopt        *Adoption
	Organization Organization
	Inputs       []Input
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
func Build(in BuildInput) (*Plan, diag.List) {
	b := newDraft(in)
	b.diags = b.selection.unmatched(in.Types)
	checkAllowed(b)
	findBroken(b)
	findPending(b)
	setAside(b)
	checkValues(b)
	checkPairs(b)
	b.selection.hold(in.Links, in.Types, in.Mode)
	switch in.Mode {
	case ModeDelete:
		deleteDeclared(b)
	case ModeAdopt:
		adopt(b)
	default:
		bringAbout(b)
	}
	unmatchedSecrets(b)
	listAwaited(b)
	checkCascades(b)
	checkSent(b)
	checkUnique(b)
	checkIdentities(b)
	order(b)
	describe(b)
	return b.plan, b.diags
}

func newDraft(in BuildInput) *Draft {
	return &Draft{
		BuildInput: in,
		Sequence:   newSequence(in.Types),
		replaced:   map[*resource.Resource]bool{},
		refused:    map[*resource.Resource]bool{},
		making:     map[*resource.Resource]*Change{},
		changes:    map[*resource.Resource]*Change{},
		deletes:    map[string]*Change{},
		gone:       map[*Change]*resource.Object{},
		broken:     map[*resource.Resource]error{},
		asked:      map[string]bool{},
		pending:    map[*resource.Resource]*waiting{},
		attachedBy: map[*resource.Resource]*Change{},
		coming:     map[*resource.Resource]*Change{},
		awaited:    map[*resource.Resource]map[string]any{},
		selection:  newSelection(in.Set, in.Snapshot, in.Filter),
		nameless:   map[*Change]bool{},
		leftOut:    map[*Change][]string{},
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
	if b.Mode == ModeSync {
		prune(b)
	}
}

// plannable tells that a resource is this plan's to bring about.
func plannable(b *Draft, r *resource.Resource) bool {
	return r.External == nil && b.broken[r] == nil && b.pending[r] == nil && !b.selection.leftOut(r) && reachable(b, r)
}

// Draft is a plan that is being made: what it is made of, the changes so far, and
// what was found out on the way.
type Draft struct {
	BuildInput
	*Sequence
	// replaced resources are deleted and made again; refused ones would have to
	// be, and get no change.
	replaced, refused map[*resource.Resource]bool
	// making is the change that brings a resource into being, changes the one
	// that writes it, deletes the one that removes an object, by kind and id.
	making, changes map[*resource.Resource]*Change
	deletes         map[string]*Change
	// broken resources could not be looked for, or hang on one that could not.
	broken map[*resource.Resource]error
	// pending resources wait for something that others make.
	pending map[*resource.Resource]*waiting
	// attached are the changes that are attached to resources.
	attachedBy map[*resource.Resource]*Change
	// coming are the same, and those that are still to be planned.
	coming map[*resource.Resource]*Change
	// awaited are the entities whose fields are taken after attached changes, with the
	// values that are known.
	awaited map[*resource.Resource]map[string]any
	asked   map[string]bool // names of secrets that were found
	// selection is what the filter makes of it all.
	selection *selection
	// gone are the objects that deletes remove.
	gone map[*Change]*resource.Object
	// goes is the change that each deleted resource goes with, in a delete.
	goes map[*resource.Resource]*Change
	// nameless creates have an identity that is known only when they run.
	nameless map[*Change]bool
	// declaredAt are the declared resources by the objects that they are.
	declaredAt map[string]*resource.Resource
	// inUse are deletes that Konnect would refuse.
	inUse []inUse
	// leftOut is what deletes would also delete by cascade though this plan
	// leaves it alone.
	leftOut map[*Change][]string
}

// object is the live resource that a change can start from: none when it, or
// something above it, is made new.
func (b *Draft) object(r *resource.Resource) *resource.Object {
	for x := r; x != nil; x = x.Parent {
		if b.replaced[x] {
			return nil
		}
	}
	return b.Snapshot.Object(r)
}

// findReplaced finds the resources that need to be made again. One that is
// makes the ids of others unknown, which may change more, so it looks again
// until nothing is added.
func findReplaced(b *Draft) {
	for again := true; again; {
		again = false
		for _, r := range b.Set.Resources {
			o := b.object(r)
			if o == nil || b.replaced[r] || b.refused[r] || r.External != nil || b.broken[r] != nil || b.pending[r] != nil || b.selection.leftOut(r) {
				continue
			}
			desired := b.resolve(r)
			p := b.Proposer(r.Type).Propose(b.subject(r, o, desired))
			fields := slices.Concat(movedIdentity(r, desired), p.Immutable, bound(b, r, desired))
			if len(fields) == 0 {
				continue
			}
			if !mayReplace(b, r, fields) || !mayLose(b, r) || !attachedKnown(b, r) || mayBeUsed(b, r) {
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
			b.record(remove(b, r.Type, old, b.knownAncestors(r), r), r.Type, old, desired)
		}
		create(b, r, desired)
		return
	}
	if b.refused[r] {
		return // it is listed as blocked
	}
	desired.Secrets = secretsToWrite(b, r, desired)
	if p := b.Proposer(r.Type).Propose(b.subject(r, o, desired)); p.Action != "" {
		fillUpdate(b, newChange(b, r, Update, desired), r, o, p)
	}
}

func (b *Draft) knownAncestors(r *resource.Resource) []string {
	ids, _ := b.Snapshot.Ancestors(r)
	return ids
}

// newChange starts a change of a declared resource.
func newChange(b *Draft, r *resource.Resource, action Action, desired Desired) *Change {
	c := &Change{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, ResourceName: r.Name, Namespace: r.Namespace,
		Action: action, Protection: r.Protected, DependsOn: []string{},
		References: desired.references(), Expressions: slices.Clone(desired.Env),
		Source: &Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column},
	}
	b.plan.Changes = append(b.plan.Changes, c)
	b.changes[r] = c
	placeBelow(b, r, c)
	for _, link := range desired.Links {
		if link.change != nil {
			b.need(c, link.change)
		}
	}
	for _, t := range b.Links.After(r) {
		b.need(c, b.making[t])
	}
	return c
}

// place says what the change stands below.
func placeBelow(b *Draft, r *resource.Resource, c *Change) {
	if r.Parent == nil {
		return
	}
	c.Parent = &ParentRef{Ref: r.Parent.Ref, Type: r.Parent.Type.Kind}
	if made := b.making[r.Parent]; made != nil {
		c.Parent.ID = UnknownID
		c.ParentChange = made
		b.need(c, made)
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
	c := newChange(b, r, p.Action, desired)
	if r.Type.Computed {
		for _, link := range desired.Links {
			b.need(c, b.changes[link.Target]) // what the target fills in may come from there
		}
	}
	fill(c, p)
	c.ResourceID = p.ID
	if b.replaced[r] {
		c.Replace = true
		del := b.deletes[objectKey(r.Type, subject.Was.ID, b.knownAncestors(r))]
		b.need(c, del)
		join(del, c)
	} else if len(desired.UnknownIdentity(r.Type)) > 0 {
		b.nameless[c] = true
	}
	b.making[r] = c
}

// fillUpdate says what an update sends, changes and expects.
func fillUpdate(b *Draft, c *Change, r *resource.Resource, o *resource.Object, p Proposal) {
	c.ResourceID, c.ResourceName = o.ID, existingName(r, o)
	fill(c, p)
	c.DropUnusedExpressions()
}

// delete removes an object; r is its declaration where it is made again.
func remove(b *Draft, t *resource.Type, o *resource.Object, ancestors []string, r *resource.Resource) *Change {
	c := &Change{
		ResourceType: t.Kind, ResourceID: o.ID, Action: Delete, DependsOn: []string{},
		Namespace: o.Owner.Namespace, Protection: o.Owner.Protected,
	}
	c.ResourceName = liveName(b, t, o, ancestors)
	c.ResourceRef = c.ResourceName
	if r != nil {
		c.ResourceRef, c.ResourceName, c.Namespace, c.Replace = r.Ref, currentName(b, r, o), r.Namespace, true
		c.Protection = b.protected(r)
		c.Source = &Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
	}
	if len(ancestors) > 0 {
		c.Parent = &ParentRef{Type: t.Parent.Kind, ID: ancestors[len(ancestors)-1], Ancestors: ancestors}
		if r != nil {
			c.Parent.Ref, c.Parent.RootProtected = r.Parent.Ref, b.protected(r.Root())
		}
	}
	fill(c, b.Proposer(t).Propose(Subject{Type: t, Live: o, Mode: b.Mode, Drop: true}))
	b.plan.Changes = append(b.plan.Changes, c)
	b.deletes[objectKey(t, o.ID, ancestors)] = c
	b.gone[c] = o
	return c
}

func objectKey(t *resource.Type, id string, ancestors []string) string {
	return placeKey(t.Kind, ancestors, id)
}
