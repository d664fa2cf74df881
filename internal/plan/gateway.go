package plan

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/gateway"
	"kongctl/internal/resource"
)

// PendingDeck stands for an id that decK will make known.
const PendingDeck = "[pending-deck]"

// DeckDependency is a service that decK makes, or another entity that it changes,
// and that the configuration refers to.
type DeckDependency struct {
	GatewayServiceRef string `json:"gateway_service_ref"`
	ControlPlaneID    string `json:"control_plane_id"`
	ControlPlaneName  string `json:"control_plane_name,omitempty"`
	DeckFile          string `json:"deck_file"`
	ServiceName       string `json:"service_name"`
	// ResourceType and ResourceID are those of an entity that exists and that the
	// configuration does not name as a service of decK.
	ResourceType string `json:"resource_type,omitempty"`
	ResourceID   string `json:"resource_id,omitempty"`
	// Values are fields that others take, as decK will leave them; what is
	// hidden is not among them.
	Values map[string]any `json:"values,omitempty"`
	// Change is the one that lets decK make it, where there is one.
	Change string `json:"change,omitempty"`
	// Replaces is the id that it has until decK makes it again.
	Replaces string `json:"replaces,omitempty"`

	change *Change
}

// GatewayCount counts what decK does to entities.
type GatewayCount struct {
	Creating int `json:"creating"`
	Updating int `json:"updating"`
	Deleting int `json:"deleting"`
}

// GatewayJob is what decK shall do on one control plane, and what that changes.
type GatewayJob struct {
	ControlPlane *resource.Resource
	// Fields say how to do it later: mode, files, flags, state. Expressions and
	// SecretWrites are the parts of the state that a plan does not hold.
	Fields                    map[string]any
	Expressions, SecretWrites []Expression
	// Services are those that the configuration refers to; Holds tells whether
	// the files have one.
	Services []*resource.Resource
	Holds    func(service string) bool
	// File names the file of a service.
	File func(service *resource.Resource) string
	// Size is how many entities the files hold.
	Size int
	// Bounded tells that select tags bound what decK sees.
	Bounded bool
	Changes []gateway.Change
	// Fresh is what decK makes on a control plane that is made anew.
	Fresh []gateway.Change
	// Err is why nobody can tell what decK would change.
	Err error
	Pos Source
}

func (b *builder) jobOf(r *resource.Resource) *GatewayJob {
	for _, j := range b.Gateway {
		if j.ControlPlane == r {
			return j
		}
	}
	return nil
}

// deckKnown refuses to replace a control plane when nobody knows what decK would
// do on the new one.
func (b *builder) deckKnown(r *resource.Resource) bool {
	j := b.jobOf(r)
	if j == nil || j.Err == nil {
		return true
	}
	b.plan.Errors = append(b.plan.Errors, Problem{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Message: "is not replaced: decK cannot tell what it would do on the new one"})
	return false
}

// deckLeftOut tells that the filter leaves decK's work on a control plane out.
func (s *selection) deckLeftOut(r *resource.Resource) bool {
	switch {
	case len(s.patterns) == 0:
		return false
	case s.isolate:
		return !s.kinds[DeckType] && !s.chosen[r]
	default:
		return s.kinds[DeckType] || s.leftOut(r)
	}
}

// deck plans the work of decK on a control plane, right after the control plane
// itself.
func (b *builder) deck(r *resource.Resource) {
	j := b.jobOf(r)
	switch {
	case j == nil, b.broken[r] != nil:
		return
	case b.selection.deckLeftOut(r):
		b.missingServices(j, nil)
		return
	case b.pending[r] != nil:
		w := b.pending[r]
		b.plan.Pending = append(b.plan.Pending, Pending{ResourceType: DeckType, ResourceRef: r.Ref, Reason: w.reason, WaitsFor: w.of.Ref})
		return
	case j.Err != nil:
		b.plan.Errors = append(b.plan.Errors, Problem{ResourceType: DeckType, ResourceRef: r.Ref, Message: j.Err.Error()})
		return
	case b.making[r] == nil && b.Snapshot.Object(r) == nil:
		b.diags.Add(diag.FilterParent, r.Pos, fmt.Sprintf("decK works on the %s, which does not exist yet and is left out.", r.Describe()), "make it first, or leave the target gateway or the filter out.")
		return
	}
	changes := b.gatewayChanges(j)
	if len(changes) == 0 {
		if b.Mode != ModeDelete {
			b.missingServices(j, nil)
			b.depend(j, nil)
		}
		return
	}
	c := b.deckChange(r)
	*c = Change{
		ResourceType: DeckType, ResourceRef: r.Ref, ResourceName: b.controlPlaneName(r), Namespace: r.Namespace,
		Action: ExternalTool, DependsOn: []string{}, Fields: j.Fields, Expressions: j.Expressions, SecretWrites: j.SecretWrites,
		GatewayChanges: changes, ExecutionContext: ExecutionContext{APIEndpoint: fmt.Sprintf("deck gateway %v", j.Fields["mode"])},
		Source: &Source{File: j.Pos.File, Line: j.Pos.Line, Column: j.Pos.Column},
		Parent: &ParentRef{Ref: r.Ref, Type: r.Type.Kind},
	}
	if made := b.making[r]; made != nil {
		c.Parent.ID, c.parentChange = UnknownID, made
		b.need(c, made)
	} else {
		o := b.Snapshot.Object(r)
		c.Parent.ID = o.ID
		c.Parent.Ancestors = append(b.knownAncestors(r), o.ID)
		b.need(c, b.changes[r]) // it may get another name
	}
	b.plan.Changes = append(b.plan.Changes, c)
	b.decks[r] = c
	if b.Mode != ModeDelete {
		b.missingServices(j, c)
		b.depend(j, c)
	}
}

