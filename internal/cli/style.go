package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

// addDiff adds the flags that say how changed values are shown.
func addDiff(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("diff-context", view.DefaultContext, "unchanged lines around the changed lines of a text")
	flags.Bool("full-diff", false, "show changed and new texts as a whole")
}

// readDiff reads what addDiff added.
func readDiff(cmd *cobra.Command) (view.Diff, error) {
	d := view.Diff{Context: view.DefaultContext}
	flags := cmd.Flags()
	if flags.Lookup("diff-context") == nil {
		return d, nil
	}
	var err error
	if d.Context, err = flags.GetInt("diff-context"); err != nil {
		return d, err
	}
	if d.Full, err = flags.GetBool("full-diff"); err != nil {
		return d, err
	}
	switch {
	case d.Context < 0:
		return d, usagef("invalid value %q for --diff-context: want 0 or more", flags.Lookup("diff-context").Value)
	case d.Full && flags.Changed("diff-context"):
		return d, usagef("--full-diff and --diff-context exclude each other")
	}
	return d, nil
}

// colored reports whether colours are shown where they can be seen, and whether
// they are asked for where that is not known.
func (f *factory) colored() (allowed, forced bool) {
	set := func(name string) bool {
		value := strings.ToLower(f.world.variable(name))
		return value != "" && value != "0" && value != "false"
	}
	if f.noColor || f.world.variable("NO_COLOR") != "" {
		return false, false
	}
	if set("FORCE_COLOR") || set("CLICOLOR_FORCE") {
		return true, true
	}
	return !f.world.dumb() && f.world.variable("FORCE_COLOR") == "" && f.world.variable("CLICOLOR") != "0", false
}

func (f *factory) style(terminal bool) view.Style {
	allowed, forced := f.colored()
	out := view.Style{Color: forced || terminal && allowed, Diff: f.diff}
	out.Diff.Meaning, out.Diff.Holds = engine.Meaning(f.catalog), engine.Holds(f.catalog)
	out.Diff.Default = engine.Default(f.catalog)
	if terminal && f.world.streams.width != nil {
		out.Width = f.world.streams.width()
	}
	return out
}

// outStyle and errStyle are what standard output and standard error can show.
func (f *factory) outStyle() view.Style { return f.style(f.world.streams.outTerminal) }
func (f *factory) errStyle() view.Style { return f.style(f.world.streams.errTerminal) }
