package catalog

// gatewayTarget is the target that writes the core entities.
const gatewayTarget = "gateway"

// The core entities of a gateway: decK writes them, a configuration refers to
// them. Their references are the parents that narrow a search.
var gatewayTypes = []*Type{
	GatewayService,
	GatewayRoute,
	GatewayConsumer,
	GatewayConsumerGroup,
	GatewayPlugin,
	GatewayUpstream,
	GatewayTarget,
	GatewayCertificate,
	GatewayCACertificate,
	GatewaySNI,
	GatewayVault,
	GatewayKeySet,
	GatewayKey,
	GatewayPartial,
	GatewayACL,
	GatewayBasicAuth,
	GatewayHMACAuth,
	GatewayJWT,
	GatewayKeyAuth,
	GatewayMTLSAuth,
	GatewayOAuth2Credential,
	GatewayCustomPlugin,
	GatewayDegraphqlRoute,
}

// GatewayService is a service of a gateway.
var GatewayService = &Type{
	Kind: "gateway_service", Key: "gateway_services", ChildOf: ControlPlane,
	Aliases:  []string{"ce_services"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/services",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "client_certificate.id", Kind: "gateway_certificate"}},
}

// GatewayRoute is a route that leads requests to a service.
var GatewayRoute = &Type{
	Kind: "gateway_route", Key: "gateway_routes", ChildOf: ControlPlane,
	Aliases:  []string{"ce_routes"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/routes",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "service.id", Kind: "gateway_service"}},
}

// GatewayConsumer is a consumer of services.
var GatewayConsumer = &Type{
	Kind: "gateway_consumer", Key: "gateway_consumers", ChildOf: ControlPlane,
	Aliases:  []string{"ce_consumers"},
	Identity: []string{"username"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/consumers",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayConsumerGroup is a group of consumers.
var GatewayConsumerGroup = &Type{
	Kind: "gateway_consumer_group", Key: "gateway_consumer_groups", ChildOf: ControlPlane,
	Aliases:  []string{"ce_consumer_groups"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/consumer_groups",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayPlugin is a plugin, for everything or for what it refers to.
var GatewayPlugin = &Type{
	Kind: "gateway_plugin", Key: "gateway_plugins", ChildOf: ControlPlane,
	Aliases:  []string{"ce_plugins"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/plugins",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{
		{Field: "service.id", Kind: "gateway_service", OnDelete: Cascades},
		{Field: "route.id", Kind: "gateway_route", OnDelete: Cascades},
		{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades},
		{Field: "consumer_group.id", Kind: "gateway_consumer_group", OnDelete: Cascades},
	},
}

// GatewayUpstream is a set of addresses that requests are spread over.
var GatewayUpstream = &Type{
	Kind: "gateway_upstream", Key: "gateway_upstreams", ChildOf: ControlPlane,
	Aliases:  []string{"ce_upstreams"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/upstreams",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "client_certificate.id", Kind: "gateway_certificate"}},
}

// GatewayTarget is an address of an upstream.
var GatewayTarget = &Type{
	Kind: "gateway_target", Key: "gateway_targets", ChildOf: ControlPlane,
	Aliases:  []string{"ce_targets"},
	Identity: []string{"target"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/targets",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "upstream.id", Kind: "gateway_upstream", OnDelete: Cascades}},
}

// GatewayCertificate is a certificate with its key.
var GatewayCertificate = &Type{
	Kind: "gateway_certificate", Key: "gateway_certificates", ChildOf: ControlPlane,
	Aliases:  []string{"ce_certificates"},
	Identity: []string{"id"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/certificates",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayCACertificate is a certificate of an authority to trust.
var GatewayCACertificate = &Type{
	Kind: "gateway_ca_certificate", Key: "gateway_ca_certificates", ChildOf: ControlPlane,
	Aliases:  []string{"ce_ca_certificates"},
	Identity: []string{"cert_digest"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/ca_certificates",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewaySNI is a host name that a certificate serves.
var GatewaySNI = &Type{
	Kind: "gateway_sni", Key: "gateway_snis", ChildOf: ControlPlane,
	Aliases:  []string{"ce_snis"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/snis",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "certificate.id", Kind: "gateway_certificate", OnDelete: Cascades}},
}

// GatewayVault is a place that secrets come from.
var GatewayVault = &Type{
	Kind: "gateway_vault", Key: "gateway_vaults", ChildOf: ControlPlane,
	Aliases:  []string{"ce_vaults"},
	Identity: []string{"prefix"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/vaults",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayKeySet is a set of keys.
var GatewayKeySet = &Type{
	Kind: "gateway_key_set", Key: "gateway_key_sets", ChildOf: ControlPlane,
	Aliases:  []string{"ce_key_sets"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/key-sets",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayKey is a key to sign or encrypt with.
var GatewayKey = &Type{
	Kind: "gateway_key", Key: "gateway_keys", ChildOf: ControlPlane,
	Aliases:  []string{"ce_keys"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/keys",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "set.id", Kind: "gateway_key_set", OnDelete: Cascades}},
}

// GatewayPartial is a part of a configuration that plugins share.
var GatewayPartial = &Type{
	Kind: "gateway_partial", Key: "gateway_partials", ChildOf: ControlPlane,
	Aliases:  []string{"ce_partials"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/partials",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayACL is a group that a consumer is in, for the acl plugin.
var GatewayACL = &Type{
	Kind: "gateway_acl", Key: "gateway_acls", ChildOf: ControlPlane,
	Aliases:  []string{"ce_acls"},
	Identity: []string{"group"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/acls",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayBasicAuth is a name and password of a consumer.
var GatewayBasicAuth = &Type{
	Kind: "gateway_basic_auth", Key: "gateway_basic_auths", ChildOf: ControlPlane,
	Aliases:  []string{"ce_basic_auths"},
	Identity: []string{"username"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/basic-auths",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayHMACAuth is a name and HMAC secret of a consumer.
var GatewayHMACAuth = &Type{
	Kind: "gateway_hmac_auth", Key: "gateway_hmac_auths", ChildOf: ControlPlane,
	Aliases:  []string{"ce_hmac_auths"},
	Identity: []string{"username"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/hmac-auths",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayJWT is a JWT credential of a consumer.
var GatewayJWT = &Type{
	Kind: "gateway_jwt", Key: "gateway_jwts", ChildOf: ControlPlane,
	Aliases:  []string{"ce_jwts"},
	Identity: []string{"key"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/jwts",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayKeyAuth is an API key of a consumer.
var GatewayKeyAuth = &Type{
	Kind: "gateway_key_auth", Key: "gateway_key_auths", ChildOf: ControlPlane,
	Aliases:  []string{"ce_key_auths"},
	Identity: []string{"id"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/key-auths",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayMTLSAuth is a certificate name of a consumer.
var GatewayMTLSAuth = &Type{
	Kind: "gateway_mtls_auth", Key: "gateway_mtls_auths", ChildOf: ControlPlane,
	Aliases:  []string{"ce_mtls_auths"},
	Identity: []string{"subject_name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/mtls-auths",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayOAuth2Credential is an OAuth2 application of a consumer.
var GatewayOAuth2Credential = &Type{
	Kind: "gateway_oauth2_credential", Key: "gateway_oauth2_credentials", ChildOf: ControlPlane,
	Aliases:  []string{"ce_oauth2_credentials"},
	Identity: []string{"client_id"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/oauth2",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "consumer.id", Kind: "gateway_consumer", OnDelete: Cascades}},
}

// GatewayCustomPlugin is a plugin whose code is uploaded.
var GatewayCustomPlugin = &Type{
	Kind: "gateway_custom_plugin", Key: "gateway_custom_plugins", ChildOf: ControlPlane,
	Aliases:  []string{"ce_custom_plugins"},
	Identity: []string{"name"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/custom-plugins",
	ReadOnly: true, Writer: gatewayTarget,
}

// GatewayDegraphqlRoute is a REST route to a GraphQL query.
var GatewayDegraphqlRoute = &Type{
	Kind: "gateway_degraphql_route", Key: "gateway_degraphql_routes", ChildOf: ControlPlane,
	Aliases:  []string{"ce_degraphql_routes"},
	Identity: []string{"uri"},
	Path:     "/v2/control-planes/{controlPlaneId}/core-entities/degraphql_routes",
	ReadOnly: true, Writer: gatewayTarget,
	References: []Reference{{Field: "service.id", Kind: "gateway_service", OnDelete: Cascades}},
}
