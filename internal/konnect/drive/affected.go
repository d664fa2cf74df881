package drive

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// affected collects what a delete affects and is not as planned, each resource once:
// several comparisons may find the same one.
type affected struct {
	places []string
	names  map[string]string
	whys   map[string][]string
	fields map[string][]execute.MovedField
}

// add adds a resource with the fields that differ, where they are known.
func (a *affected) add(s plan.Stranger, fields []execute.MovedField) {
	at := s.Place()
	if a.names[at] == "" {
		if a.names == nil {
			a.names, a.whys, a.fields = map[string]string{}, map[string][]string{}, map[string][]execute.MovedField{}
		}
		a.places, a.names[at] = append(a.places, at), s.Name
	}
	if !slices.Contains(a.whys[at], s.Why) {
		a.whys[at] = append(a.whys[at], s.Why)
	}
	if len(a.fields[at]) > 0 {
		return
	}
	for _, f := range fields {
		f.Of = a.names[at]
		a.fields[at] = append(a.fields[at], f)
	}
}

// text names the resources, in the order in which they were found.
func (a *affected) text(by plan.Action) (string, []execute.MovedField) {
	var names []string
	var fields []execute.MovedField
	for _, at := range a.places {
		names = append(names, a.names[at]+" "+strings.Join(a.whys[at], " and "))
		fields = append(fields, a.fields[at]...)
	}
	how := map[plan.Action]string{plan.Delete: "deleting it", plan.Update: "updating it", plan.ExternalTool: "this change"}[by]
	return how + " would affect resources that are not as planned: " + strings.Join(names, ", "), fields
}

// collect adds what was found in lists. Where lists give all of a resource, it is compared
// with what the plan kept.
func (k *checker) collect(found *affected, c *plan.Change, list []plan.Stranger) {
	for _, s := range list {
		var fields []execute.MovedField
		i := slices.IndexFunc(c.Kept, func(x plan.Kept) bool {
			return x.State != nil && plan.PlaceKey(x.Type, x.Ancestors, x.ID) == plan.PlaceKey(s.Type.Kind, s.Ancestors, s.Object.ID)
		})
		if t := catalog.OfType(s.Type); i >= 0 && t != nil && !t.ListLacksFields() {
			fields = notAsKept(t, c.Kept[i], s.Object)
		}
		found.add(s, fields)
	}
}
