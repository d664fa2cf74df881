package export

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

var flagName = pattern.New(`--([a-z][a-z-]*)`)

// Fix is what to type: those of the ways of which the command has all flags, joined
// with or; what is left where it has none.
func (o WriteOptions) Fix(left string, ways ...string) string {
	var open []string
	for _, way := range ways {
		if !slices.ContainsFunc(flagName.FindAllStringSubmatch(way, -1), func(found []string) bool {
			return !slices.Contains(o.Flags, found[1])
		}) {
			open = append(open, way)
		}
	}
	if len(open) == 0 {
		return left
	}
	return strings.Join(open, ", or ") + "."
}
