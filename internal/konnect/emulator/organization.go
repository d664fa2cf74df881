package emulator

import (
	"encoding/json"

	"kongctl/internal/konnect/emulator/store"
)

// organizationKind is the shelf of the one record whose id is that of the
// organization which a store holds. No type of the catalog is called so.
const organizationKind = "_organization"

const organizationName = "local"

// found gives a store without an organization a new one: what was planned for
// one store must not be carried out on another.
func (s *Server) found(tx store.Tx) {
	if founder(tx) != nil {
		return
	}
	now := s.o.Clock().UTC()
	tx.Put(&store.Record{Kind: organizationKind, ID: s.o.NewOrganization(), Created: now, Updated: now})
}

// founder returns the record of the organization; nil when there is none.
func founder(tx store.Tx) *store.Record {
	var found *store.Record
	tx.Range(organizationKind, "", func(r *store.Record) bool { found = r; return false })
	return found
}

// organization is the one organization of the store.
func (sc scene) organization() map[string]any {
	out := map[string]any{
		"name": organizationName, "login_path": organizationName, "owner_id": userID, "state": "active",
		"retention_period_days": json.Number("30"), "created_at": founded(), "updated_at": founded(),
	}
	if r := founder(sc.tx); r != nil {
		out["id"] = r.ID
	}
	return out
}
