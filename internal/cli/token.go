package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/resource"
)

// adviseToken says where a token came from that Konnect does not accept, and
// what to do. It never shows the token.
func (f *factory) adviseToken(err error) {
	if !resource.TokenRefused(err) {
		return
	}
	settings, err := f.settings()
	if err != nil {
		return
	}
	if f.byLogin.Load() {
		_ = say(f.world.streams.err, "  Konnect does not accept the login of profile %s any more. Run `%s`.", settings.Profile(), loginCommand(f))
		return
	}
	_, origin, ok := settings.Lookup(profile.Token)
	switch {
	case !ok:
		return
	case origin == "flag":
		origin = "--pat"
	default:
		origin = fmt.Sprintf("the setting %s (%s)", profile.Token, origin)
	}
	// Nobody reads it where standard error is gone.
	_ = say(f.world.streams.err, "  Konnect does not accept the token from %s. Check that it is valid and not expired, or pass another one with --pat.", origin)
}
