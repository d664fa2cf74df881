package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/kongctl/kongctl/internal/value"
)

// sound refuses a document that no program of this version writes: whoever
// reads a plan may rely on its changes being there, once each.
func (p *Plan) sound() error {
	p.Index()
	for i, c := range p.Changes {
		switch {
		case c == nil:
			return fmt.Errorf("change %d is empty", i+1)
		case c.ID == "":
			return fmt.Errorf("change %d has no id", i+1)
		case p.places[c.ID] != i:
			return fmt.Errorf("two changes with the id %s", c.ID)
		}
		if at, reason := value.UnfitIn(c.Fields); reason != "" {
			return fmt.Errorf("%s: the number at %s %s", c.ID, at, reason)
		}
		switch c.Action {
		case Create, Update, Delete, ExternalTool:
		default:
			return fmt.Errorf("%s: this program does not know the action %s", c.ID, c.Action)
		}
	}
	return nil
}

// ended refuses text after the document.
func ended(dec *json.Decoder) error {
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one document")
	}
	return nil
}
