package build

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// stranded is a resource that refers to a part that an attached change deletes, and
// that this plan leaves alone.
type stranded struct {
	part plan.Part
	user resource.User
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

// eachLost calls f for every part that the attached changes of the plan delete for good.
func eachLost(b *Draft, f func(j *Attachment, c *plan.Change, x plan.Part)) {
	for _, j := range b.Attached {
		c := b.AttachedBy[j.On]
		if c == nil || !slices.Contains(b.Plan.Changes, c) {
			continue
		}
		for _, i := range plan.LostParts(c.GatewayChanges) {
			f(j, c, c.GatewayChanges[i])
		}
	}
}

// removing says of parts which resources they remove for good that others may refer to,
// and which types of those could not be read.
func removing(b *Draft, j *Attachment, parts []plan.Part) []plan.Part {
	out := slices.Clone(parts)
	for _, i := range plan.LostParts(parts) {
		t := partType(b, j, parts[i])
		if t == nil || parts[i].ID == "" {
			continue
		}
		out[i].Removes = &plan.Removal{Type: t.Kind, ID: parts[i].ID}
		for _, use := range b.Types.Referring(t.Kind) {
			if b.Users != nil && b.Users.Failed[use.By.Kind] != nil && !slices.Contains(out[i].Removes.Unread, use.By.Kind) {
				out[i].Removes.Unread = append(out[i].Removes.Unread, use.By.Kind)
			}
		}
	}
	return out
}

// attachedErr is why nothing that is attached is carried out: nobody can tell what it
// would change, or whether anything refers to what it deletes.
func attachedErr(b *Draft, j *Attachment) error {
	failed := b.Users.Failures()
	if j.Err != nil || len(failed) == 0 {
		return j.Err
	}
	parts := attachedParts(b, j)
	for _, i := range plan.LostParts(parts) {
		x := parts[i]
		t := partType(b, j, x)
		if t == nil {
			continue
		}
		for _, use := range b.Types.Referring(t.Kind) {
			if slices.ContainsFunc(failed, func(f resource.Failure) bool { return f.Kind == use.By.Kind && !usersWithheld(b, f) }) {
				return fmt.Errorf("it deletes the %s, and %s that may use it could not be read", x.Called(), diag.A(use.By.Words))
			}
		}
	}
	return nil
}

// usersWithheld reports whether the service keeps a type from this token that may refer
// to parts, and the configuration says nothing of that type. Who may write a gateway need
// not see what others make of it.
func usersWithheld(b *Draft, f resource.Failure) bool {
	t := b.Types.Kind(f.Kind)
	return b.partsAlone && t != nil && resource.Withheld(f.Err) && b.Users != nil && b.Users.Failed[f.Kind] != nil &&
		len(b.Set.Of(t)) == 0 && !b.Set.MentionsType(t.Kind)
}

// settleParts deals with all that refers to what attached changes delete: what the plan
// deletes too goes first, what it changes is changed first, what is declared with the
// reference is in the way, and the rest is stranded.
func settleParts(b *Draft) {
	eachLost(b, func(j *Attachment, c *plan.Change, x plan.Part) {
		declared := declaredUsers(b, j, x)
		for _, r := range declared {
			partInUse(b, j, c, x, r)
		}
		if x.Removes == nil {
			return
		}
		for _, u := range b.Users.Of(x.Removes.Type, x.Removes.ID) {
			r := b.declaredAt[ObjectKey(u.Type, u.Object.ID, u.Ancestors)]
			goer := goer(b, u.Part)
			switch {
			case r != nil && slices.ContainsFunc(declared, func(d partUser) bool { return d.by == r }):
			case goer != nil:
				b.goers[c] = append(b.goers[c], goer)
			case leads(b, r, u, x.ID):
				if !b.WaitsFor(b.changes[r], c) {
					b.Need(c, b.changes[r])
				}
			default:
				b.stranded[c] = append(b.stranded[c], stranded{x, u})
				x.Removes.Know(u)
			}
		}
	})
}

// goersFirst lets attached changes wait for the deletes of what refers to what they
// delete. What takes the place of that may wait for them: then it goes after them.
func goersFirst(b *Draft) {
	for _, j := range b.Attached {
		c := b.AttachedBy[j.On]
		for _, goer := range b.goers[c] {
			if !b.WaitsFor(goer, c) && (goer.Half == nil || !b.WaitsFor(goer.Half, c)) {
				b.Need(c, goer)
			}
		}
	}
}

// leads reports whether the plan leads the reference of a user elsewhere.
func leads(b *Draft, r *resource.Resource, u resource.User, id string) bool {
	if !b.writes(r) || b.changes[r] == nil {
		return false
	}
	now, declared := value.Get(b.resolve(r).Plain, value.ParsePath(u.Use.Field))
	return declared && now != any(id)
}

// partUser is a declared resource that refers to a part, and where.
type partUser struct {
	by   *resource.Resource
	link resource.Edge
}

// declaredUsers are the declared resources that refer to a part that is deleted, by
// whatever finds it, and that this plan does not delete.
func declaredUsers(b *Draft, j *Attachment, x plan.Part) []partUser {
	var out []partUser
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.Mode == plan.ModeDelete && (b.goes[r] != nil || b.Snapshot.Object(r) == nil) {
			continue
		}
		for _, link := range b.Links.From(r) {
			if isPart(b, j, x, link.Target) {
				out = append(out, partUser{r, link})
				break
			}
		}
	}
	return out
}

