package engine

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// clockSkew is how far ahead the clock of another machine may be.
const clockSkew = 5 * time.Minute

// ParseAge reads a duration that may have days: 7d, 1d12h, 90m, 0.
func ParseAge(text string) (time.Duration, bool) {
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
func (h Host) fresh(t Trust, what, at string) error {
	limit, text, err := t.MaxAge()
	if err != nil {
		return err
	}
	made, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return &PlanError{fmt.Errorf("%s at an unknown time (%q): create a new plan", what, at)}
	}
	age := h.Now().Sub(made)
	switch {
	case age < -clockSkew:
		return &PlanError{fmt.Errorf("%s at %s, which is in the future: check the clocks, or create a new plan", what, at)}
	case limit > 0 && age > limit:
		return &PlanError{fmt.Errorf("%s at %s, which is longer ago than %s: create a new plan, or pass --max-age 0", what, at, text)}
	default:
		return nil
	}
}
