package catalog

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// bindLink binds a Map that is not put at its path but posted above it: a link
// between the parent and the resource that its key refers to. The body names what
// the path adds, and nothing else can be said of a link.
func bindLink(b *Bound, c *contract.Contract) {
	above := b.Path[:strings.LastIndexByte(b.Path, '/')]
	b.Create = c.Operation("POST", above)
	if b.Create == nil || b.List == nil || b.Create.Body() == nil {
		return
	}
	names := b.Create.Body().Object(nil).Names()
	if len(names) != 1 {
		return
	}
	b.Link = names[0]
	b.params = slices.Clone(b.List.PathParams())
	for _, name := range itemParams(b) {
		if !slices.Contains(b.params, name) {
			b.params = append(b.params, name)
		}
	}
}

// PutAtKey reports whether creates of a type put a resource at its key: sent twice,
// they do the same as once. A link is posted, and refused when it is there.
func PutAtKey(b *Bound) bool { return b.Shape == Map && b.Link == "" }

func itemParams(b *Bound) []string {
	var out []string
	for _, seg := range strings.Split(b.Path, "/") {
		if strings.HasPrefix(seg, "{") {
			out = append(out, strings.Trim(seg, "{}"))
		}
	}
	return out
}

// Sent is the parameter of a link's path whose value the body takes.
func Sent(b *Bound) string {
	names := itemParams(b)
	return names[len(names)-1]
}

// LinkBody is what the create of a link sends.
func LinkBody(b *Bound, ancestors []string, id string) map[string]any {
	return map[string]any{b.Link: b.PathParams(b.Delete, ancestors, id)[Sent(b)]}
}

// Linked is the kind of the resources that a link leads to.
func Linked(b *Bound) string {
	ref, _ := b.Reference([]string{b.MapKey})
	return ref.Kind
}

// BodyOf is the part of an operation's body that people may declare: of a link
// none.
func BodyOf(b *Bound, op *contract.Operation) *contract.Schema {
	if b.Link != "" {
		return b.write
	}
	return op.Body()
}
