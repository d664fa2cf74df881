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

// ToolRun is what another program works on, and with which files.
type ToolRun struct {
	Ref      string     `json:"control_plane_ref"`
	Name     string     `json:"control_plane_name,omitempty"`
	Files    []string   `json:"files,omitempty"`
	Flags    []string   `json:"flags,omitempty"`
	Services []ToolPart `json:"gateway_services,omitempty"`
}

// ToolPart is what a run makes and the configuration refers to.
type ToolPart struct {
	Ref  string `json:"ref"`
	Name string `json:"name"`
}
