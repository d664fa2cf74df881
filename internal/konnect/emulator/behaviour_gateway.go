package emulator

import (
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// gatewayBehaviours is the part of the table of behaviour about the core
// entities of gateways.
func gatewayBehaviours() []rule {
	return slices.Concat(gatewayEntities(), gatewayChecks())
}

func gatewayEntities() []rule {
	return []rule{
		{
			kind: "gateway_service", source: assumed, says: "url is short for protocol, host, port and path",
			expand: expandURL,
		},
		{
			kind: "gateway_service", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_route", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_route", source: fromContract, says: "a route is made of an expression, or of paths, methods and the like",
			variant: routeVariant,
		},
		{
			kind: "gateway_route", source: fromFacts, says: "the handling of paths says nothing about an expression",
			fill: onlyExpression,
		},
		{
			kind: "gateway_consumer", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_consumer", source: assumed, says: "no two consumers share the id that others know them by",
			also: []string{"custom_id"},
		},
		{
			kind: "gateway_consumer", source: fromContract, says: "the name that consumers are filtered by is the username",
			view: func(_ scene, r *store.Record, v map[string]any) { v["name"] = r.Fields["username"] },
		},
		{
			kind: "gateway_consumer", source: fromContract, says: "the groups that a consumer is in are kept with it",
			marks: []string{memberOf},
		},
		{
			kind: "gateway_consumer_group", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_consumer_group", source: fromFacts, says: "a group is read with its consumers, unless list_consumers is false, and with its overrides, of which there are none",
			around: withConsumers,
		},
		{
			kind: "gateway_consumer_group", source: assumed, says: "consumers leave a group that goes",
			part: dissolve,
		},
		{
			kind: "gateway_plugin", source: assumed, says: "of each plugin there is one for the same service, route, consumer and group",
			unique: []string{"name", "service.id", "route.id", "consumer.id", "consumer_group.id"},
		},
		{
			kind: "gateway_plugin", source: assumed, says: "no two plugins share the name of an instance",
			also: []string{"instance_name"},
		},
		{
			kind: "gateway_plugin", source: fromFacts, says: "the configuration is checked and filled in as the schema of the plugin says",
			fill: configurePlugin,
		},
		{
			kind: "gateway_plugin", source: assumed, says: "the partials that a plugin uses must be there, and be of a type that it can use",
			fill: linkPartials,
		},
		{
			kind: "gateway_plugin", source: fromContract, says: "the partials that a plugin uses lead to it",
			marks: []string{usedPartials},
		},
		{
			kind: "gateway_plugin", source: assumed, says: "what the schema of a plugin calls encrypted is not shown to people",
			hide: hidePluginSecrets,
		},
		{
			kind: "gateway_partial", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_partial", source: fromFacts, says: "null in the configuration stands for nothing, though the contract has no null there",
			expand: solidConfig,
		},
		{
			kind: "gateway_partial", source: fromFacts, says: "what the configuration leaves out is null",
			fill: completePartial,
		},
		{
			kind: "gateway_partial", source: fromFacts, says: "the configuration is told with null where it has no default, though the contract has no null there",
			verbatim: "config",
		},
		{
			kind: "gateway_partial", source: assumed, says: "a partial that a plugin uses cannot be deleted",
			guard: partialUnused,
		},
		{
			kind: "gateway_upstream", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_target", source: assumed, says: "an upstream has one target of each address, which may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_target", source: assumed, says: "targets of several upstreams may be the same",
			unique: []string{"upstream.id", "target"},
		},
		{
			kind: "gateway_target", source: assumed, says: "an address without a port has port 8000",
			fill: targetPort,
		},
		{
			kind: "gateway_sni", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_certificate", source: assumed, says: "a certificate may be written with the names that it serves",
			fill: serveNames,
		},
		{
			kind: "gateway_certificate", source: assumed, says: "a certificate tells the names that it serves",
			view: namesServed,
		},
		{
			kind: "gateway_ca_certificate", source: assumed, says: "the digest is worked out from the certificate",
			fill: digestCertificate,
		},
		{
			kind: "gateway_vault", source: fromContract, says: "the prefix may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_vault", source: assumed, says: "the configuration may hold a token and is not shown to people",
			hide: func(_ scene, v map[string]any) { delete(v, "config") },
		},
		{
			kind: "gateway_key_set", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_key", source: fromContract, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_acl", source: assumed, says: "a consumer is in a group once",
			unique: []string{"consumer.id", "group"},
		},
		{
			kind: "gateway_acl", source: assumed, says: "the group may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_basic_auth", source: assumed, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_basic_auth", source: assumed, says: "a password is kept as a hash with the id of its consumer, and is told so",
			fill: hashPassword,
		},
		{
			kind: "gateway_hmac_auth", source: assumed, says: "the name may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_hmac_auth", source: assumed, says: "a secret is made up where none is given",
			fill: madeUp("secret"),
		},
		{
			kind: "gateway_jwt", source: assumed, says: "the key may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_jwt", source: assumed, says: "key and secret are made up where none is given",
			fill: madeUp("key", "secret"),
		},
		{
			kind: "gateway_key_auth", source: assumed, says: "no two consumers share a key",
			unique: []string{"key"},
		},
		{
			kind: "gateway_key_auth", source: assumed, says: "the key may stand in the path in place of the id",
			byName: true,
		},
		{
			kind: "gateway_key_auth", source: assumed, says: "a key is made up where none is given",
			fill: madeUp("key"),
		},
		{
			kind: "gateway_key_auth", source: assumed, says: "a key is not shown to people",
			hide: func(_ scene, v map[string]any) { delete(v, "key") },
		},
		{
			kind: "gateway_mtls_auth", source: assumed, says: "the authority that a name is trusted for must be there, and stays as long",
			points: []catalog.Reference{{Field: "ca_certificate.id", Kind: "gateway_ca_certificate"}},
		},
		{
			kind: "gateway_service", source: assumed, says: "the authorities that a service trusts must be there, and stay as long",
			points: []catalog.Reference{{Field: "ca_certificates", Kind: "gateway_ca_certificate"}},
		},
		{
			kind: "gateway_plugin", source: assumed, says: "the authorities that a plugin trusts must be there, and stay as long",
			points: []catalog.Reference{{Field: "config.ca_certificates", Kind: "gateway_ca_certificate"}},
		},
		{
			kind: "gateway_mtls_auth", source: assumed, says: "a name may be trusted once for each authority",
			unique: []string{"subject_name", "ca_certificate.id"},
		},
		{
			kind: "gateway_degraphql_route", source: assumed, says: "addresses may repeat",
			unique: []string{},
		},
	}
}
