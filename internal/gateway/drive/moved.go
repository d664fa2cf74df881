package drive

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// movedPart says how what decK would do now to an entity differs from what is
// planned. Of an entity that is deleted the plan holds no values, only whether it is
// the same.
func movedPart(planned []plan.Part, now plan.Part) (string, []execute.MovedField) {
	at := slices.IndexFunc(planned, func(y plan.Part) bool { return y.Kind == now.Kind && y.Name == now.Name })
	would := fmt.Sprintf("decK would now %s %s %s", strings.ToLower(string(now.Action)), now.Kind, now.Name)
	switch {
	case at < 0:
		return would + ", which is not in the plan", nil
	case planned[at].Action != now.Action:
		return fmt.Sprintf("%s, and the plan is to %s it", would, strings.ToLower(string(planned[at].Action))), nil
	case now.Action == plan.Create:
		return would + " with other values", nil
	case isAnother(now, planned[at]):
		return fmt.Sprintf("%s %s, which the plan is to delete, was deleted and created again", now.Kind, now.Name), nil
	}
	return fmt.Sprintf("%s %s, which the plan is to %s, was changed", now.Kind, now.Name, strings.ToLower(string(now.Action))), movedFields(planned[at].ChangedFields, now.ChangedFields)
}

// movedFields are the fields of an updated entity whose value was another one when the
// plan was made. A field that only one of the two changes had the new value for the other.
func movedFields(planned, now map[string]plan.OldNew) []execute.MovedField {
	fields := map[string]bool{}
	for _, side := range []map[string]plan.OldNew{planned, now} {
		for field := range side {
			fields[field] = true
		}
	}
	var out []execute.MovedField
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		was, changes := planned[field]
		is, still := now[field]
		if !changes {
			was.Old = is.New
		}
		if !still {
			is.Old = was.New
		}
		if !value.Equal(was.Old, is.Old) {
			out = append(out, execute.MovedField{Field: field, PlannedFrom: was.Old, Is: is.Old})
		}
	}
	return out
}
