package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/view"
)

type profileListOptions struct {
	factory *factory
	output  string
}

func newProfileListCmd(f *factory, runF func(context.Context, *profileListOptions) error) *cobra.Command {
	o := &profileListOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the profiles of the config file",
		Long:  "List the profiles of the config file. * marks the one that commands use.",
		Example: `  kongctl profile list
  kongctl profile list -o json
  kongctl profile list --config-file team.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF == nil {
				runF = profileListRun
			}
			return runF(cmd.Context(), o)
		},
	}
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func profileListRun(_ context.Context, o *profileListOptions) error {
	f := o.factory
	c, err := profile.Open(settingsSource(f, ""))
	if err != nil {
		return err
	}
	s := f.world.streams
	list := profiles(f, c)
	if isDocument(o.output) {
		return s.document(o.output, list)
	}
	if len(list.Profiles) == 0 {
		return say(s.err, "No profiles in %s. Add one with `kongctl profile set SETTING VALUE`, for example konnect.region eu.", c.Path())
	}
	return toOutput(view.WriteProfiles(s.out, list, s.tableWidth(), f.outStyle()))
}

// profiles are the profiles of the file, as it says them.
func profiles(f *factory, c *profile.Config) view.Profiles {
	out := view.Profiles{File: c.Path(), Profiles: []view.Profile{}}
	out.Current, out.ChosenBy = currentProfile(f, c)
	for _, name := range c.Profiles() {
		_, token := c.Value(name, profile.Token)
		p := view.Profile{Name: name, Current: name == out.Current, Token: token}
		if base, ok := c.Value(name, profile.BaseURL); ok {
			p.Konnect = base
		} else if region, ok := c.Value(name, profile.Region); ok {
			p.Konnect = region
		} else {
			p.Konnect = settingForms[profile.Region].fallback
		}
		out.Profiles = append(out.Profiles, p)
	}
	return out
}

// tableWidth is how wide a table may be, 0 for no bound.
func (s *streams) tableWidth() int {
	if s.outTerminal && s.width != nil {
		return s.width()
	}
	return 0
}
