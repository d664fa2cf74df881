package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/profile"
)

type profileUseOptions struct {
	factory *factory
	name    string
}

func newProfileUseCmd(f *factory, runF func(context.Context, *profileUseOptions) error) *cobra.Command {
	o := &profileUseOptions{factory: f}
	return &cobra.Command{
		Use:   "use NAME",
		Short: "Make a profile the current one",
		Long: `Make a profile the current one: the one that commands use without --profile and
without the variable KONGCTL_PROFILE. The config file keeps it as current-profile.`,
		Example: `  kongctl profile use production
  kongctl profile use default
  kongctl profile use eu --config-file team.yaml`,
		Args:              oneArgument("the name of one profile", true),
		ValidArgsFunction: profileNames(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			if runF == nil {
				runF = profileUseRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func profileUseRun(ctx context.Context, o *profileUseOptions) error {
	f := o.factory
	c, err := editConfig(ctx, f, func(c *profile.Config) (bool, error) { return true, c.Use(o.name) })
	if err != nil {
		return err
	}
	if err := say(f.world.streams.err, "The current profile is %s.", o.name); err != nil {
		return err
	}
	if used, chosen := currentProfile(f, c); used != o.name {
		return say(f.world.streams.err, "note: this command names another one, %s (%s), which overrides it.", used, chosen)
	}
	return nil
}

type profileDeleteOptions struct {
	factory *factory
	name    string
}

func newProfileDeleteCmd(f *factory, runF func(context.Context, *profileDeleteOptions) error) *cobra.Command {
	o := &profileDeleteOptions{factory: f}
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a profile",
		Long: `Delete a profile from the config file, with all of its settings, and forget its
logins. Konnect is not changed.`,
		Example: `  kongctl profile delete staging
  kongctl profile delete staging --config-file team.yaml
  kongctl profile list`,
		Args:              oneArgument("the name of one profile", true),
		ValidArgsFunction: profileNames(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			if runF == nil {
				runF = profileDeleteRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func profileDeleteRun(ctx context.Context, o *profileDeleteOptions) error {
	f := o.factory
	current := false
	c, err := editConfig(ctx, f, func(c *profile.Config) (bool, error) {
		current = c.Current() == o.name
		return true, c.Delete(o.name)
	})
	if err != nil {
		return err
	}
	text := "Deleted the profile %s (%s)."
	if current {
		text = "Deleted the profile %s, which was the current one: now it is " + profile.DefaultName + " (%s)."
	}
	if err := say(f.world.streams.err, text, o.name, c.Path()); err != nil {
		return err
	}
	_, err = forgetLogins(ctx, f, o.name)
	return err
}
