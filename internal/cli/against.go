package cli

import (
	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

func checkAgainst(cmd *cobra.Command, file, against, form string) error {
	switch {
	case !cmd.Flags().Changed("against"):
		return nil
	case file == "":
		return usagef("--against compares with a saved plan").WithHint("name it with --plan.")
	case against == "":
		return usagef("--against: no file is named")
	case file == "-" && against == "-":
		return usagef("standard input cannot be both plans")
	default:
		return checkOutput(form, formText, formJSON, formYAML)
	}
}

// compare shows how the plan differs from the other one.
func (o *diffOptions) compare(a *engine.Planned) error {
	b, err := o.factory.host().LoadAny(o.against, o.factory.verifyKey)
	if err != nil {
		return err
	}
	c := engine.Compare(a, b)
	out := o.factory.world.streams.out
	switch o.output {
	case formJSON:
		err = view.WriteJSON(out, c)
	case formYAML:
		err = view.WriteYAML(out, c)
	default:
		err = view.WriteComparison(out, c, view.ComparisonOptions{Style: o.factory.outStyle(), A: o.planFile, B: o.against})
	}
	if err != nil {
		return toOutput(err)
	}
	if o.detailedExitCode && !c.Summary.Identical {
		return errChanges
	}
	return nil
}
