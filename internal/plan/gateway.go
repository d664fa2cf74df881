package plan

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/ref"
	"kongctl/internal/target/gateway"
)

// DeckType is what a plan calls the work of decK on a control plane.
const DeckType = "_deck"

// PendingDeck stands for an id that decK will make known.
const PendingDeck = "[pending-deck]"

// DeckDependency is a service that decK makes and that the configuration refers
// to.
type DeckDependency struct {
	GatewayServiceRef string `json:"gateway_service_ref"`
	ControlPlaneID    string `json:"control_plane_id"`
	ControlPlaneName  string `json:"control_plane_name,omitempty"`
	DeckFile          string `json:"deck_file"`
	ServiceName       string `json:"service_name"`
	// Change is the one that lets decK make it, where there is one.
	Change string `json:"change,omitempty"`

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
	ControlPlane *config.Resource
	// Fields say how to do it later: mode, files, flags, state. Expressions and
	// SecretWrites are the parts of the state that a plan does not hold.
	Fields                    map[string]any
	Expressions, SecretWrites []Expression
	// Services are those that the configuration refers to; Holds tells whether
	// the files have one.
	Services []*config.Resource
	Holds    func(service string) bool
	// File names the file of a service.
	File func(service *config.Resource) string
	// Bounded tells that select tags bound what decK sees.
	Bounded bool
	Changes []gateway.Change
	Pos     Source
}

func (b *builder) jobOf(r *config.Resource) *GatewayJob {
	for _, j := range b.Gateway {
		if j.ControlPlane == r {
			return j
		}
	}
	return nil
}

// deckLeftOut tells that the filter leaves decK's work on a control plane out.
func (s *selection) deckLeftOut(r *config.Resource) bool {
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
func (b *builder) deck(r *config.Resource) {
	j := b.jobOf(r)
	if j == nil || b.pending[r] != nil || b.broken[r] != nil {
		return
	}
	if b.selection.deckLeftOut(r) {
		b.missingServices(j, nil)
		return
	}
	if len(j.Changes) == 0 {
		b.missingServices(j, nil)
		b.depend(j, nil)
		return
	}
	c := &Change{
		ResourceType: DeckType, ResourceRef: r.Ref, ResourceName: b.controlPlaneName(r), Namespace: r.Namespace,
		Action: ExternalTool, DependsOn: []string{}, Fields: j.Fields, Expressions: j.Expressions, SecretWrites: j.SecretWrites,
		GatewayChanges: j.Changes, ExecutionContext: ExecutionContext{APIEndpoint: fmt.Sprintf("deck gateway %v", j.Fields["mode"])},
		Source: &Source{File: j.Pos.File, Line: j.Pos.Line, Column: j.Pos.Column},
		Parent: &ParentRef{Ref: r.Ref, Type: r.Type.Kind},
	}
	if made := b.making[r]; made != nil {
		c.Parent.ID, c.parentChange = unknownID, made
		b.need(c, made)
	} else {
		o := b.Snapshot.Object(r)
		c.Parent.ID = o.ID
		c.Parent.Ancestors = append(b.knownAncestors(r), o.ID)
	}
	b.plan.Changes = append(b.plan.Changes, c)
	b.decks[r] = c
	b.missingServices(j, c)
	b.depend(j, c)
}

// controlPlaneName is the name that decK knows a control plane by.
func (b *builder) controlPlaneName(r *config.Resource) string {
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
		name := s.External.Deck.Service
		if b.object(s) != nil || c != nil && j.Holds(name) || !b.used(s) {
			continue
		}
		at := fmt.Sprintf("the control plane %q", b.controlPlaneName(j.ControlPlane))
		b.diags.Add(diag.DeckNoService, s.External.Deck.Pos, fmt.Sprintf("The service %q is not found in %s, and no decK file of this run makes it.", name, at), "correct the name of the service, or add it to the decK file.")
	}
}

// used tells that something that is planned refers to a resource.
func (b *builder) used(s *config.Resource) bool {
	return slices.ContainsFunc(b.Set.Resources, func(r *config.Resource) bool {
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
			GatewayServiceRef: s.Ref, ControlPlaneID: unknownID, ControlPlaneName: b.controlPlaneName(j.ControlPlane),
			DeckFile: j.File(s), ServiceName: s.External.Deck.Service, change: c,
		}
		if o := b.object(j.ControlPlane); o != nil {
			d.ControlPlaneID = o.ID
		}
		b.plan.DeckDependencies = append(b.plan.DeckDependencies, d)
	}
}

// deckMakes is the change that makes a service that is not there yet.
func (b *builder) deckMakes(s *config.Resource) *Change {
	if s.External == nil || s.External.Deck == nil || b.object(s) != nil {
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
		for r, d := range b.goes {
			if slices.ContainsFunc(b.Links.From(r), func(l ref.Edge) bool { return l.Target.Root() == j.ControlPlane.Root() }) {
				b.need(c, d)
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
