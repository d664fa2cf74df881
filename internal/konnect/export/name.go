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
}

func newNames(all []*Resource) *names {
	n := &names{index: newIndex(all), refs: map[*Resource]string{}, used: map[string]bool{}, vars: map[string]bool{}}
	for _, r := range all {
		n.give(r)
	}
	return n
}

// byID makes refs of ids, where a resource has one of its own that can be a ref: some
// ids are keys that people choose.
func (n *names) byID() {
	for r := range n.refs {
		if hasID(r.Type) && r.Object.ID != "" && language.Ref(r.Object.ID) == r.Object.ID && !n.used[r.Object.ID] {
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
	n.refs[r] = n.unique(own, strings.ReplaceAll(r.Type.Kind, "_", "-"))
}

// unique shortens a name and, where it is taken, adds what it is the name of,
// or a number.
func (n *names) unique(name, kind string) string {
	suffix := ""
	for i := 0; ; i++ {
		switch i {
		case 0:
		case 1:
			suffix = "-" + kind
		default:
			suffix = fmt.Sprint("-", i)
		}
		try := strings.TrimRight(name[:min(len(name), maxRef-len(suffix))], "-._") + suffix
		if !n.used[try] {
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
	for i := 1; ; i++ {
		try := strings.TrimRight(name, "_")
		if i > 1 {
			try = fmt.Sprint(try, "_", i)
		}
		if !n.vars[try] {
			n.vars[try] = true
			return try
		}
	}
}
