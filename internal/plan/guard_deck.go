package plan

import (
	"fmt"
	"slices"
)

// guardDeck refuses a sync of decK that no select tag bounds and that deletes:
// what the file does not know may be somebody else's.
func guardDeck(b *builder) map[*Change]string {
	if slices.Contains(b.AllowEmpty, DeckType) || slices.Contains(b.AllowEmpty, "*") {
		return nil
	}
	out := map[*Change]string{}
	for r, c := range b.decks {
		n := c.gatewayDeletes()
		if j := b.jobOf(r); n == 0 || j.Bounded {
			continue
		}
		out[c] = fmt.Sprintf("No select tag bounds decK, and the control plane holds entities that its files do not know: %d would be deleted (%s). Add _info.select_tags to the file, or if that is meant, --allow-empty %s.", n, c.gatewayDeleted(), DeckType)
	}
	return out
}
