package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// attachments finds what is attached to resources, and what becomes of its parts. Each is
// found once.
type attachments struct {
	on map[*resource.Resource]*Attachment
	// at are those on what entries of the configuration mean, and work is what each
	// does on what is there and on what is made new.
	at   map[resource.Identified][]*Attachment
	work map[attachedTo]*attachedWork
}

type attachedTo struct {
	*Attachment
	fresh bool
}

// attachedWork is what an attachment does.
type attachedWork struct {
	parts []plan.Part
	// lost are the places of the parts that it deletes for good.
	lost []int
	// does are its actions by part, updates the places of the parts that it updates, by
	// id.
	does    map[partAction]bool
	updates map[string][]int
	// err is why it is not carried out.
	err error
}

type partAction struct {
	kind, name string
	action     plan.Action
}

func newAttachments(in Input) attachments {
	out := attachments{on: map[*resource.Resource]*Attachment{}, at: map[resource.Identified][]*Attachment{}, work: map[attachedTo]*attachedWork{}}
	for _, j := range in.Attached {
		if out.on[j.On] == nil {
			out.on[j.On] = j
		}
		at := resource.Identify(in.Snapshot, j.On)
		out.at[at] = append(out.at[at], j)
	}
	return out
}

// AttachedTo is what is attached to a resource; nil for nothing.
func (b *Draft) AttachedTo(r *resource.Resource) *Attachment { return b.attachments.on[r] }

// EachAttached calls f for the attached changes of the plan.
func (b *Draft) EachAttached(f func(j *Attachment, c *plan.Change)) {
	planned := map[*plan.Change]bool{}
	for _, c := range b.Plan.Changes {
		planned[c] = true
	}
	for _, j := range b.Attached {
		if c := b.AttachedBy[j.On]; planned[c] {
			f(j, c)
		}
	}
}

// workOf is what an attachment does: on what is made new, all that it holds.
func workOf(b *Draft, j *Attachment) *attachedWork {
	at := attachedTo{j, b.replaced[j.On]}
	if b.attachments.work[at] == nil {
		out := &attachedWork{parts: j.Parts, does: map[partAction]bool{}, updates: map[string][]int{}}
		if at.fresh {
			out.parts = j.Fresh
		}
		for i, x := range out.parts {
			out.does[partAction{x.Kind, x.Name, x.Action}] = true
			if x.Action == plan.Update {
				out.updates[x.ID] = append(out.updates[x.ID], i)
			}
		}
		out.lost = plan.LostParts(out.parts)
		out.err = attachedErr(b, j, out)
		b.attachments.work[at] = out
	}
	return b.attachments.work[at]
}

// attachedErr is why nothing that is attached is carried out: nobody can tell what it
// would change, or whether anything refers to what it deletes.
func attachedErr(b *Draft, j *Attachment, work *attachedWork) error {
	unread := map[string]bool{}
	for _, f := range b.Users.Failures() {
		if !usersWithheld(b, f) {
			unread[f.Kind] = true
		}
	}
	if j.Err != nil || len(unread) == 0 {
		return j.Err
	}
	for _, i := range work.lost {
		x := work.parts[i]
		t := partType(b, j, x)
		if t == nil {
			continue
		}
		for _, use := range b.Types.Referring(t.Kind) {
			if unread[use.By.Kind] {
				return fmt.Errorf("it deletes the %s, and %s that may use it could not be read", x.Called(), diag.A(use.By.Words))
			}
		}
	}
	return nil
}

// partType is the type of the resource that a part is, where others may refer to it;
// else nil.
func partType(b *Draft, j *Attachment, x plan.Part) *resource.Type {
	if j.PartType == nil {
		return nil
	}
	if t := j.PartType(x.Kind); t != nil && len(b.Types.Referring(t.Kind)) > 0 {
		return t
	}
	return nil
}

// removing says of parts which resources they remove for good that others may refer to,
// and which types of those could not be read.
func removing(b *Draft, j *Attachment, work *attachedWork) []plan.Part {
	out := slices.Clone(work.parts)
	for _, i := range work.lost {
		t := partType(b, j, out[i])
		if t == nil || out[i].ID == "" {
			continue
		}
		out[i].Removes = &plan.Removal{Type: t.Kind, ID: out[i].ID, Unread: unreadUsing(b, t)}
	}
	return out
}

// unreadUsing are the types that may refer to resources of a type and could not be read.
func unreadUsing(b *Draft, t *resource.Type) []string {
	if b.Users == nil {
		return nil
	}
	var out []string
	for _, use := range b.Types.Referring(t.Kind) {
		if b.Users.Failed[use.By.Kind] != nil && !slices.Contains(out, use.By.Kind) {
			out = append(out, use.By.Kind)
		}
	}
	return out
}

// usersWithheld reports whether the service keeps a type from this token that may refer
// to parts, and the configuration says nothing of that type. Who may write a gateway need
// not see what others make of it.
func usersWithheld(b *Draft, f resource.Failure) bool {
	t := b.Types.Kind(f.Kind)
	return b.partsAlone && t != nil && resource.Withheld(f.Err) && b.Users != nil && b.Users.Failed[f.Kind] != nil &&
		len(b.Set.Of(t)) == 0 && !b.Set.MentionsType(t.Kind)
}

// remade reports whether an attachment deletes a resource and makes it again, so that it gets
// another id.
func remade(b *Draft, s *resource.Resource) bool {
	return attachedDoes(b, s, plan.Delete) && attachedDoes(b, s, plan.Create)
}

// attachedDoes reports whether an attachment takes an action on a resource that the
// configuration names.
func attachedDoes(b *Draft, s *resource.Resource, action plan.Action) bool {
	if s.External == nil || s.External.Made == nil {
		return false
	}
	j := b.AttachedTo(s.Parent)
	made := s.External.Made
	return j != nil && !b.selection.AttachedLeftOut(s.Parent) && workOf(b, j).does[partAction{made.Kind, made.Name, action}]
}
