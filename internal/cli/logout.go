package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/profile"
)

type logoutOptions struct {
	factory *factory
	connect connectFlags
}

func newLogoutCmd(f *factory, runF func(context.Context, *logoutOptions) error) *cobra.Command {
	o := &logoutOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "logout",
		Short: "Forget the login of a profile",
		Long: `Forget the login of a profile: its tokens are removed from the keyring or the
file. Tokens of the profile itself (konnect.pat) stay. Where the config file does not
have the profile, its logins at all addresses are removed.`,
		Example: `  kongctl logout
  kongctl logout -p production
  kongctl logout --base-url http://localhost:8080`,
		Args:        noArgs,
		Annotations: map[string]string{anyProfileNote: "true"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.connect.checkLogin(); err != nil {
				return err
			}
			if runF == nil {
				runF = logoutRun
			}
			return runF(cmd.Context(), o)
		},
	}
	o.connect.addLogin(cmd)
	return cmd
}

func logoutRun(ctx context.Context, o *logoutOptions) error {
	f := o.factory
	s, err := f.settings()
	if err != nil {
		return err
	}
	if s.Missing() && !f.flags.Changed("base-url") && !f.flags.Changed("base-auth-url") {
		return logoutEverywhere(ctx, f, s.Profile())
	}
	id, err := identityOf(f, s)
	if err != nil {
		return err
	}
	unlock, err := id.store.Lock(ctx, id.place)
	if err != nil {
		return err
	}
	defer unlock()
	found, err := id.store.Remove(id.place)
	if err != nil {
		return err
	}
	text := "Logged out of %s (profile %s)."
	if !found {
		text = "Not logged in to %s (profile %s)."
	}
	if err := say(f.world.streams.err, text, id.place.URL, id.place.Profile); err != nil {
		return err
	}
	if _, origin, other := s.Lookup(profile.Token); other {
		return say(f.world.streams.err, "note: commands still use the setting %s (%s).", profile.Token, origin)
	}
	return nil
}

// logoutEverywhere forgets the logins of a profile, whatever their address.
func logoutEverywhere(ctx context.Context, f *factory, name string) error {
	gone, err := forgetLogins(ctx, f, name)
	if err == nil && len(gone) == 0 {
		return say(f.world.streams.err, "Not logged in (profile %s).", name)
	}
	return err
}

// forgetLogins removes the logins of a profile and says so.
func forgetLogins(ctx context.Context, f *factory, name string) ([]auth.Place, error) {
	store, err := loginStore(f)
	if errors.Is(err, errNoState) {
		return nil, nil // then nobody has logged in
	}
	if err != nil {
		return nil, err
	}
	gone, err := store.RemoveProfile(ctx, name)
	for _, place := range gone {
		_ = say(f.world.streams.err, "Logged out of %s (profile %s).", place.URL, name)
	}
	return gone, err
}
