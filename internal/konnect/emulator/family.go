package emulator

import (
	"github.com/kongctl/kongctl/internal/konnect/emulator/entity"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
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
