package explain

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// leftOut says where a field that is left out takes its value from: a field of the
// parent, of a resource that is referred to, or of the resource itself; or "".
func leftOut(b *catalog.Bound, path []string) string {
	name := strings.Join(path, ".")
	for _, f := range b.Inherits {
		if f.Field != name {
			continue
		}
		whose := "its " + catalog.Words(b.Parent.Kind)
		if r, ok := b.Reference([]string{f.From}); ok {
			whose = "the " + catalog.Words(r.Kind)
		}
		return fmt.Sprintf("takes %s of %s where it is left out", f.Of, whose)
	}
	if k, ok := catalog.KeptAt(b, path); ok && k.Field == name && k.Copies != "" {
		return fmt.Sprintf("takes %s when created without it", k.Copies)
	}
	return ""
}
