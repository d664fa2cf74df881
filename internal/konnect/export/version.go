package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// olderVersions are versions of a type that a configuration cannot declare: it
// declares the newest ones.
type olderVersions struct {
	t       *catalog.Bound
	objects []*resource.Object
}

// tellOlder names the versions that are left out.
func (w *writer) tellOlder() {
	for _, x := range w.snap.older {
		var names []string
		for _, o := range x.objects {
			names = append(names, fmt.Sprintf("%s, %s %v (%v)", (&Resource{Type: x.t, Object: o}).Name(), x.t.Versions.Number, o.Fields[x.t.Versions.Number], o.Fields[x.t.Versions.State]))
		}
		slices.Sort(names)
		w.warn(diag.ExpLeftOut, fmt.Sprintf("A configuration declares the newest versions of %s. Older ones are left out:\n%s", resource.Words(x.t.Key), strings.Join(names, "\n")),
			"nothing to do: a plan leaves older versions as they are.")
	}
}
