package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/profile"
)

// settingForm is what a setting takes.
type settingForm struct {
	fallback string            // the default; "" for none, or one that depends
	values   []string          // where it takes one of a few
	want     string            // in words
	fits     func(string) bool // nil: any text
}

// words is a setting that takes one of a few.
func words(fallback string, values ...string) settingForm {
	return settingForm{
		fallback: fallback, values: values, want: diag.Join(values, "or"),
		fits: func(text string) bool { return slices.Contains(values, text) },
	}
}

// whole is a setting that takes a number from 1.
func whole(fallback string) settingForm {
	return settingForm{fallback: fallback, want: "a whole number from 1", fits: func(text string) bool {
		n, err := strconv.Atoi(text)
		return err == nil && n >= 1
	}}
}

// duration is a setting that takes a time.
func duration(fallback string) settingForm {
	return settingForm{fallback: fallback, want: "a time such as 500ms or 20s", fits: func(text string) bool {
		d, err := time.ParseDuration(text)
		return err == nil && d > 0
	}}
}

// urlPath is a setting that takes the path of an address.
func urlPath(fallback string) settingForm {
	return settingForm{fallback: fallback, want: "a path that begins with /, without a query", fits: func(text string) bool {
		return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.ContainsAny(text, "?# ")
	}}
}

func isFactor(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n >= 1
}

func isAge(text string) bool {
	_, ok := engine.ParseAge(text)
	return ok
}

func isAbsolute(text string) bool { return filepath.IsAbs(text) }

func areAbsolute(text string) bool {
	return !slices.ContainsFunc(strings.Split(text, ","), func(one string) bool { return !filepath.IsAbs(one) })
}

func isURL(text string) bool { return profile.CheckURL(text) == nil }

// checkSetting refuses a setting that does not exist.
func checkSetting(name string) error {
	if _, known := settingForms[name]; known {
		return nil
	}
	if setting, _, both := strings.Cut(name, "="); both { // what follows may be a token
		return usagef("write a setting and its value as two arguments").WithHint("see `kongctl profile set --help`; %s is the setting.", setting)
	}
	e := usagef("there is no setting %q", name)
	if near := nearest(name, knownSettings()); near != "" {
		return e.WithHint("did you mean %s?", near)
	}
	return e.WithHint("`kongctl profile show` lists them.")
}

// checkValue refuses what a setting does not take.
func checkValue(name, text string) error {
	form := settingForms[name]
	if text == "" {
		return usagef("no value for %s", name).WithHint("to remove the setting, run `kongctl profile unset %s`.", name)
	}
	if form.fits != nil && !form.fits(text) {
		return usagef("invalid value %s for %s: use %s", shownValue(name, text), name, form.want)
	}
	return nil
}

// checkedSetting is a setting that has a form, checked; its default where nobody
// sets it.
func checkedSetting(s *profile.Settings, name string) (string, error) {
	form := settingForms[name]
	text, origin, ok := s.Lookup(name)
	if !ok || text == "" {
		return form.fallback, nil
	}
	if form.fits != nil && !form.fits(text) {
		return "", usagef("invalid value %s for %s (%s): use %s", shownValue(name, text), name, origin, form.want)
	}
	return text, nil
}

// shownValue is a value of a setting as a message may show it: no token, and no
// address with a password. In a setting that takes one of a few words, an address is
// shown by its colon.
func shownValue(name, text string) string {
	address := strings.Contains(text, "@")
	if len(settingForms[name].values) > 0 {
		address = address && strings.Contains(text, ":")
	}
	if profile.IsToken(name) || address {
		return "(hidden)"
	}
	return strconv.Quote(text)
}
