package cli

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/resource"
)

// addRetry adds the flags that say how often a request is tried. Their values
// are settings: the factory finds them.
func addRetry(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("http-retry-max-attempts", 6, "how often a request is tried, with the first time. A create whose answer is lost is looked for first, for up to "+resource.Settle.String()+", so that nothing is created twice")
	flags.String("http-retry-initial-interval", "500ms", "wait at most this long before the second attempt")
	flags.String("http-retry-max-interval", "20s", "wait at most this long before any attempt; what Konnect asks for is always kept")
	flags.Float64("http-retry-backoff-factor", 2, "how much longer each wait may be than the one before")
}

// retrySettings are the settings, checked.
func retrySettings(f *factory) (engine.Retry, error) {
	s, err := f.settings()
	if err != nil {
		return engine.Retry{}, err
	}
	var out engine.Retry
	for _, setting := range []struct {
		name, form string
		read       func(text string) bool
	}{
		{settingRetryAttempts, "a whole number from 1", func(text string) bool {
			out.MaxAttempts, err = strconv.Atoi(text)
			return err == nil && out.MaxAttempts >= 1
		}},
		{settingRetryFirst, "a time such as 500ms or 2s", func(text string) bool {
			out.First, err = time.ParseDuration(text)
			return err == nil && out.First > 0
		}},
		{settingRetryMost, "a time such as 20s or 1m", func(text string) bool {
			out.Most, err = time.ParseDuration(text)
			return err == nil && out.Most > 0
		}},
		{settingRetryFactor, "a number from 1", func(text string) bool {
			out.Factor, err = strconv.ParseFloat(text, 64)
			return err == nil && out.Factor >= 1
		}},
	} {
		text, origin, ok := s.Lookup(setting.name)
		if ok && text != "" && !setting.read(text) {
			return engine.Retry{}, usagef("invalid value %q for %s (%s): use %s", text, setting.name, origin, setting.form)
		}
	}
	return out, nil
}
