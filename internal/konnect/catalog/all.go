package catalog

import "slices"

// Types lists every type, parents before children.
func Types() []*Type {
	return slices.Concat(
		identityTypes,
		authStrategyTypes,
		controlPlaneTypes, gatewayTypes,
		portalTypes,
		apiTypes,
		catalogServiceTypes,
	)
}