// gatewayChanges are what decK does: on a control plane that is made anew, all
// that its files hold.
func (b *builder) gatewayChanges(j *GatewayJob) []gateway.Change {
	if b.replaced[j.ControlPlane] {
		return j.Fresh
	}
	return j.Changes
}

// remade tells of a service that decK deletes and makes again, so that it gets
// another id.
func (b *builder) remade(s *resource.Resource) bool {
	return b.deckDoes(s, gateway.Remove) && b.deckDoes(s, gateway.Create)
}

// deckDoes tells what decK does to a service that the configuration names.
func (b *builder) deckDoes(s *resource.Resource, action gateway.Action) bool {
	if s.External == nil || s.External.Made == nil {
		return false
	}
	j := b.jobOf(s.Parent)
	return j != nil && !b.selection.deckLeftOut(s.Parent) && slices.ContainsFunc(b.gatewayChanges(j), func(c gateway.Change) bool {
		return c.Kind == gateway.KindService && c.Name == s.External.Made.Name && c.Action == action
	})
}

// controlPlaneName is the name that decK knows a control plane by.
func (b *builder) controlPlaneName(r *resource.Resource) string {
	if o := b.object(r); o != nil && r.External != nil {
		if name, ok := o.Fields["name"].(string); ok {
			return name
		}
	}
	return r.Name
}

// missingServices tells of services that are not there and that nothing makes.
func (b *builder) missingServices(j *GatewayJob, c *Change) {
	for _, s := range j.Services {
		name := s.External.Made.Name
		stays := b.object(s) != nil && (c == nil || !b.deckDoes(s, gateway.Remove))
		leftOut := b.selection.deckLeftOut(j.ControlPlane)
		if stays || c != nil && j.Holds(name) || b.pending[s] != nil || (leftOut || b.selection.leftOut(s)) && !b.used(s) {
			continue
		}
		why, fix := "no decK file of this run makes it", "correct the name of the service, or add it to the decK file."
		if leftOut && j.Holds(name) {
			why, fix = "decK's work, which makes it, is left out", "remove type:_deck from --ignore-refs, or run decK first."
			if b.selection.isolate {
				fix = "add type:_deck to --isolate-refs, or run decK first."
			}
		}
		b.diags.Add(diag.DeckNoService, s.External.Made.Pos, fmt.Sprintf("The service %q is not found in the control plane %q, and %s.", name, b.controlPlaneName(j.ControlPlane), why), fix)
	}
}

// used tells that something that is planned refers to a resource.
func (b *builder) used(s *resource.Resource) bool {
	return slices.ContainsFunc(b.Set.Resources, func(r *resource.Resource) bool {
		if b.selection.leftOut(r) {
			return false
		}
		for _, link := range b.Links.From(r) {
			if link.Target == s {
				return true
			}
		}
		return false
	})
}

// depend lists the services for whoever reads the plan.
func (b *builder) depend(j *GatewayJob, c *Change) {
	for _, s := range j.Services {
		d := DeckDependency{
			GatewayServiceRef: s.Ref, ControlPlaneID: UnknownID, ControlPlaneName: b.controlPlaneName(j.ControlPlane),
			DeckFile: j.File(s), ServiceName: s.External.Made.Name, change: c,
		}
		if o := b.object(j.ControlPlane); o != nil {
			d.ControlPlaneID = o.ID
		}
		if o := b.Snapshot.Object(s); o != nil && b.remade(s) {
			d.Replaces = o.ID
		}
		b.plan.DeckDependencies = append(b.plan.DeckDependencies, d)
	}
}

// deckMakes is the change that makes a service that is not there yet.
func (b *builder) deckMakes(s *resource.Resource) *Change {
	if s.External == nil || s.External.Made == nil || b.object(s) != nil && !b.remade(s) {
		return nil
	}
	return b.decks[s.Parent]
}

// deleteDeck lets decK remove what its select tags own. What goes with its
// control plane needs no decK.
func (b *builder) deleteDeck() {
	for _, j := range b.Gateway {
		if b.Snapshot.Object(j.ControlPlane) == nil || b.goes[j.ControlPlane] != nil {
			continue
		}
		b.deck(j.ControlPlane)
		c := b.decks[j.ControlPlane]
		if c == nil {
			continue
		}
		for _, r := range b.Links.Sorted() {
			if slices.ContainsFunc(b.Links.From(r), func(l resource.Edge) bool { return l.Target.Root() == j.ControlPlane.Root() }) {
				b.need(c, b.goes[r])
			}
		}
	}
}

// gatewayDeletes counts the entities that a change of decK removes.
func (c *Change) gatewayDeletes() int {
	n := 0
	for _, g := range c.GatewayChanges {
		if g.Action == gateway.Remove {
			n++
		}
	}
	return n
}

// gatewayDeleted names the entities that a change of decK removes, the first ten.
func (c *Change) gatewayDeleted() string {
	const few = 10
	var names []string
	for _, g := range c.GatewayChanges {
		if g.Action == gateway.Remove {
			names = append(names, g.Kind+" "+g.Name)
		}
	}
	if len(names) > few {
		names = append(names[:few], "…")
	}
	return strings.Join(names, ", ")
}

func (g *GatewayCount) add(changes []gateway.Change) {
	for _, c := range changes {
		switch c.Action {
		case gateway.Create:
			g.Creating++
		case gateway.Update:
			g.Updating++
		case gateway.Remove:
			g.Deleting++
		}
	}
}
