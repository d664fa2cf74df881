package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/view"
)

// inventory is the one that files name.
func (f *factory) inventory(ctx context.Context, s sourceFlags, d *display) (object.Inventory, error) {
	e, err := f.openEngine(engineOptions{sink: d.sink})
	if err != nil {
		return object.Inventory{}, err
	}
	return e.Inventory(ctx, engine.Sources(s))
}

func newLiveInventoryCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inventory",
		Short: "Repair the inventory in the cluster",
		Example: `  kongctl live inventory rebuild
  kongctl live inventory rebuild my-package --dry-run
  kongctl live inventory rebuild my-package --context prod`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(newLiveRebuildCmd(f, nil))
	return cmd
}

type liveRebuildOptions struct {
	factory *factory
	input   liveInput
	dryRun  bool
	output  string
}

func newLiveRebuildCmd(f *factory, runF func(context.Context, *liveRebuildOptions) error) *cobra.Command {
	o := &liveRebuildOptions{factory: f}
	o.input.objects.destroy = true // nothing that is declared counts but the inventory
	cmd := &cobra.Command{
		Use:   "rebuild [DIR | -]",
		Short: "Write a lost inventory again, from the objects that name it",
		Long: `Write a lost inventory again, from the objects that name it.

Every object that was applied names its inventory (annotation ` + object.Owner + `).
All kinds of the cluster are searched for it, which needs the right to list them;
what could not be listed is reported, and the exit status is 5. What is left of the
inventory stays in it. No object is changed.`,
		Example: `  kongctl live inventory rebuild
  kongctl live inventory rebuild my-package --dry-run
  kongctl live inventory rebuild my-package --context prod`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if err := o.input.objects.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = liveRebuildRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	o.input.add(cmd)
	o.input.objects.addSplit(cmd)
	flags.BoolVar(&o.dryRun, "dry-run", false, "show what would be written, without writing it")
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

// rebuiltDocument is what rebuild did, for programs.
type rebuiltDocument struct {
	Inventory string   `json:"inventory"`
	ID        string   `json:"inventory_id"`
	Entries   int      `json:"entries"`
	Found     []string `json:"found"`
	Added     []string `json:"added"`
	Unread    []string `json:"unread"`
	DryRun    bool     `json:"dry_run"`
}

// errUnread is how rebuild says that objects may be missing.
var errUnread = errors.New("live inventory rebuild: some kinds could not be listed, and the inventory may lack objects of them")

func liveRebuildRun(ctx context.Context, o *liveRebuildOptions) error {
	f := o.factory
	d := newDisplay(f)
	defer d.close()
	if err := o.input.objects.prepare(f, &o.input.sources); err != nil {
		return err
	}
	named, err := f.inventory(ctx, o.input.sources, d)
	if err != nil {
		return err
	}
	d.close()
	c, err := cluster.Open(f.kube.Connection)
	if err != nil {
		return err
	}
	options := o.input.objects.options()
	r, err := inventory.Rebuild(ctx, c, &inventory.Inventory{
		Name: named.Name, Namespace: named.Namespace, ID: named.ID, Labels: named.Labels, Annotations: named.Annotations,
	}, inventory.SaveOptions{Split: options.Split, Limit: inventory.Limit{Entries: options.Limit}, DryRun: o.dryRun})
	if err != nil {
		return fmt.Errorf("live inventory rebuild: %w", err)
	}
	if err := o.show(named.ID, r); err != nil {
		return err
	}
	if len(r.Unread) > 0 {
		return errUnread
	}
	return nil
}

// show writes what was found.
func (o *liveRebuildOptions) show(id string, r *inventory.Rebuilt) error {
	out := o.factory.world.streams.out
	doc := rebuiltDocument{Inventory: r.Inventory.String(), ID: id, Entries: len(r.Inventory.Entries), Found: []string{}, Added: []string{}, Unread: []string{}, DryRun: o.dryRun}
	for _, id := range r.Found {
		doc.Found = append(doc.Found, id.String())
	}
	for _, id := range r.Added {
		doc.Added = append(doc.Added, id.String())
	}
	for _, u := range r.Unread {
		doc.Unread = append(doc.Unread, u.String())
	}
	switch o.output {
	case formJSON:
		return toOutput(view.WriteJSON(out, doc))
	case formYAML:
		return toOutput(view.WriteYAML(out, doc))
	}
	for _, name := range doc.Added {
		if err := say(out, "added %s", name); err != nil {
			return toOutput(err)
		}
	}
	for _, what := range doc.Unread {
		_ = say(o.factory.world.streams.err, "warning: could not list %s", what) // where standard error is gone, there is nobody to tell
	}
	if len(doc.Found) == 0 && r.Inventory.UID == "" {
		return toOutput(say(out, "No object names the inventory %s (id %s), and it is not in the cluster: nothing to rebuild.", doc.Inventory, doc.ID))
	}
	verb := "written"
	if o.dryRun {
		verb = "not written (dry run)"
	}
	return toOutput(say(out, "Inventory %s %s: %s, %d added.", doc.Inventory, verb, plural(doc.Entries, "object", "objects"), len(doc.Added)))
}
