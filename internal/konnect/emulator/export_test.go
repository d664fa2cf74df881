package emulator

import (
	"maps"
	"slices"

	"kongctl/internal/konnect/catalog"
)

// Ending is a reference of a type and what becomes of the resource when the
// other is deleted.
type Ending struct{ Kind, Field, Target, Ends string }

// Endings lists all references between types of a catalog.
func Endings(cat *catalog.Catalog) []Ending {
	names := map[catalog.Ending]string{catalog.Refuses: "refused", catalog.Cascades: "followed", catalog.Keeps: "ignored"}
	con := conducts(behaviours())
	var out []Ending
	for _, b := range cat.All() {
		for _, ref := range b.References {
			if cat.Kind(ref.Kind) == nil {
				continue
			}
			e := Ending{b.Kind, ref.Field, ref.Kind, names[catalog.Keeps]}
			for _, u := range usages(cat, con)[ref.Kind] {
				if u.by == b && u.field == ref.Field {
					e.Ends = names[u.ending]
					if u.forced {
						e.Ends = "forced"
					}
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// FixedOperations are the operations of the table of fixed answers.
func FixedOperations() []string {
	var out []string
	for _, f := range fixedAnswers() {
		out = append(out, f.operation)
	}
	return out
}

// Plugins are the names of the table of plugins.
func Plugins() ([]string, error) {
	table, err := pluginTable(pluginText)
	return slices.Sorted(maps.Keys(table)), err
}
