package deck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// report is what the binary prints with --json-output.
type report struct {
	Changes struct {
		Creating []entity `json:"creating"`
		Updating []entity `json:"updating"`
		Deleting []entity `json:"deleting"`
	} `json:"changes"`
	Summary struct {
		Creating int `json:"creating"`
		Updating int `json:"updating"`
		Deleting int `json:"deleting"`
	} `json:"summary"`
	Errors []string `json:"errors"`
}

type entity struct {
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body"`
}

// parse finds the report in what was printed: warnings may stand before it.
func parse(stdout []byte) (*report, error) {
	start := 0
	if !bytes.HasPrefix(stdout, []byte("{")) {
		if start = bytes.Index(stdout, []byte("\n{")); start < 0 {
			return nil, errors.New("the binary printed no report")
		}
	}
	var r report
	if err := json.NewDecoder(bytes.NewReader(stdout[start:])).Decode(&r); err != nil {
		return nil, errors.New("the binary printed a report that cannot be read")
	}
	return &r, nil
}

// edits are what the report holds. The deletes do not matter for apply.
func (r *report) edits(mode gateway.Mode) ([]gateway.Edit, error) {
	lists := []struct {
		action   plan.Action
		entities []entity
		count    int
	}{
		{plan.Create, r.Changes.Creating, r.Summary.Creating},
		{plan.Update, r.Changes.Updating, r.Summary.Updating},
		{plan.Delete, r.Changes.Deleting, r.Summary.Deleting},
	}
	var out []gateway.Edit
	for _, l := range lists {
		if len(l.entities) != l.count && (l.action != plan.Delete || mode != gateway.Apply) {
			return nil, fmt.Errorf("the binary's report has %d entities, and its summary %d", len(l.entities), l.count)
		}
		for _, e := range l.entities {
			data, err := value.Decode(e.Body)
			body, ok := data.(map[string]any)
			if err != nil || !ok {
				return nil, fmt.Errorf("the binary's report has a %s that cannot be read", e.Kind)
			}
			edit := gateway.Edit{Kind: e.Kind, Action: l.action}
			edit.Before, _ = body["old"].(map[string]any)
			edit.After, _ = body["new"].(map[string]any)
			out = append(out, edit)
		}
	}
	return out, nil
}
