package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// clockSkew is how far ahead the clock of another machine may be.
const clockSkew = 5 * time.Minute

// addMaxAge adds a flag whose value is a setting: the factory finds it.
func addMaxAge(cmd *cobra.Command) {
	cmd.Flags().String("max-age", "", "refuse a saved plan that is older, such as 7d or 12h; 0 is no limit (default 7d)")
}

// maxAge is the setting, checked; 0 is no limit.
func (f *factory) maxAge() (age time.Duration, text string, err error) {
	s, err := f.settings()
	if err != nil {
		return 0, "", err
	}
	text, origin, _ := s.Lookup(settingMaxAge)
	age, ok := parseAge(text)
	if !ok {
		return 0, "", usagef("invalid value %q for %s (%s)", text, settingMaxAge, origin).withHint("use days or hours, such as 7d or 12h, or 0 for no limit.")
	}
	return age, text, nil
}

// parseAge reads a duration that may have days: 7d, 1d12h, 90m, 0.
func parseAge(text string) (time.Duration, bool) {
	if text == "0" {
		return 0, true
	}
	var days time.Duration
	number, rest, hasDays := strings.Cut(text, "d")
	if hasDays {
		const most = 36500 // a century is no limit either
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > most {
			return 0, false
		}
		days, text = time.Duration(n)*24*time.Hour, rest
		if text == "" {
			return days, true
		}
	}
	d, err := time.ParseDuration(text)
	return days + d, err == nil && d >= 0
}

// fresh refuses a plan that is too old, or of a time that has not come. What
// says what happened then.
func (f *factory) fresh(what, at string) error {
	limit, text, err := f.maxAge()
	if err != nil {
		return err
	}
	made, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return &planError{fmt.Errorf("%s at an unknown time (%q): create a new plan", what, at)}
	}
	age := f.world.now().Sub(made)
	switch {
	case age < -clockSkew:
		return &planError{fmt.Errorf("%s at %s, which is in the future: check the clocks, or create a new plan", what, at)}
	case limit > 0 && age > limit:
		return &planError{fmt.Errorf("%s at %s, which is longer ago than %s (%s): create a new plan, or pass --max-age 0", what, at, text, settingMaxAge)}
	default:
		return nil
	}
}
