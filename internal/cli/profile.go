package cli

import (
	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/profile"
)

const aboutProfile = `Show and change profiles: named settings in the config file.

A profile holds settings such as the region or the token. A command uses the
profile that --profile names, else the one of the variable KONGCTL_PROFILE, else
the current one (kongctl profile use), else "default". A flag beats the
environment, which beats the profile.`

const profileExample = `  kongctl profile set konnect.region eu
  kongctl profile set konnect.pat -p production
  kongctl profile use production
  kongctl profile show`

func newProfileCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "profile",
		Short:   "Show and change profiles: named settings in the config file",
		Long:    aboutProfile,
		Example: profileExample,
		Args:    noSubcommand,
		RunE:    showHelp,
	}
	cmd.AddCommand(
		newProfileListCmd(f, nil), newProfileShowCmd(f, nil), newProfileSetCmd(f, nil),
		newProfileUnsetCmd(f, nil), newProfileUseCmd(f, nil), newProfileDeleteCmd(f, nil),
	)
	return cmd
}

// settingsSource is where the settings of a profile come from; "" is the profile
// of the command.
func settingsSource(f *factory, name string) profile.Source {
	src := givenSettings(f)
	if name != "" {
		src.Profile = name
	}
	return src
}

// currentProfile is the profile that a change is about: that of the command line,
// the environment or the file. It need not be there.
func currentProfile(f *factory, c *profile.Config) (name, chosen string) {
	switch variable := f.world.variable("KONGCTL_PROFILE"); {
	case f.profileName != "":
		return f.profileName, "--profile"
	case variable != "":
		return variable, "environment variable KONGCTL_PROFILE"
	case c.Current() != "":
		return c.Current(), "current-profile in the config file"
	default:
		return profile.DefaultName, "default"
	}
}

// profileNames completes the names of profiles.
func profileNames(f *factory) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		c, err := profile.Open(settingsSource(f, ""))
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return harmless(c.Profiles()), cobra.ShellCompDirectiveNoFileComp
	}
}

// settingNames completes the names of settings, and their values.
func settingNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return knownSettings(), cobra.ShellCompDirectiveNoFileComp
	case 1:
		return settingForms[args[0]].values, cobra.ShellCompDirectiveNoFileComp
	default:
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}
