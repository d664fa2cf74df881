package gateway

import (
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// anyID stands for an id that is known only when decK runs.
type anyID struct{}

// MakesID reports whether the files or the state have an entity of a type with an id. An
// id that an expression gives may be any.
func (j *Job) MakesID(t *resource.Type, id string) bool {
	roots := []map[string]any{j.stateWithIDs()}
	for _, d := range j.documents {
		roots = append(roots, d.root)
	}
	made := false
	for _, root := range roots {
		walk(shapes, root, nil, func(kind string, entity map[string]any) {
			if typeOf(kind) != t.Kind || j.Flags.SkipConsumers && ofConsumers(kind, entity) {
				return
			}
			_, unknown := entity["id"].(anyID)
			made = made || unknown || strings.EqualFold(text(entity, "id"), id)
		})
	}
	return made
}

// stateWithIDs is the state as far as it can be known before decK runs.
func (j *Job) stateWithIDs() map[string]any {
	plain := j.State.Plain(func(_ value.Path, e *value.Expression) any {
		if e.Op == value.OpEnv {
			if v, set := j.env(e.Name); set && e.Field == "" {
				return v
			}
		}
		return anyID{}
	})
	return asMap(plain)
}
