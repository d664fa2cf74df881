package plugin

import (
	"slices"
	"strings"
	"sync"
)

// Identifies reports whether what is at a path of a configuration, without the places
// of lists, is an identifier in some plugin, and so no secret in any.
func Identifies(path []string) bool { return identifying()[strings.Join(path, "\x00")] }

// identifying are the paths of the identifiers of all plugins.
var identifying = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range Names() {
		Lookup(name).Config.identifiers(nil, out)
	}
	return out
})

func (f *Field) identifiers(path []string, into map[string]bool) {
	switch {
	case f.Identifier:
		into[strings.Join(path, "\x00")] = true
	case f.Kind == KindArray || f.Kind == KindSet:
		f.Element.identifiers(path, into)
	default:
		for _, x := range f.Fields {
			x.identifiers(append(slices.Clip(path), x.Name), into)
		}
	}
}
