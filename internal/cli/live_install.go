package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/view"
)

type liveInstallOptions struct {
	factory *factory
	force   bool
	output  string
}

func newLiveInstallCmd(f *factory, runF func(context.Context, *liveInstallOptions) error) *cobra.Command {
	o := &liveInstallOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "install-resource-group",
		Short: "Install the definition of ResourceGroups in a cluster, or update it",
		Long: `Install the definition of ResourceGroups in a cluster, or update it.

live apply does so by itself. This verb is for clusters where only an administrator
may: run it once, and others need no right to definitions.`,
		Example: `  kongctl live install-resource-group
  kongctl live install-resource-group --context prod
  kongctl live install-resource-group --force`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF == nil {
				runF = liveInstallRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the schema of an existing definition, even if it has additional fields")
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func liveInstallRun(ctx context.Context, o *liveInstallOptions) error {
	connection, err := o.factory.connection(false)
	if err != nil {
		return err
	}
	c, err := cluster.Open(connection)
	if err != nil {
		return err
	}
	installed, err := inventory.InstallCRD(ctx, c, o.force)
	if err != nil {
		return fmt.Errorf("install the definition of ResourceGroups: %w", err)
	}
	doc := struct {
		Server  string `json:"server"`
		Changed bool   `json:"changed"`
	}{c.Server(), installed}
	out := o.factory.world.streams.out
	switch {
	case o.output == formJSON:
		err = view.WriteJSON(out, doc)
	case o.output == formYAML:
		err = view.WriteYAML(out, doc)
	case installed:
		err = say(out, "The definition of ResourceGroups is installed in %s.", c.Server())
	default:
		err = say(out, "The definition of ResourceGroups in %s is up to date.", c.Server())
	}
	return toOutput(err)
}
