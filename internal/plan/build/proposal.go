package build

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Proposer says how a target brings resources about. It is pure.
type Proposer interface {
	// Propose says what to do with one resource.
	Propose(s Subject) Proposal
	// Record returns what a plan keeps of an object, without secrets and without
	// what came from variables, and what the plan expects of it.
	Record(t *resource.Type, o *resource.Object, env []plan.Expression) (map[string]any, *plan.Expect)
	// Check reports what the target would refuse of a resource; skip reports the
	// paths whose value is not known yet. Replaces reports whether the resource
	// takes the place of another one.
	Check(r *resource.Resource, body map[string]any, replaces bool, skip func(path []string) bool) ([]Violation, diag.List)
}

// Violation is a value that a target would refuse.
type Violation struct {
	Path   value.Path
	Detail string
}

// Subject is what a proposal is about.
type Subject struct {
	// Resource is the declaration, or nil.
	Resource *resource.Resource
	Type     *resource.Type
	// Live is what exists; nil: to be created.
	Live *resource.Object
	// Was is what a create takes the place of: Replaces reports that a change of
	// this plan deletes it, else it goes with its parent. Of a deletion, Replaces
	// reports that the plan creates the resource again.
	Was      *resource.Object
	Replaces bool
	Desired  Desired
	Mode     plan.Mode
	// Renamed reports that the resource was found by its former name.
	Renamed bool
	// Drop asks for its deletion, Detach for an update that changes some fields
	// alone.
	Drop   bool
	Detach []plan.FieldChange
	// Namespace is the one that adopt marks it with.
	Namespace string
	// Hash is the digest of the declaration; nil where it is not to be written.
	Hash func() string
	// Beside is what another resource of the configuration will be: its declaration,
	// nil where the plan leaves it alone, and what exists of it.
	Beside func(r *resource.Resource) (*Desired, *resource.Object)
	// Called is what people call the resource of a kind that has an id; the id where
	// nothing that was read tells.
	Called func(kind, id string) string
	// Meant is the id of the resource of a kind that a name or an id in a field stands for,
	// where it exists and keeps both; "" for none.
	Meant func(kind, text string) string
	// Order says of the order that the resource holds what its declaration does not;
	// nil where it holds none.
	Order func(Desired) Order
	// Again reports whether a field is to be written though nothing shows that it
	// changed.
	Again func(field string) bool
	// Lost reports whether a value leads to something that the plan deletes and
	// creates again.
	Lost func(v any) bool
}

// Proposal is what to do with one resource.
type Proposal struct {
	// Action is empty where there is nothing to do.
	Action plan.Action
	// Immutable are the changed fields that only a new resource can have.
	Immutable []string
	// ID is what a create chooses.
	ID      string
	Fields  map[string]any
	Changes []plan.FieldChange
	// Current and Expect are of what exists.
	Current map[string]any
	Expect  *plan.Expect
	Call    plan.ExecutionContext
	Secrets []plan.Expression
	// Expressions are fields whose value the plan does not hold, besides those
	// that the configuration takes from variables.
	Expressions []plan.Expression
	// After are declared resources whose changes must have succeeded before. A
	// resource that is declared has its own list; what nobody declares has this.
	After []*resource.Resource
	// Stage orders the changes of the target: one starts when all of lower stages
	// have ended, failed or not.
	Stage int
	// Refused is why the target does not let the change be made, "" where it does;
	// RefusedBy names the rule.
	Refused, RefusedBy string
	// Filled reports that the target fills in what an update leaves out, from
	// resources that this one refers to: their changes come first.
	Filled bool
	// Places are the paths in what is sent of what the declaration has at others.
	Places map[string]value.Path
	// Unseen are declared fields that the target does not return and that the
	// proposal does not write.
	Unseen []string
	// Notes are what people must know of the resource when it is changed; Keeps say of
	// fields, changed or not, that they keep a value which is not declared.
	Notes, Keeps []string
	// Held are fields that nobody declares and that keep a value which the target may
	// have chosen by itself.
	Held []Held
	// ShownOnce are secrets that a create leaves out: the target generates them, and only
	// its answer has them.
	ShownOnce []string
	// Unchecked is why the target could not try the change beforehand.
	Unchecked string
}

// fill fills a change with a proposal.
func fill(c *plan.Change, p Proposal) {
	c.Fields, c.SecretWrites, c.ExecutionContext = p.Fields, p.Secrets, p.Call
	c.CurrentState, c.Expect, c.Stage, c.Unchecked = p.Current, p.Expect, p.Stage, p.Unchecked
	c.Expressions = append(c.Expressions, p.Expressions...)
	c.ChangedFields, c.FieldChanges = nil, nil
	if p.Changes != nil || p.Current != nil && len(p.Secrets) > 0 { // that secrets alone change is shown, too
		c.Show(p.Changes)
	}
}

// subject is a declared resource for its target.
func (b *Draft) subject(r *resource.Resource, o *resource.Object, desired Desired) Subject {
	_, renamed := b.Set.Moved(r)
	mode := b.Mode
	if r.Whole && mode == plan.ModeApply {
		mode = plan.ModeSync
	}
	return Subject{
		Order:    orderOf(b, r),
		Resource: r, Type: r.Type, Live: o, Desired: desired, Mode: mode, Renamed: renamed,
		Hash: func() string { return resourceHash(b.Set, r) }, Lost: func(v any) bool { return leadsToReplaced(b, v) },
		Meant:  func(kind, text string) string { return meantBy(b, r, kind, text) },
		Beside: b.beside, Called: func(kind, id string) string { return called(b, kind, id) }, Again: func(field string) bool { return again(b, r, field) },
	}
}

// beside is what a resource will be, and what exists of it.
func (b *Draft) beside(r *resource.Resource) (*Desired, *resource.Object) {
	if !plannable(b, r) {
		return nil, b.Snapshot.Object(r)
	}
	desired := b.resolve(r)
	return &desired, b.object(r)
}

// tell puts what a target says of a resource into the plan.
func tell(b *Draft, r *resource.Resource, notes []string) {
	for _, text := range notes {
		b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Message: text})
	}
}

// proposed is what the target would do to make what exists what is declared.
func (b *Draft) proposed(r *resource.Resource, o *resource.Object) Proposal {
	return b.Proposer(r.Type).Propose(b.subject(r, o, b.resolve(r)))
}

// record keeps what an object is now.
func (b *Draft) record(c *plan.Change, t *resource.Type, o *resource.Object, desired Desired) {
	c.CurrentState, c.Expect = b.Proposer(t).Record(t, o, desired.Env)
}

// UnknownIdentity lists the fields of a resource's identity that nobody knows
// yet.
func (d Desired) UnknownIdentity(t *resource.Type) []value.Path {
	var out []value.Path
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(d.Plain, p)
		if _, unknown := v.(value.Unknown); unknown {
			out = append(out, p)
		}
	}
	return out
}
