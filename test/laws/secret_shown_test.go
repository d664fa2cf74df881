package laws

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// An update that only writes secrets shows them and nothing else, whatever it sends, and
// its document says that no other field changes.
func TestSecretsAloneAreShown(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if tried.of("PUT") < 5 || tried.of("PATCH") < 5 {
			t.Error("too little was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			s.sampleOf(f)
		}
		if len(s.lists) == 0 {
			return
		}
		w := s.w
		w.run(w.plan(s.text(), plan.ModeSync))
		p := w.planAs(s.text(), plan.ModeSync, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{"*"} })
		var document struct {
			Changes []map[string]json.RawMessage `json:"changes"`
		}
		if err := json.Unmarshal(w.bytes(p), &document); err != nil {
			t.Fatal(err)
		}
		for i, c := range p.Changes {
			if c.Action != plan.Update || len(c.SecretWrites) == 0 || len(c.ChangedFields) > 0 {
				continue
			}
			tried.add(c.ExecutionContext.HTTPMethod, 1)
			if got := string(document.Changes[i]["changed_fields"]); got != "{}" {
				t.Errorf("%s: changed_fields are %s", c.ID, got)
			}
			named := map[string]bool{}
			for _, line := range w.shown(p, c) {
				m := lineField.FindStringSubmatch(line)
				if m == nil || !strings.Contains(line, "(secret)") {
					t.Errorf("%s shows more than secrets: %s", c.ID, line)
					continue
				}
				named[m[1]] = true
			}
			for _, e := range c.SecretWrites {
				if p := value.ParsePath(e.Field); !named[p.String()] && !named[p.Whole().String()] {
					t.Errorf("%s does not show %s: %v", c.ID, e.Field, named)
				}
			}
		}
	})
}
