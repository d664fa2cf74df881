package laws

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// A plan that deletes what configures plugins names the secrets that no inverse plan
// restores: those that Konnect has, and no others that the plugin could have.
func TestDeletesNameTheSecretsThatAreLost(t *testing.T) {
	named := regexp.MustCompile(`the secret (\S+) of`)
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
			secrets := 0
			for _, x := range w.plan(text, plan.ModeDelete).Warnings {
				for _, m := range named.FindAllStringSubmatch(x.Message, -1) {
					last := m[1][strings.LastIndexAny(m[1], ".]")+1:]
					if secrets++; v == nil && !strings.Contains(text, `"`+last+`"`) && !strings.Contains(text, last+":") {
						t.Errorf("%s is declared, and a delete says: %s", what, m[0])
					}
				}
			}
			if v != nil {
				lost.Add(int64(secrets))
			}
		}
	})
}
