package build

import (
	"cmp"
	"fmt"
	"strings"

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

// settleParts deals with all that refers to what attached changes delete for good: what
// the plan deletes too goes first, what it changes is changed first, what is declared with
// the reference is in the way, and the rest is stranded.
func settleParts(b *Draft) {
	var users partUsers
	b.EachAttached(func(j *Attachment, c *plan.Change) {
		for _, i := range workOf(b, j).lost {
			if users == nil {
				users = declaredUsers(b)
			}
			settlePart(b, j, c, c.GatewayChanges[i], users)
		}
	})
}

func settlePart(b *Draft, j *Attachment, c *plan.Change, x plan.Part, users partUsers) {
	declared := map[*resource.Resource]bool{}
	for _, u := range users[x.ID] {
		if !declared[u.by] && isPart(b, j, x, u.link.Target) {
			declared[u.by] = true
			partInUse(b, j, c, x, u)
		}
	}
	if x.Removes == nil {
		return
	}
	for _, u := range b.Users.Of(x.Removes.Type, x.Removes.ID) {
		r := b.declaredAt[ObjectKey(u.Type, u.Object.ID, u.Ancestors)]
		del := deletedBy(b, u.Part)
		switch {
		case declared[r]:
		case del != nil:
			b.deletedFirst[c] = append(b.deletedFirst[c], del)
		case refersElsewhere(b, r, u, x.ID):
			if !b.WaitsFor(b.changes[r], c) {
				b.Need(c, b.changes[r])
			}
		default:
			b.stranded[c] = append(b.stranded[c], stranded{x, u})
			x.Removes.Know(u)
		}
	}
}

// usersFirst lets attached changes wait for the deletes of what refers to what they
// delete. What takes the place of that may wait for them: then it goes after them.
func usersFirst(b *Draft) {
	b.EachAttached(func(_ *Attachment, c *plan.Change) {
		for _, del := range b.deletedFirst[c] {
			if !b.WaitsFor(del, c) && (del.Half == nil || !b.WaitsFor(del.Half, c)) {
				b.Need(c, del)
			}
		}
	})
}

// refersElsewhere reports whether a user refers to something else after the plan.
func refersElsewhere(b *Draft, r *resource.Resource, u resource.User, id string) bool {
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

// partUsers are declared resources by the ids of the externals that they refer to.
type partUsers map[string][]partUser

// declaredUsers are the declared resources that refer to externals, by whatever finds
// those, and that this plan does not delete.
func declaredUsers(b *Draft) partUsers {
	out := partUsers{}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.Mode == plan.ModeDelete && (b.goes[r] != nil || b.Snapshot.Object(r) == nil) {
			continue
		}
		for _, link := range b.Links.From(r) {
			s := link.Target
			if s.External == nil {
				continue
			}
			if o := b.Snapshot.Object(s); o != nil && o.ID != s.External.ID {
				out[o.ID] = append(out[o.ID], partUser{r, link})
			}
			if s.External.ID != "" {
				out[s.External.ID] = append(out[s.External.ID], partUser{r, link})
			}
		}
	}
	return out
}

// isPart reports whether an external with the id of a part is that part. Where the
// attachment is known to make it, its absence is reported already.
func isPart(b *Draft, j *Attachment, x plan.Part, s *resource.Resource) bool {
	return x.ID != "" && s.External.Made == nil && s.Type.Writer == j.Type.Writes && (s.Parent == nil || resource.Same(b.Snapshot, j.On, s.Parent))
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
	b.EachAttached(func(j *Attachment, c *plan.Change) {
		if len(b.stranded[c]) > 0 {
			b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{
				ResourceType: j.Type.Kind, ResourceRef: j.On.Ref, Message: fmt.Sprintf("deletes %s; %s", b.StrandedText(c), leftBehind(b.stranded[c])),
			})
		}
	})
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
	var out []string
	for _, s := range b.stranded[c] {
		out = append(out, fmt.Sprintf("the %s, which the %s%s uses in %s", s.part.Called(), plan.UserName(s.user), plan.Owner(s.user), s.user.Use.Field))
	}
	return strings.Join(out, ", ")
}
