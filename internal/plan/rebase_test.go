package plan_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestRebase(t *testing.T) {
	source := object{"file": "key.pem", "base": "certs"}
	p := &plan.Plan{
		Metadata: plan.Metadata{Inputs: []plan.Input{{File: "a.yaml"}}},
		Changes: []*plan.Change{{
			Source: &plan.Source{File: "a.yaml"},
			SecretWrites: []plan.Expression{
				{Field: "one", Expression: object{"source": source}},
				{Field: "two", Expression: object{"parts": []any{object{"text": "x"}, object{"env": "E"}, source}}},
			},
		}, {Action: plan.ExternalTool, Fields: object{"files": []any{"gw/b.yaml"}, "listings": []any{"gw", "gw/*.yaml"}}}},
	}
	p.Rebase(func(name string) string { return "../" + name })
	moved := object{"file": "key.pem", "base": "../certs"}
	testkit.Equal(t, "inputs", p.Metadata.Inputs, []plan.Input{{File: "../a.yaml"}})
	testkit.Equal(t, "source", p.Changes[0].Source.File, "../a.yaml")
	testkit.Equal(t, "a tool's files", p.Changes[1].Fields, object{"files": []any{"../gw/b.yaml"}, "listings": []any{"../gw", "../gw/*.yaml"}})
	testkit.Equal(t, "secrets", p.Changes[0].SecretWrites, []plan.Expression{
		{Field: "one", Expression: object{"source": moved}},
		{Field: "two", Expression: object{"parts": []any{object{"text": "x"}, object{"env": "E"}, moved}}},
	})
}
