package emulator

import (
	"github.com/kongctl/kongctl/internal/konnect/emulator/entity"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// families are what the contract cannot express, family by family as in the
// catalog.
func families() []model.Family {
	return append(entity.Families(),
		identity(),
		accessTokens(),
		authStrategy(),
		controlPlane(),
		portal(),
		api(),
		apiPackage(),
		serviceCatalog(),
		notification(),
		eventGateway(),
		cloudGateway(),
		aiGateway(),
		metering(),
	)
}

// stays refuses to change a field of what exists.
func stays(field string) model.Step {
	return func(sc model.Scene, r *store.Record) error {
		if old := sc.Tx.Get(r.Kind, r.ID); old != nil && model.At(old.Fields, field) != model.At(r.Fields, field) {
			return model.Bad("body", field, "invalid", "cannot be changed after creation")
		}
		return nil
	}
}
