package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/group"
)

type liveMigrateOptions struct {
	factory         *factory
	group           groupFlags
	name, namespace string
	force, dryRun   bool
	output          string
}

func newLiveMigrateCmd(f *factory, runF func(context.Context, *liveMigrateOptions) error) *cobra.Command {
	o := &liveMigrateOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "migrate [DIR]",
		Short: "Move the inventory of a Kptfile to a ResourceGroup",
		Long: `Move the inventory of a Kptfile to a ResourceGroup.

No cluster is needed, and none is changed: the ResourceGroup names the same
inventory. The section inventory is removed from the Kptfile; all else in it stays
as it is. Both files are written, or none. Where there is nothing to migrate, the
exit status is 0. An existing file is not overwritten without --force (exit status
7).`,
		Example: `  kongctl live migrate
  kongctl live migrate my-package --dry-run
  kongctl live migrate --rg-file=chart/templates/resourcegroup.yaml`,
		Args: o.group.args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = liveMigrateRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.name, "name", "", "name of the ResourceGroup (default: that of the inventory)")
	flags.StringVarP(&o.namespace, "namespace", "n", "", "namespace of the ResourceGroup (default: that of the inventory)")
	o.group.add(cmd)
	flags.BoolVar(&o.force, "force", false, "overwrite the file, and allow a name or namespace that differs from the inventory")
	flags.BoolVar(&o.dryRun, "dry-run", false, "check everything, without writing anything")
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func (o *liveMigrateOptions) check(cmd *cobra.Command) error {
	if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
		return err
	}
	return checkNames(cmd, "name", "namespace")
}

func liveMigrateRun(_ context.Context, o *liveMigrateOptions) error {
	place, err := o.group.place(o.factory)
	if err != nil {
		return err
	}
	m := &group.Migration{Place: place, Name: o.name, Namespace: o.namespace, Force: o.force}
	written, reason, err := m.Prepare()
	if err != nil {
		return fmt.Errorf("live migrate: %w", err)
	}
	if reason != "" {
		return o.factory.showGroup(o.output, groupDocument{Result: "nothing", Reason: reason}, "Nothing to migrate: "+reason+".")
	}
	words := "The inventory of %s was moved to %s (%s)."
	if o.dryRun {
		words = "Dry run: the inventory of %s would be moved to %s (%s)."
	} else if err := m.Run(); err != nil {
		return fmt.Errorf("live migrate: %w", err)
	}
	document := o.factory.groupWritten("migrated", written)
	document.DryRun = o.dryRun
	return o.factory.showGroup(o.output, document, fmt.Sprintf(words, m.Kptfile(), written.Path, written.Group))
}
