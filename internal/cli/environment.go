package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
)

// readable looks up an environment variable for a configuration or a plan. What
// holds a credential of kongctl is hidden, under whatever name: whoever writes a
// configuration could send it anywhere. The text is then the reason.
func (f *factory) readable(name string) (string, bool) {
	v, ok := f.world.env(name)
	if !ok {
		return "", false
	}
	if plan.IsCredential(name) {
		return diag.HoldsCredential, false
	}
	s, err := f.settings()
	if err != nil || v == "" || v != s.String(profile.Token) {
		return v, ok
	}
	if _, said := f.hidden.LoadOrStore(name, true); !said {
		// Without standard error there is nowhere to report to.
		_, _ = fmt.Fprintf(f.world.streams.err, "warning: the environment variable %s holds the token of kongctl, so no configuration or plan may read it\n", name)
	}
	return diag.HoldsToken, false
}
