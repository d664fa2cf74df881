package cli

import (
	"strings"

	"github.com/kongctl/kongctl/internal/profile"
)

// The values of the setting exit-codes.
const (
	exitsDetailed = "detailed"
	exitsSimple   = "simple"
)

// exitStatus is the status that the settings ask for: in simple form every
// failure is 1. That there are changes is no failure.
func exitStatus(f *factory, err error) int {
	status := exitCode(err)
	if status == exitDone || status == exitChanges {
		return status
	}
	if s, wrong := f.settings(); wrong != nil || s.String(settingExitCodes) != exitsSimple {
		return status
	}
	return exitFailed
}

// everyCommand are the settings that all commands obey.
func everyCommand() []string { return []string{settingExitCodes, settingAnnotations} }

// checkEveryCommand checks the settings that all commands obey.
func checkEveryCommand(s *profile.Settings) error {
	for _, name := range everyCommand() {
		if _, err := checkedSetting(s, name); err != nil {
			return err
		}
	}
	return nil
}

// checkGiven is checkEveryCommand for flags and variables, before a command begins:
// some commands need no settings.
func checkGiven(f *factory) error {
	for _, name := range everyCommand() {
		variable := "KONGCTL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		given, origin := f.world.variable(variable), " (environment variable "+variable+")"
		if f.flags.Changed(name) { // the flags have the same names
			given, origin = f.flags.Lookup(name).Value.String(), ""
		}
		if form := settingForms[name]; given != "" && !form.fits(given) {
			return usagef("invalid value %s for %s%s: use %s", shownValue(name, given), name, origin, form.want)
		}
	}
	return nil
}
