package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/group"
)

type liveInitOptions struct {
	factory             *factory
	group               groupFlags
	name, namespace, id string
	force               bool
	output              string
}

func newLiveInitCmd(f *factory, runF func(context.Context, *liveInitOptions) error) *cobra.Command {
	o := &liveInitOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a ResourceGroup, which names a new inventory",
		Long: `Write a ResourceGroup, which names a new inventory.

No cluster is needed, and none is changed. The file belongs to the objects: keep
it in their folder, in kustomize's resources, or in the templates of a chart, and
apply finds it. An existing file is not overwritten without --force (exit status
7). --inventory-id continues an inventory that exists in the cluster; without it
the id is NAME-NAMESPACE. kpt needs the id in the file.`,
		Example: `  kongctl live init
  kongctl live init --name shop --namespace platform
  kongctl live init --rg-file=chart/templates/resourcegroup.yaml`,
		Args: o.group.args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = liveInitRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.name, "name", "", "name of the ResourceGroup (default inventory- and 8 digits)")
	flags.StringVarP(&o.namespace, "namespace", "n", group.DefaultNamespace, "namespace of the ResourceGroup; never taken from the kubeconfig")
	flags.StringVar(&o.id, "inventory-id", "", "id of the inventory (default: NAME-NAMESPACE, not written to the file)")
	o.group.add(cmd)
	flags.BoolVar(&o.force, "force", false, "overwrite the file")
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func (o *liveInitOptions) check(cmd *cobra.Command) error {
	if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
		return err
	}
	return checkNames(cmd, "name", "namespace", "inventory-id")
}

func liveInitRun(_ context.Context, o *liveInitOptions) error {
	name := o.name
	if name == "" {
		digits, err := rand.Int(o.factory.world.random, big.NewInt(100_000_000))
		if err != nil {
			return fmt.Errorf("live init: %w", err)
		}
		name = fmt.Sprintf("inventory-%08d", digits)
	}
	made := name + "-" + o.namespace
	if problem := group.Problem("inventory-id", made); problem != "" && o.id == "" {
		return usagef("the inventory id %q, made of name and namespace, %s", made, problem).WithHint("give a shorter one with --inventory-id.")
	}
	place, err := o.group.place(o.factory)
	if err != nil {
		return err
	}
	written, err := place.Init(group.File{Name: name, Namespace: o.namespace, ID: o.id}, o.group.named, o.force)
	if err != nil {
		return fmt.Errorf("live init: %w", err)
	}
	return o.factory.showGroup(o.output, o.factory.groupWritten("written", written), fmt.Sprintf("%s written to %s.", written.Group, written.Path))
}
