package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/profile"
)

type profileSetOptions struct {
	factory *factory
	name    string
	value   string
	given   bool // a value stands on the command line
}

const aboutProfileSet = `Set a setting of a profile.

The profile is the one of --profile, else the current one; it is added where it
is missing. - reads the value from standard input. A token is never an argument,
which other users of the machine can see: without a value it is asked for, and
what you type is not shown.`

func newProfileSetCmd(f *factory, runF func(context.Context, *profileSetOptions) error) *cobra.Command {
	o := &profileSetOptions{factory: f}
	return &cobra.Command{
		Use:   "set SETTING [VALUE|-]",
		Short: "Set a setting of a profile",
		Long:  aboutProfileSet,
		Example: `  kongctl profile set konnect.region eu
  kongctl profile set konnect.pat
  kongctl profile set konnect.pat - < token.txt
  kongctl profile set konnect.declarative.max-deletes 10% -p production`,
		ValidArgsFunction: settingNames,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return usagef("%s takes a setting and its value, got %s", cmd.CommandPath(), plural(len(args), "argument", "arguments")).WithHint("see %s --help", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			if len(args) == 2 {
				o.value, o.given = args[1], true
			}
			if runF == nil {
				runF = profileSetRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func profileSetRun(ctx context.Context, o *profileSetOptions) error {
	f := o.factory
	if err := checkSetting(o.name); err != nil {
		return err
	}
	if _, err := profile.Open(settingsSource(f, "")); err != nil { // before anybody types a token
		return err
	}
	text, err := o.read(ctx)
	if err != nil {
		return err
	}
	if err := checkValue(o.name, text); err != nil {
		return err
	}
	in := ""
	c, err := editConfig(ctx, f, func(c *profile.Config) (bool, error) {
		in, _ = currentProfile(f, c)
		return true, c.Set(in, o.name, text)
	})
	if err != nil {
		return err
	}
	shown := text
	if profile.IsToken(o.name) {
		shown = "(hidden)"
	}
	if err := say(f.world.streams.err, "Set %s to %s in profile %s (%s).", o.name, shown, in, c.Path()); err != nil {
		return err
	}
	return noteOverride(f, o.name, in)
}

// read is the value to set.
func (o *profileSetOptions) read(ctx context.Context) (string, error) {
	token := profile.IsToken(o.name)
	switch {
	case o.given && o.value == "-":
		raw, err := io.ReadAll(io.LimitReader(o.factory.world.streams.in, maxKeySize))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		return strings.TrimSpace(string(raw)), nil
	case o.given && token:
		return "", usagef("a token must not be an argument: other users of the machine can see it, and the shell keeps it").
			WithHint("run `kongctl profile set %s` and type it, or pass - and write it to standard input.", o.name)
	case o.given:
		return strings.TrimSpace(o.value), nil
	case token:
		return o.factory.world.streams.secret(ctx, "Token: ")
	}
	e := usagef("no value for %s", o.name)
	if want := settingForms[o.name].want; want != "" {
		return "", e.WithHint("it takes %s.", want)
	}
	return "", e.WithHint("write `kongctl profile set %s VALUE`.", o.name)
}

// noteOverride says that the environment has another value.
func noteOverride(f *factory, name, in string) error {
	if s, err := profile.Load(settingsSource(f, in)); err == nil { // else the command was about the file alone
		if _, origin, ok := s.Lookup(name); ok && strings.HasPrefix(origin, "environment variable ") {
			return say(f.world.streams.err, "note: the %s overrides it.", origin)
		}
	}
	return nil
}

type profileUnsetOptions struct {
	factory *factory
	name    string
}

func newProfileUnsetCmd(f *factory, runF func(context.Context, *profileUnsetOptions) error) *cobra.Command {
	o := &profileUnsetOptions{factory: f}
	return &cobra.Command{
		Use:   "unset SETTING",
		Short: "Remove a setting from a profile",
		Long:  "Remove a setting from a profile: the one of --profile, else the current one.",
		Example: `  kongctl profile unset konnect.region
  kongctl profile unset konnect.pat -p production
  kongctl profile unset log-level --config-file team.yaml`,
		Args:              oneArgument("one setting", true),
		ValidArgsFunction: settingNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			if runF == nil {
				runF = profileUnsetRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func profileUnsetRun(ctx context.Context, o *profileUnsetOptions) error {
	f := o.factory
	in, found := "", false
	c, err := editConfig(ctx, f, func(c *profile.Config) (_ bool, err error) {
		in, _ = currentProfile(f, c)
		found, err = c.Unset(in, o.name)
		return found, err
	})
	switch {
	case err != nil:
		return err
	case !found:
		if err := checkSetting(o.name); err != nil {
			return err
		}
		return say(f.world.streams.err, "%s is not set in profile %s (%s).", o.name, in, c.Path())
	}
	if err := say(f.world.streams.err, "Removed %s from profile %s (%s).", o.name, in, c.Path()); err != nil {
		return err
	}
	return noteOverride(f, o.name, in)
}
