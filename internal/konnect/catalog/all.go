package catalog

// Families lists the families, parents before children.
func Families() []Family {
	return []Family{
		organizationFamily,
		authStrategyFamily,
		gatewayFamily,
		portalFamily,
		apiFamily,
		catalogFamily,
		notificationFamily,
		analyticsFamily,
		eventGatewayFamily,
		cloudGatewayFamily,
		aiGatewayFamily,
		meteringFamily,
	}
}

// Types lists every type, parents before children.
func Types() []*Type {
	var out []*Type
	for _, f := range Families() {
		out = append(out, f.Types...)
	}
	return out
}
