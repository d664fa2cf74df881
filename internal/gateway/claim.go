package gateway

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
)

// Claim says which keys of a configuration name decK files. No document is
// decK's own.
func Claim() source.Claim {
	return source.Claim{
		Name:        TargetName,
		Files:       []string{"_deck.files", "_external.deck.file"},
		Several:     []string{"_deck.files"},
		Unread:      []string{"_deck.state"},
		FileWords:   "decK file",
		Credentials: plan.ToolCredentials,
		Shows:       shows,
		Hides:       hides,
		Names:       names,
		Foreign: source.Foreign{
			Key: "_format_version", Words: "decK state",
			Code: diag.SrcDeckFile, Fix: "name it in `_deck.files` or `_external.deck.file` of a control plane.",
		},
	}
}
