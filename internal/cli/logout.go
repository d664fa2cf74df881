package cli

import (
	"context"

	"github.com/spf13/cobra"

	"kongctl/internal/profile"
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
file. Tokens of the profile itself (konnect.pat) stay.`,
		Example: `  kongctl logout
  kongctl logout -p production
  kongctl logout --base-url http://localhost:8080`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = logoutRun
			}
			return runF(cmd.Context(), o)
		},
	}
	o.connect.add(cmd)
	return cmd
}

func logoutRun(ctx context.Context, o *logoutOptions) error {
	f := o.factory
	s, err := f.settings()
	if err != nil {
		return err
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
