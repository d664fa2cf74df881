package object

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Item is what the target knows of a declared object besides its fields. The
// inventory itself is one, too.
type Item struct {
	GVK schema.GroupVersionKind
	// ID has no namespace where the manifest names none; reading completes it.
	ID ID
	// File, Document and At say where the object stands, so that a plan can point
	// at values that it does not hold; File is "-" for standard input.
	File     string
	Document int
	At       value.Path
	// Secrets are the fields with literal values that a plan does not hold;
	// Contents are the files that some of them are the content of.
	Secrets  []value.Path
	Contents map[string]string
	// DependsOn are the objects that its annotation names.
	DependsOn []ID
	// Takes are the objects that values are taken of at apply time.
	Takes []ID
	// Ignored objects are left alone where they exist.
	Ignored bool
}

// ItemOf is what the target knows of a resource; nil where it is of another
// target.
func ItemOf(r *resource.Resource) *Item {
	i, _ := r.Native.(*Item)
	return i
}

// IsInventory reports whether the object is the inventory of the run.
func (i *Item) IsInventory() bool { return i.GVK == GroupGVK() }

// Names are the refs that an object can have, the shortest first: kind.name, then
// with the namespace, then with the API group.
func (i *Item) Names() []string {
	out := i.Written()
	for at, name := range out {
		out[at] = refText(name)
	}
	return out
}

// Written are the same names as people write them, however long they are.
func (i *Item) Written() []string {
	name := strings.ToLower(i.ID.Kind) + "." + i.ID.Name
	out := []string{name}
	if i.ID.Namespace != "" {
		name += "." + i.ID.Namespace
		out = append(out, name)
	}
	if i.ID.Group != "" {
		out = append(out, name+"."+i.ID.Group)
	}
	return out
}

// refText replaces what a ref cannot hold.
func refText(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name)
	if len(clean) <= resource.MaxName {
		return clean
	}
	return clean[:resource.MaxName-9] + "-" + resource.ShortName(name)
}
