package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/observe"
	"github.com/kongctl/kongctl/internal/kube/ready"
)

// Where the inventories are named.
const (
	inventoryLocal  = "local"
	inventoryRemote = "remote"
)

type liveStatusOptions struct {
	factory                     *factory
	input                       liveInput
	steps                       stepOutput
	until, kind                 string
	timeout                     time.Duration
	names, namespaces, statuses []string
	named                       string // the inventory that files name
}

func newLiveStatusCmd(f *factory, runF func(context.Context, *liveStatusOptions) error) *cobra.Command {
	o := &liveStatusOptions{factory: f}
	o.input.objects.destroy = true // nothing that is declared counts but the inventory
	cmd := &cobra.Command{
		Use:   "status [DIR | -]",
		Short: "Show the statuses of the objects of an inventory, and wait for them",
		Long: `Show the statuses of the objects of an inventory, and wait for them.

The objects are those that the inventory in the cluster lists. --poll-until says
how long they are watched:

  known     until the status of each is known: it is read once
  current   until all are ready
  deleted   until none exists any more
  forever   until interrupted

With --inv-type remote, all inventories of the cluster are shown; no files are
read. If --timeout ends the wait, the exit status is 1.`,
		Example: `  kongctl live status
  kongctl live status --poll-until current --timeout 5m
  kongctl live status --inv-type remote --statuses InProgress,Failed`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	flags := cmd.Flags()
	o.input.add(cmd)
	flags.StringVar(&o.until, "poll-until", observe.Known, "when to stop: known, current, deleted or forever")
	flags.DurationVar(&o.timeout, "timeout", 0, "maximum time to wait; 0 waits until interrupted")
	flags.StringVar(&o.kind, "inv-type", inventoryLocal, "where to look for inventories: local (files) or remote (the cluster)")
	flags.StringSliceVar(&o.names, "inv-names", nil, "with --inv-type remote: only inventories with these names")
	flags.StringSliceVar(&o.namespaces, "namespaces", nil, "only objects in these namespaces")
	flags.StringSliceVar(&o.statuses, "statuses", nil, "show only these statuses: Current, InProgress, Failed, Terminating, NotFound, Unknown")
	choose(flags, "statuses", ready.Current, ready.InProgress, ready.Failed, ready.Terminating, ready.NotFound, ready.Unknown)
	choose(flags, "poll-until", observe.Until()...)
	choose(flags, "inv-type", inventoryLocal, inventoryRemote)
	o.steps.add(cmd)
	return cmd
}

func (o *liveStatusOptions) start(cmd *cobra.Command, runF func(context.Context, *liveStatusOptions) error) (err error) {
	if o.until, err = oneOf("poll-until", o.until, observe.Until()...); err != nil {
		return err
	}
	if o.kind, err = oneOf("inv-type", o.kind, inventoryLocal, inventoryRemote); err != nil {
		return err
	}
	for i, s := range o.statuses {
		if o.statuses[i], err = oneOf("statuses", s, ready.Current, ready.InProgress, ready.Failed, ready.Terminating, ready.NotFound, ready.Unknown); err != nil {
			return err
		}
	}
	switch {
	case o.kind == inventoryLocal && len(o.names) > 0:
		return usagef("--inv-names is for inventories of the cluster").WithHint("add --inv-type remote.")
	case o.kind == inventoryRemote && (o.input.given || cmd.Flags().Changed("rg-file")):
		return usagef("--inv-type remote reads no files").WithHint("leave out the folder and --rg-file.")
	case o.timeout < 0:
		return usagef("invalid value %q for --timeout: must not be negative", o.timeout)
	}
	if err := o.input.objects.check(cmd); err != nil {
		return err
	}
	if err := o.steps.choose(o.factory); err != nil {
		return err
	}
	if runF == nil {
		runF = liveStatusRun
	}
	return runF(cmd.Context(), o)
}

func liveStatusRun(ctx context.Context, o *liveStatusOptions) error {
	f := o.factory
	d := newDisplay(f)
	defer d.close()
	if err := o.input.objects.prepare(f, &o.input.sources); err != nil {
		return err
	}
	c, err := cluster.Open(f.kube.Connection)
	if err != nil {
		return err
	}
	found, err := o.inventories(ctx, c, d)
	if err != nil {
		return err
	}
	d.pause()
	in, objects := map[object.ID]*inventory.Inventory{}, []object.ID(nil)
	for _, i := range found {
		for _, e := range i.Entries {
			if len(o.namespaces) == 0 || slices.Contains(o.namespaces, e.Namespace) {
				in[e.ID], objects = i, append(objects, e.ID)
			}
		}
	}
	if len(objects) == 0 {
		return o.nothing(found)
	}
	o.steps.statuses = true
	o.steps.start(f, d, false)
	err = observe.Watch{
		Connection: c, Objects: objects, Until: o.until, Timeout: o.timeout, After: f.world.after,
		Status: func(id object.ID, s ready.State) {
			if len(o.statuses) == 0 || slices.Contains(o.statuses, s.Status) {
				d.do(func() { o.steps.progress.Line(statusLine(in[id], id, s)) })
			}
		},
	}.Run(ctx)
	d.close()
	if err == nil {
		err = toOutput(o.steps.progress.Failed())
	}
	return err
}
