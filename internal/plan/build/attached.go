package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
)

// Attachment is what a target proposes for a resource that is attached to another
// one: a change that does much at once, right behind that of the other.
type Attachment struct {
	Type *resource.Type
	// On is what it is attached to.
	On *resource.Resource
	// Fields say how to do it later. Expressions and SecretWrites are the parts
	// that a plan does not hold.
	Fields                    map[string]any
	Expressions, SecretWrites []plan.Expression
	Call                      plan.ExecutionContext
	// Makes are the resources that it makes and that others refer to; Holds
	// reports whether it makes one of a name.
	Makes []*resource.Resource
	Holds func(name string) bool
	// Says are the fields that one of a name will have, as far as they are known
	// and not secret; nil where nothing is.
	Says func(name string) map[string]any
	// Depends describes one of them for whoever reads the plan, Missing reports
	// that it is not there and that nothing of this run makes it.
	Depends func(made *resource.Resource) plan.Dependency
	Missing func(made *resource.Resource, on string, leftOut, isolate bool) diag.Diagnostic
	// PartType is the type of the resources that parts of a kind are; nil where it
	// has no type. From is what people call the files that list the parts.
	PartType func(kind string) *resource.Type
	From     string
	// Size is how many parts it holds.
	Size int
	// Unbounded says why its deletes are refused; nil where something bounds them.
	Unbounded func(deletes int, names string) (by, message string)
	Parts     []plan.Part
	// Fresh is what it does where the other one is made new.
	Fresh []plan.Part
	// Err is why nobody can tell what it would change.
	Err error
	Pos plan.Source
}

// attachedKnown refuses to replace a resource when nobody knows what would be
// attached to the new one.
func attachedKnown(b *Draft, r *resource.Resource) bool {
	j := b.AttachedTo(r)
	if j == nil || j.Err == nil {
		return true
	}
	b.Plan.Errors = append(b.Plan.Errors, plan.Problem{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Message: fmt.Sprintf("is not replaced: %s cannot tell what it would do on the new one", j.Type.Tool)})
	return false
}

// attach plans what is attached to a resource, right after the resource itself.
func attach(b *Draft, r *resource.Resource) {
	j := b.AttachedTo(r)
	switch {
	case j == nil, b.broken[r] != nil:
		return
	case b.selection.AttachedLeftOut(r):
		missingMade(b, j, nil)
		return
	case b.pending[r] != nil:
		w := b.pending[r]
		b.Plan.Pending = append(b.Plan.Pending, plan.Pending{ResourceType: j.Type.Kind, ResourceRef: r.Ref, Reason: w.reason, WaitsFor: w.ref()})
		return
	case workOf(b, j).err != nil:
		b.Plan.Errors = append(b.Plan.Errors, plan.Problem{ResourceType: j.Type.Kind, ResourceRef: r.Ref, Message: workOf(b, j).err.Error()})
		return
	case b.Making[r] == nil && b.Snapshot.Object(r) == nil:
		b.diags.Add(diag.FilterParent, r.Pos, fmt.Sprintf("%s works on the %s, which does not exist yet and is left out.", j.Type.Tool, r.Describe()), "make it first, or leave the target gateway or the filter out.")
		return
	}
	work := workOf(b, j)
	if len(work.parts) == 0 {
		if b.Mode != plan.ModeDelete {
			missingMade(b, j, nil)
			depend(b, j, nil)
		}
		return
	}
	c := attachedChange(b, r)
	*c = plan.Change{
		ResourceType: j.Type.Kind, ResourceRef: r.Ref, ResourceName: attachedName(b, r), Namespace: r.Namespace,
		Action: plan.ExternalTool, DependsOn: []string{}, Fields: j.Fields, Expressions: j.Expressions, SecretWrites: j.SecretWrites,
		GatewayChanges: removing(b, j, work), ExecutionContext: j.Call,
		Source: &plan.Source{File: j.Pos.File, Line: j.Pos.Line, Column: j.Pos.Column},
		Parent: &plan.ParentRef{Ref: r.Ref, Type: r.Type.Kind, Lookup: plan.Named(r.Name)},
	}
	if made := b.Making[r]; made != nil {
		c.Parent.ID, c.ParentChange = plan.UnknownID, made
		b.Need(c, made)
	} else {
		o := b.Snapshot.Object(r)
		c.Parent.ID = o.ID
		c.Parent.Ancestors = append(b.KnownAncestors(r), o.ID)
		b.Need(c, b.changes[r]) // it may get another name
	}
	b.Plan.Changes = append(b.Plan.Changes, c)
	b.AttachedBy[r] = c
	if b.Mode != plan.ModeDelete {
		missingMade(b, j, c)
		depend(b, j, c)
	}
}

