package gateway

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Kind is what a plan calls the work of decK on a control plane.
const Kind = plan.DeckType

// Pending stands for an id that decK will make known.
const Pending = "[pending-deck]"

// Type is the type of decK's work, which is attached to control planes.
func Type() *resource.Type {
	return &resource.Type{
		Kind: Kind, Words: "decK on", Key: Kind, Attached: true, Tool: plan.Tool(Kind), Writes: TargetName, Unknown: Pending,
	}
}
