package laws

import (
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// A plan that deletes what configures plugins names the secrets that no inverse plan
// restores: those that Konnect has, and no others that the plugin could have. The inverse
// plan names the same.
func TestDeletesNameTheSecretsThatAreLost(t *testing.T) {
	named := regexp.MustCompile(`the secret (\S+) of`)
	unset := regexp.MustCompile(`with --write-secret \((.*)\)`)
	lacks := regexp.MustCompile(`the plan does not hold its (.*)$`)
	var lost atomic.Int64
	afterAll(t, func() {
		if lost.Load() < 3 {
			t.Errorf("only %d secrets were named", lost.Load())
		}
	})
	eachConfigured(t, func(t *testing.T, c configured) {
		c.plugins = c.plugins[:min(len(c.plugins), 12)]
		for what, v := range map[string]any{"none": nil, "all": secretOf{env: "LAW_SECRET_WORD"}} {
			w := newWorld(t)
			w.keep = true
			s := newScene(w, c.t)
			c.declare(s, "", v)
			text := s.text()
			w.run(w.plan(text, plan.ModeSync))
			s.emptied()
			p := w.plan(s.text(), plan.ModeSync)
			secrets := 0
			is := func(plans, field string) {
				last := field[strings.LastIndexAny(field, ".]")+1:]
				if secrets++; v == nil && !strings.Contains(text, `"`+last+`"`) && !strings.Contains(text, last+":") {
					t.Errorf("%s is declared, and %s says: %s", what, plans, field)
				}
			}
			for _, x := range slices.Concat(p.Warnings, w.plan(text, plan.ModeDelete).Warnings) {
				for _, m := range named.FindAllStringSubmatch(x.Message, -1) {
					is("a delete", m[1])
				}
			}
			if v != nil && len(p.Changes) > 0 && len(p.Warnings) == 0 {
				t.Errorf("%s is declared, and a plan that prunes it names nothing", what)
			}
			if len(p.Changes) > 0 {
				w.run(p)
				before := secrets
				back, _ := w.inverse(p)
				for _, x := range back.Warnings {
					for _, name := range slices.Concat(namedBy(unset, x.Message), namedBy(lacks, x.Message)) {
						is("the inverse plan", name)
					}
				}
				if v != nil && secrets == before {
					t.Errorf("%s is declared, and the inverse plan names nothing", what)
				}
			}
			if v != nil {
				lost.Add(int64(secrets))
			}
		}
	})
}