// attachedName is the name that what is attached knows a resource by.
func attachedName(b *Draft, r *resource.Resource) string {
	if o := b.object(r); o != nil && r.External != nil {
		if name, ok := o.Fields["name"].(string); ok {
			return name
		}
	}
	return r.Name
}

// missingMade reports resources that are not there and that nothing makes.
func missingMade(b *Draft, j *Attachment, c *plan.Change) {
	for _, s := range j.Makes {
		name := s.External.Made.Name
		stays := b.object(s) != nil && (c == nil || !attachedDoes(b, s, plan.Delete))
		leftOut := b.selection.AttachedLeftOut(j.On)
		if stays || c != nil && j.Holds(name) || b.pending[s] != nil || (leftOut || b.selection.LeftOut(s)) && !isUsed(b, s) {
			continue
		}
		b.diags = append(b.diags, j.Missing(s, attachedName(b, j.On), leftOut, b.selection.Isolate))
	}
}

// isUsed reports whether something that is planned refers to a resource.
func isUsed(b *Draft, s *resource.Resource) bool {
	return slices.ContainsFunc(b.Links.To(s), func(r *resource.Resource) bool { return !b.selection.LeftOut(r) })
}

// depend lists what is made for whoever reads the plan.
func depend(b *Draft, j *Attachment, c *plan.Change) {
	for _, s := range j.Makes {
		d := j.Depends(s)
		d.Ref, d.ParentID, d.ParentName, d.Made = s.Ref, plan.UnknownID, attachedName(b, j.On), c
		if o := b.object(j.On); o != nil {
			d.ParentID = o.ID
		}
		if o := b.Snapshot.Object(s); o != nil && remade(b, s) {
			d.Replaces = o.ID
		}
		b.Plan.Dependencies = append(b.Plan.Dependencies, d)
	}
}

// madeBy is the attached change that makes a resource that is not there yet.
func madeBy(b *Draft, s *resource.Resource) *plan.Change {
	if s.External == nil || s.External.Made == nil || b.object(s) != nil && !remade(b, s) {
		return nil
	}
	return b.AttachedBy[s.Parent]
}

// mayMake is the attached change that may make an entity which is found by its id
// alone: such an id may be that of nothing.
func mayMake(b *Draft, s *resource.Resource) *plan.Change {
	if s.External == nil || !s.External.Unnamed && s.External.ID == "" || s.Parent == nil {
		return nil
	}
	return b.AttachedBy[s.Parent]
}

// deleteAttached deletes what is attached and bounded. What goes with its parent
// needs no change of its own.
func deleteAttached(b *Draft) {
	users := map[*resource.Resource][]*plan.Change{} // by the root that they refer into
	for _, r := range b.Links.Sorted() {
		var roots []*resource.Resource
		for _, l := range b.Links.From(r) {
			if root := l.Target.Root(); b.goes[r] != nil && !slices.Contains(roots, root) {
				roots = append(roots, root)
				users[root] = append(users[root], b.goes[r])
			}
		}
	}
	for _, j := range b.Attached {
		if b.Snapshot.Object(j.On) == nil || b.goes[j.On] != nil {
			continue
		}
		attach(b, j.On)
		c := b.AttachedBy[j.On]
		if c == nil {
			continue
		}
		for _, user := range users[j.On.Root()] {
			b.Need(c, user)
		}
	}
}
