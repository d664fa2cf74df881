package plan

import "github.com/kongctl/kongctl/internal/value"

// DeckType is what a plan calls the work of decK on a control plane.
const DeckType = "_deck"

// Tool is what people call the tool that does the work of a type; "" for a type
// that kongctl writes itself.
func Tool(kind string) string {
	if kind == DeckType {
		return "decK"
	}
	return ""
}

// ToolCredentials is what the names of variables begin with that hold a tool's
// credentials.
const ToolCredentials = "DECK_KONNECT_"

// IsCredential reports whether an environment variable holds a credential that no
// plan may read.
func IsCredential(name string) bool { return value.IsCredential(name, ToolCredentials) }
