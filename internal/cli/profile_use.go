package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
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
	factory     *factory
	name        string
	autoApprove bool
}

func newProfileDeleteCmd(f *factory, runF func(context.Context, *profileDeleteOptions) error) *cobra.Command {
	o := &profileDeleteOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a profile",
		Long: `Delete a profile from the config file, with all of its settings, and forget its
logins. Konnect is not changed. Prompts where the profile has a token or a login.`,
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
	addApproval(cmd, &o.autoApprove)
	return cmd
}

// approve asks before a token is lost that may be nowhere else.
func (o *profileDeleteOptions) approve(ctx context.Context) error {
	f := o.factory
	c, err := profile.Open(settingsSource(f, ""))
	if err != nil || !c.Has(o.name) || o.autoApprove {
		return err // deleting it says what is wrong
	}
	var lost []string
	if _, ok := c.Value(o.name, profile.Token); ok {
		lost = append(lost, "its token")
	}
	if store, err := loginStore(f); err == nil {
		places, err := store.Places(o.name)
		if err != nil {
			return err
		}
		for _, place := range places {
			lost = append(lost, "its login at "+place.URL)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return f.world.streams.confirm(ctx, fmt.Sprintf("Do you want to delete the profile %s with %s?", o.name, diag.Join(lost, "and")), false)
}

func profileDeleteRun(ctx context.Context, o *profileDeleteOptions) error {
	f := o.factory
	if err := o.approve(ctx); err != nil {
		return err
	}
	current := false
	c, err := editConfig(ctx, f, func(c *profile.Config) (bool, error) {
		current = c.Current() == o.name && o.name != profile.DefaultName
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