// isPart reports whether an external is a part. Where the attachment is known to make
// it, its absence is reported already.
func isPart(b *Draft, j *Attachment, x plan.Part, s *resource.Resource) bool {
	if s.External == nil || s.External.Made != nil || s.Type.Writer != j.Type.Writes || x.ID == "" {
		return false
	}
	if s.Parent != nil && !resource.Same(b.Snapshot, j.On, s.Parent) {
		return false
	}
	o := b.Snapshot.Object(s)
	return o != nil && o.ID == x.ID || s.External.ID == x.ID
}

// partInUse notes a declared resource that refers to what an attached change deletes.
func partInUse(b *Draft, j *Attachment, c *plan.Change, x plan.Part, u partUser) {
	what := resource.WithName(u.link.Target.Type.Words, x.Name)
	b.inUse = append(b.inUse, inUse{c, diag.New(diag.LiveInUse, u.by.Fields.Nearest(u.link.Path),
		fmt.Sprintf("%s on the %s deletes the %s, but the %s uses it in %s.", j.Type.Tool, j.On.Describe(), what, u.by.Describe(), u.link.Path),
		fmt.Sprintf("keep the %s in %s, or remove %s.", x.Called(), cmp.Or(j.From, "what "+j.Type.Tool+" reads"), withoutLink(u)))})
}

// withoutLink is what to remove so that a resource does not refer to something.
func withoutLink(u partUser) string {
	p := u.link.Path.Generic()
	if u.by.Type.IsIdentity(p) || u.by.Type.Immutable(p) {
		return "the " + u.by.Describe()
	}
	return fmt.Sprintf("%s from the %s", u.link.Path, u.by.Describe())
}

// tellStranded warns of references to what attached changes delete.
func tellStranded(b *Draft) {
	for _, j := range b.Attached {
		if c := b.AttachedBy[j.On]; len(b.stranded[c]) > 0 && slices.Contains(b.Plan.Changes, c) {
			b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{
				ResourceType: j.Type.Kind, ResourceRef: j.On.Ref, Message: fmt.Sprintf("deletes %s; %s", b.StrandedText(c), leftBehind(b.stranded[c])),
			})
		}
	}
}

// leftBehind says what becomes of references to deleted parts.
func leftBehind(all []stranded) string {
	if len(all) > 1 {
		return fmt.Sprintf("leaves %d references to what it deletes", len(all))
	}
	return "leaves a reference to a deleted " + all[0].part.Kind
}

// StrandedWhy says why nobody should delete what others refer to without being asked.
func (b *Draft) StrandedWhy(c *plan.Change) string {
	if all := b.stranded[c]; len(all) == 1 {
		return fmt.Sprintf("The %s is not part of this plan and would refer to %s that no longer exists.", all[0].user.Type.Words, diag.A(all[0].part.Kind))
	}
	return "These users are not part of this plan and would refer to what no longer exists."
}

// StrandedText says what an attached change deletes that others refer to, and who they
// are; "" is nothing.
func (b *Draft) StrandedText(c *plan.Change) string {
	out := ""
	for i, s := range b.stranded[c] {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("the %s, which the %s%s uses in %s", s.part.Called(), plan.UserName(s.user), plan.Owner(s.user), s.user.Use.Field)
	}
	return out
}
