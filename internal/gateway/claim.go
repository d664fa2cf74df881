package gateway

import (
	"kongctl/internal/diag"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// credentialPrefix is what the names of variables begin with that hold decK's
// credentials for Konnect.
const credentialPrefix = envPrefix + "KONNECT_"

func isCredential(name string) bool { return value.IsCredential(name, credentialPrefix) }

// Claim says which keys of a configuration name decK files. No document is
// decK's own.
func Claim() source.Claim {
	return source.Claim{
		Files:       []string{"_deck.files", "_external.deck.file"},
		Unread:      []string{"_deck.state"},
		FileWords:   "decK file",
		Credentials: credentialPrefix,
		Foreign: source.Foreign{
			Key: "_format_version", Words: "decK state",
			Code: diag.SrcDeckFile, Fix: "name it in `_deck.files` or `_external.deck.file` of a control plane.",
		},
	}
}
