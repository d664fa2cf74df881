package cli

import "kongctl/internal/profile"

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

// checkExitCodes refuses another form of exit statuses.
func checkExitCodes(s *profile.Settings) error {
	form, origin, ok := s.Lookup(settingExitCodes)
	if !ok || form == "" || form == exitsDetailed || form == exitsSimple {
		return nil
	}
	return usagef("invalid value %q for %s (%s): use %s or %s", form, settingExitCodes, origin, exitsDetailed, exitsSimple)
}
