//go:build !nonative

package native

import (
	"slices"

	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-database-reconciler/pkg/utils"
	"github.com/kong/go-kong/kong"
	"github.com/kong/go-kong/kong/custom"
)

// degraphqlRoutes is the type of DeGraphQL routes among custom entities.
const degraphqlRoutes = "degraphql_routes"

// ofNameless takes the DeGraphQL routes of services without a name out of what was
// read, in the form of files: the library names the service of each one it writes, and
// panics where there is no name. Files may have the id.
func ofNameless(raw *utils.KongRawState) []file.FCustomEntity {
	nameless := map[string]bool{}
	for _, s := range raw.Services {
		if s.ID != nil && s.Name == nil {
			nameless[*s.ID] = true
		}
	}
	var out []file.FCustomEntity
	raw.CustomEntities = slices.DeleteFunc(raw.CustomEntities, func(e custom.Entity) bool {
		fields := e.Object()
		service, _ := fields["service"].(map[string]any)
		of, _ := service["id"].(string)
		if string(e.Type()) != degraphqlRoutes || !nameless[of] {
			return false
		}
		written := file.CustomEntityConfiguration{"service": map[string]any{"id": of}}
		for _, name := range []string{"uri", "query", "methods"} {
			if fields[name] != nil {
				written[name] = fields[name]
			}
		}
		entity := file.FCustomEntity{Type: kong.String(degraphqlRoutes), Fields: written}
		if id, ok := fields["id"].(string); ok {
			entity.ID = &id
		}
		out = append(out, entity)
		return true
	})
	return out
}
