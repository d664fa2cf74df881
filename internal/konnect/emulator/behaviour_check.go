package emulator

// gatewayChecks is the part of the table of behaviour about what gateways refuse
// and the contract lets pass. What is not sure to be refused is taken.
func gatewayChecks() []rule {
	out := []rule{
		{
			kind: "gateway_service", source: assumed, says: "a service leads to a host, over HTTP to a path that begins with a slash, and over TLS with what is trusted",
			check: checkService,
		},
		{
			kind: "gateway_route", source: assumed, says: "the protocols of a route are of one family",
			check: checkProtocols,
		},
		{
			kind: "gateway_route", source: assumed, says: "a route has something to match requests by, of what its protocols have",
			check: checkMatchers,
		},
		{
			kind: "gateway_route", source: assumed, says: "paths begin with a slash, or with ~ if they are patterns; methods are in capitals; hosts have one asterisk at an end",
			check: checkMatches,
		},
		{
			kind: "gateway_upstream", source: assumed, says: "an upstream is named like a host, and what requests are spread by must be told",
			check: checkUpstream,
		},
		{
			kind: "gateway_target", source: assumed, says: "a target is a host with a port",
			check: checkTarget,
		},
		{
			kind: "gateway_consumer", source: assumed, says: "a consumer has a name or an id that others know it by",
			check: someOf("username", "custom_id"),
		},
		{
			kind: "gateway_certificate", source: assumed, says: "certificates and their keys belong together",
			check: checkPair,
		},
		{
			kind: "gateway_key", source: assumed, says: "a key is told as JWK or as PEM",
			check: someOf("jwk", "pem"),
		},
		{
			kind: "gateway_key", source: assumed, says: "no two keys of a set share an id",
			also: []string{"kid+set.id"},
		},
		{
			kind: "gateway_jwt", source: assumed, says: "what is signed with a private key needs the public one",
			check: checkPublicKey,
		},
		{
			kind: "gateway_vault", source: assumed, says: "the prefix of a vault is a word that no vault is called",
			check: checkPrefix,
		},
	}
	for _, kind := range []string{"gateway_service", "gateway_route", "gateway_consumer_group", "gateway_key_set", "gateway_key", "gateway_plugin"} {
		field := "name"
		if kind == "gateway_plugin" {
			field = "instance_name"
		}
		out = append(out, rule{
			kind: kind, source: assumed, says: "of ASCII, a name has letters, digits and . - _ ~ only",
			check: plainName(field),
		})
	}
	for _, kind := range []string{
		"gateway_service", "gateway_route", "gateway_plugin", "gateway_consumer", "gateway_consumer_group", "gateway_upstream", "gateway_target",
		"gateway_certificate", "gateway_ca_certificate", "gateway_sni", "gateway_vault", "gateway_key_set", "gateway_key",
	} {
		out = append(out, rule{
			kind: kind, source: assumed, says: "tags are not empty and have no , and no /",
			check: checkTags,
		})
	}
	return out
}
