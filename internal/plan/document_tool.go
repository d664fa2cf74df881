package plan

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
