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
// failure is 1. That there are changes is no failure, nor that nobody reads the output.
func exitStatus(f *factory, err error) int {
	status := exitCode(err)
	if status == exitDone || status == exitChanges || status == exitUnread {
		return status
	}
	given, _ := givenTo(f, settingExitCodes)
	if s, wrong := f.settings(); wrong == nil {
		given = s.String(settingExitCodes)
	}
	if given != exitsSimple {
		return status
	}
	return exitFailed
}

// givenTo is what flags or environment give to a setting that all commands obey, and
// where it came from.
func givenTo(f *factory, name string) (given, origin string) {
	if f.flags != nil && f.flags.Changed(name) { // the flags have the same names
		return f.flags.Lookup(name).Value.String(), ""
	}
	variable := "KONGCTL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	return f.world.variable(variable), " (environment variable " + variable + ")"
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
		given, origin := givenTo(f, name)
		if form := settingForms[name]; given != "" && !form.fits(given) {
			return usagef("invalid value %s for %s%s: use %s", shownValue(name, given), name, origin, form.want)
		}
	}
	return nil
}
