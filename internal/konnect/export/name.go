package export

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// maxRef is the longest ref that a configuration may have.
const maxRef = resource.MaxName

// names gives every resource a ref and every secret a variable.
type names struct {
	index
	refs map[*Resource]string
	used map[string]bool // refs
	vars map[string]bool
	// said are the names that resources have, or are called by in fields.
	said map[calling]bool
	// several counts the resources of each name.
	several map[calling]int
}

// calling is a name of a resource of a kind, below a parent.
type calling struct {
	parent     *Resource
	kind, name string
}

func newNames(all []*Resource) *names {
	n := &names{index: newIndex(all), refs: map[*Resource]string{}, used: map[string]bool{}, vars: map[string]bool{}, said: map[calling]bool{}, several: map[calling]int{}}
	for _, r := range all {
		n.said[calling{r.Parent, r.Type.Kind, ownName(r)}] = true
		n.several[calling{r.Parent, r.Type.Kind, ownName(r)}]++
		r.Type.Neutral().NamedIn(r.Object.Fields, func(kind, name string) { n.said[calling{r.Parent, kind, name}] = true })
	}
	for _, r := range all {
		n.give(r)
	}
	return n
}

// ownName is what fields of others call a resource.
func ownName(r *Resource) string { return r.Type.Neutral().NameIn(r.Object.Fields) }

// mistaken reports whether a ref would be taken for a resource that another one's name,
// or a name in a field, means: in such fields a ref comes before a name.
func (n *names) mistaken(r *Resource, ref string) bool {
	return n.said[calling{r.Parent, r.Type.Kind, ref}] && ownName(r) != ref
}

// byID makes refs of ids, where a resource has one of its own that can be a ref: some
// ids are keys that people choose.
func (n *names) byID() {
	for r := range n.refs {
		if hasID(r.Type) && r.Object.ID != "" && language.Ref(r.Object.ID) == r.Object.ID && !n.used[r.Object.ID] && !n.mistaken(r, r.Object.ID) {
			n.refs[r], n.used[r.Object.ID] = r.Object.ID, true
		}
	}
}

// give makes up the ref of a resource, of its own name and, for a child, of
// the ref above it.
func (n *names) give(r *Resource) {
	if n.refs[r] != "" {
		return
	}
	own := slug(r.name(n.nameOf(r)))
	if v := slug(r.variant()); v != "" && n.several[calling{r.Parent, r.Type.Kind, ownName(r)}] > 1 {
		own += "-" + v
	}
	if own == "" {
		own = strings.ReplaceAll(r.Type.Key, "_", "-")
	}
	above := r.Parent
	if r.Above != nil {
		above = r.Above
	}
	if above != nil {
		n.give(above)
		own = n.refs[above] + "-" + own
	}
	n.refs[r] = n.unique(r, own)
}

// unique shortens a name and, where it is taken or means another resource, adds what it
// is the name of, or a number.
func (n *names) unique(r *Resource, name string) string {
	suffix, kind := "", strings.ReplaceAll(r.Type.Kind, "_", "-")
	for i := 0; ; i++ {
		switch i {
		case 0:
		case 1:
			suffix = "-" + kind
		default:
			suffix = fmt.Sprint("-", i)
		}
		try := strings.TrimRight(name[:min(len(name), maxRef-len(suffix))], "-._") + suffix
		if !n.used[try] && !n.mistaken(r, try) {
			n.used[try] = true
			return try
		}
	}
}

var notSlug = pattern.New(`[^a-z0-9._]+`)

// slug is a name in the letters of a ref.
func slug(s string) string {
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(s), "-"), "-._")
}

var notVariable = pattern.New(`[^A-Z0-9]+`)

// variable makes up the environment variable that a secret is taken from.
func (n *names) variable(r *Resource, p value.Path) string {
	name := notVariable.ReplaceAllString(strings.ToUpper(n.refs[r]+"_"+strings.Join(p, "_")), "_")
	if name[0] >= '0' && name[0] <= '9' {
		name = "SECRET_" + name
	}
	return numbered(n.vars, strings.TrimRight(name, "_"))
}

// numbered is a name that is not used yet: with a number where it is.
func numbered(used map[string]bool, name string) string {
	try := name
	for i := 2; used[try]; i++ {
		try = fmt.Sprint(name, "_", i)
	}
	used[try] = true
	return try
}
