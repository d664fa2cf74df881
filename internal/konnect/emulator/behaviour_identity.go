package emulator

import (
	"net/http"
	"time"
)

const userID = "a1f5ce1c-0000-4000-8000-000000000002"

func founded() time.Time { return time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC) }

// oldOrganization is in the form of the present address.
func (sc scene) oldOrganization() map[string]any {
	op := sc.s.contract.Operation(http.MethodGet, "/v3/organizations/me")
	body, _ := sc.s.project(successSchema(op), sc.organization()).(map[string]any)
	return body
}

func user(sc scene) map[string]any {
	return map[string]any{
		"id": userID, "email": "local@example.com", "full_name": "Local User", "preferred_name": "Local",
		"active": true, "inferred_region": sc.s.o.Region, "created_at": founded(), "updated_at": founded(),
	}
}

func userByID(sc scene, c *call) (map[string]any, error) {
	if id := c.params["userId"]; id != userID {
		return nil, notFound("user", id)
	}
	return user(sc), nil
}

// regionsByStage lists the regions that are open to all; the host that they
// share is none.
func regionsByStage() map[string]any {
	var stable []any
	for _, r := range regions() {
		if r != globalRegion {
			stable = append(stable, r)
		}
	}
	return map[string]any{"regions": map[string]any{"stable": stable, "stable_opt_in": []any{}, "beta": []any{}}}
}
