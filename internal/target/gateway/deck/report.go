package deck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"kongctl/internal/target/gateway"
	"kongctl/internal/value"
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

// changes are those of the report. decK's diff counts deletes that apply does
// not do.
func (r *report) changes(q gateway.Request) ([]gateway.Change, error) {
	lists := []struct {
		action   gateway.Action
		entities []entity
		count    int
	}{
		{gateway.Create, r.Changes.Creating, r.Summary.Creating},
		{gateway.Update, r.Changes.Updating, r.Summary.Updating},
		{gateway.Remove, r.Changes.Deleting, r.Summary.Deleting},
	}
	var out []gateway.Change
	for _, l := range lists {
		if l.action == gateway.Remove && q.Mode == gateway.Apply {
			continue
		}
		if len(l.entities) != l.count {
			return nil, fmt.Errorf("the binary's report has %d entities, and its summary %d", len(l.entities), l.count)
		}
		for _, e := range l.entities {
			c, err := e.change(l.action, q.Secrets)
			if err != nil {
				return nil, err
			}
			if c.Action != gateway.Update || len(c.ChangedFields) > 0 {
				out = append(out, c)
			}
		}
	}
	gateway.Sort(out)
	return out, nil
}

func (e entity) change(action gateway.Action, secrets []string) (gateway.Change, error) {
	c := gateway.Change{Kind: e.Kind, Action: action}
	data, err := value.Decode(e.Body)
	body, ok := data.(map[string]any)
	if err != nil || !ok {
		return c, fmt.Errorf("the binary's report has a %s that cannot be read", e.Kind)
	}
	before, _ := body["old"].(map[string]any)
	after, _ := body["new"].(map[string]any)
	c.Name = gateway.Mask(gateway.Name(e.Kind, after), secrets)
	if action == gateway.Update {
		c.ChangedFields = gateway.Changed(e.Kind, before, after, secrets)
	}
	return c, nil
}
