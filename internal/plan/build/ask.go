package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// The flags that permit what is refused.
const (
	AllowReplaceFlag = "--allow-replace"
	AllowCascadeFlag = "--allow-cascade"
)

// ask is a permission that a refused change needs.
type ask struct{ flag, kind, ref, name string }

// permissions are names of resources, as the flags take them.
type permissions struct{ replace, cascade []string }

func (p permissions) count() int { return len(p.replace) + len(p.cascade) }

func (p permissions) String() string {
	var parts []string
	for _, x := range []struct {
		flag  string
		names []string
	}{{AllowReplaceFlag, p.replace}, {AllowCascadeFlag, p.cascade}} {
		if len(x.names) > 0 {
			parts = append(parts, x.flag+" "+strings.Join(x.names, ","))
		}
	}
	return strings.Join(parts, " ")
}

// Ask says how to permit a refused change of a resource, and notes that. Where more
// must be permitted, it names all of that, with what is: it can be typed once.
func (b *Draft) Ask(flag, kind, ref, name string) string {
	b.asks = append(b.asks, ask{flag, kind, ref, name})
	own := flag + " " + name
	given := permissions{b.AllowReplace, b.AllowCascade}
	if b.wholly.count() > given.count()+1 {
		return fmt.Sprintf("Allow it with %s. This plan needs all of: %s.", own, b.wholly)
	}
	return fmt.Sprintf("Allow it with %s.", own)
}

// permitted are all permissions that a plan needs, with those that it has: what is
// permitted may delete more, which may need more. Where something cannot be read, the
// ones that are known so far.
func permitted(in Input, b *Draft, read func([]resource.Removed) (*resource.Users, error)) permissions {
	all := permissions{slices.Clone(in.AllowReplace), slices.Clone(in.AllowCascade)}
	for news := add(in.Types, &all, b.asks); news; news = add(in.Types, &all, b.asks) {
		next := in
		next.AllowReplace, next.AllowCascade = all.replace, all.cascade
		var err error
		if b, err = withUsers(&next, read); err != nil {
			return all
		}
	}
	return all
}

// add adds permissions and reports whether one is new.
func add(types *resource.Types, to *permissions, asks []ask) bool {
	news := false
	for _, x := range asks {
		names := &to.replace
		if x.flag == AllowCascadeFlag {
			names = &to.cascade
		}
		if !Permits(types, *names, x.kind, x.ref) {
			*names, news = append(*names, x.name), true
		}
	}
	return news
}

// refusedReplace lists a replace as refused that needs a permission.
func refusedReplace(b *Draft, r *resource.Resource, why string) plan.Blocked {
	return plan.Blocked{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, Action: plan.Delete, By: "replace",
		Message: fmt.Sprintf("%s; making %q again would delete everything that belongs to it. %s",
			why, r.Ref, b.Ask(AllowReplaceFlag, r.Type.Kind, r.Ref, Named(replaceable(b), r.Type.Kind, r.Ref))),
	}
}
