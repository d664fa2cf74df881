package execute_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// forgiving is a toy that looks at changes although values are missing.
type forgiving struct{ *toy }

func (d forgiving) Prepare(ctx context.Context, p *plan.Plan, calls []*execute.Call) error {
	for _, c := range calls {
		c.Problem = nil
	}
	return d.toy.Prepare(ctx, p, calls)
}

// A change that is done lacks nothing. One that would have to be sent without a value
// is refused before the first write, with its place; so is one whose driver cannot look
// at it without the value.
func TestWhatIsDoneLacksNothing(t *testing.T) {
	secret := func(ref string) *plan.Change {
		c := change("house", ref)
		c.Source = &plan.Source{File: "a.yaml", Line: 7}
		c.Expressions = []plan.Expression{{Field: "text", Expression: map[string]any{"env": "TEXT"}}}
		c.SecretWrites = []plan.Expression{{Field: "key", Expression: map[string]any{"source": map[string]any{"env": "KEY"}}}}
		return c
	}
	const lacks = "the toy a (a.yaml:7): text: the environment variable TEXT is not set\nthe toy a (a.yaml:7): key: the environment variable KEY is not set"
	done := execute.Outcome{Object: &resource.Object{ID: "1"}}
	for name, row := range map[string]struct {
		verdict map[string]execute.Verdict
		strict  bool
		want    string
	}{
		"done":                 {map[string]execute.Verdict{"a": {Done: &done}}, false, ""},
		"not done":             {nil, false, lacks},
		"not as expected":      {map[string]execute.Verdict{"a": {Moved: "it was changed"}}, false, ""},
		"the driver needs all": {map[string]execute.Verdict{"a": {Done: &done}}, true, lacks},
	} {
		t.Run(name, func(t *testing.T) {
			one := &toy{verdicts: row.verdict}
			driver := execute.Driver(forgiving{one})
			if row.strict {
				driver = one
			}
			in := by(toys(secret("a"), change("house", "b")), map[string]execute.Driver{"house": driver})
			found, err := execute.Check(t.Context(), in)
			if got := text(err); got != row.want {
				t.Fatalf("the check says %q, want %q", got, row.want)
			}
			if err == nil {
				in.Done, in.Skip = found.Done, map[string]string{}
				for _, m := range found.Moved {
					in.Skip[m.Change.ID] = m.Why
				}
			}
			one.said = nil
			_, err = execute.Run(t.Context(), in, nil)
			if got := text(err); got != row.want {
				t.Errorf("the run says %q, want %q", got, row.want)
			}
			if wrote := strings.Join(one.said, ", "); (wrote == "create b") != (row.want == "") {
				t.Errorf("it did %q", wrote)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
