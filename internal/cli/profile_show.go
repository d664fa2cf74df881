package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/view"
)

type profileShowOptions struct {
	factory *factory
	name    string
	output  string
}

const aboutProfileShow = `Show the settings of a profile, and where each value comes from.

The values are those that a command with this profile would use: from the
environment, the profile or the default. Tokens are not shown, only whether there
is one.`

func newProfileShowCmd(f *factory, runF func(context.Context, *profileShowOptions) error) *cobra.Command {
	o := &profileShowOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "show [NAME]",
		Short: "Show the settings of a profile, and where each value comes from",
		Long:  aboutProfileShow,
		Example: `  kongctl profile show
  kongctl profile show production
  kongctl profile show -o json`,
		Args:              oneArgument("the name of a profile", false),
		ValidArgsFunction: profileNames(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if len(args) == 1 {
				o.name = args[0]
			}
			if runF == nil {
				runF = profileShowRun
			}
			return runF(cmd.Context(), o)
		},
	}
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

// oneArgument takes one argument, which may have to be there.
func oneArgument(what string, required bool) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 || required && len(args) == 0 {
			return usagef("%s takes %s, got %s", cmd.CommandPath(), what, plural(len(args), "argument", "arguments")).WithHint("see %s --help", cmd.CommandPath())
		}
		return nil
	}
}

func profileShowRun(_ context.Context, o *profileShowOptions) error {
	f := o.factory
	src := settingsSource(f, o.name)
	settings, err := profile.Load(src)
	if err != nil {
		return err
	}
	c, err := profile.Open(src)
	if err != nil {
		return err
	}
	s := f.world.streams
	shown := profileSettings(settings, c, o.name != "")
	if id, err := identityOf(f, settings); err == nil {
		showLogin(&shown, id.store.KeptIn(id.place))
	}
	if isDocument(o.output) {
		return s.document(o.output, shown)
	}
	return toOutput(view.WriteProfileSettings(s.out, shown, s.tableWidth(), f.outStyle()))
}

// showLogin says that the token is that of a login, where no setting has one.
func showLogin(shown *view.ProfileSettings, in string) {
	for i, x := range shown.Settings {
		if x.Name == profile.Token && !x.Set && in != "" {
			shown.Settings[i].Set, shown.Settings[i].Origin = true, "login ("+in+")"
		}
	}
}

// profileSettings are the settings of a profile, without tokens.
func profileSettings(s *profile.Settings, c *profile.Config, named bool) view.ProfileSettings {
	out := view.ProfileSettings{Profile: s.Profile(), ChosenBy: s.Chosen(), File: c.Path(), FileExists: c.Exists()}
	switch {
	case named:
		out.ChosenBy = "named on the command line"
	case out.ChosenBy == "":
		out.ChosenBy = "default"
	}
	for _, name := range knownSettings() {
		text, origin, ok := s.Lookup(name)
		x := view.Setting{Name: name, Origin: origin, Set: ok && !s.Default(name), Hidden: profile.IsToken(name)}
		if x.Set {
			x.UnusedFor = s.Unused(name)
		}
		switch {
		case !ok && settingForms[name].fallback != "":
			text, ok, x.Origin = settingForms[name].fallback, true, "default"
		case !ok:
			x.Origin = "not set"
		}
		if ok && !x.Hidden {
			x.Value = &text
		}
		out.Settings = append(out.Settings, x)
	}
	return out
}
