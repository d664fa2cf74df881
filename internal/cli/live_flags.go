package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// fieldManager is what owns the fields that are applied.
const fieldManager = "kongctl"

// objectFlags say which inventory, and how objects are applied and deleted.
type objectFlags struct {
	groupFile string
	named     bool   // the file was given
	dir       string // that the file lies in, where it is a bare name
	stdin     bool   // objects come from standard input
	destroy   bool
	// client leaves the server out of a dry run.
	client bool

	policy, manager, propagation, statusPolicy string
	forceConflicts, split, install, noInstall  bool
	reconcileTimeout, deleteTimeout            time.Duration
	// reconcileGiven and deleteGiven say which time limits hold for a saved plan, too.
	reconcileGiven, deleteGiven bool
	limit                       int
}

// addTo adds the flags to a verb that is not of Kubernetes alone.
func (o *objectFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.addGroupFile(cmd)
	o.addPolicy(cmd)
	o.addApply(cmd)
	o.addDelete(cmd, "prune")
	titled(flags, groupKubernetes, "inventory-policy")
	addKube(flags)
}

// addGroupFile adds the flag that names the ResourceGroup.
func (o *objectFlags) addGroupFile(cmd *cobra.Command) {
	addGroupFile(cmd, &o.groupFile, "file of the ResourceGroup (short: --rg): a bare name lies in the folder of the objects, a path counts from the current folder")
}

// addPolicy adds the flag for objects of other inventories.
func (o *objectFlags) addPolicy(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.policy, "inventory-policy", object.Strict, "objects that the inventory does not own: strict refuses them, adopt takes those that no inventory owns, force-adopt takes all")
	choose(cmd.Flags(), "inventory-policy", object.Strict, object.Adopt, object.ForceAdopt)
}

// addApply adds what the verbs that apply have.
func (o *objectFlags) addApply(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.addFields(cmd)
	o.addReconcileTimeout(cmd)
	flags.StringVar(&o.statusPolicy, "status-policy", "all", "statuses in the inventory: all or none")
	choose(flags, "status-policy", "all", "none")
	o.addSplit(cmd)
}

// addFields adds what says whose fields are.
func (o *objectFlags) addFields(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.manager, "field-manager", fieldManager, "owner of the fields that are applied")
	flags.BoolVar(&o.forceConflicts, "force-conflicts", false, "take over fields that other managers own")
}

// addReconcileTimeout adds the time limit for applied objects.
func (o *objectFlags) addReconcileTimeout(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&o.reconcileTimeout, "reconcile-timeout", 0, "how long to wait for an applied object to become ready; 0 waits until interrupted")
}

// addSplit adds the flags for large inventories.
func (o *objectFlags) addSplit(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.split, "inventory-split", false, "split an inventory that is too large for one object")
	flags.IntVar(&o.limit, "inventory-limit", 0, "maximum number of entries per object of a split inventory; 0 means as many as fit")
	_ = flags.MarkHidden("inventory-limit") // it was added just above
}

// addInstall adds the flag for the definition of inventories.
func (o *objectFlags) addInstall(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.install, "install-resource-group", true, "install or update the definition of ResourceGroups if needed")
}

// addDelete adds the flags for deletes, which are called after what deletes.
func (o *objectFlags) addDelete(cmd *cobra.Command, word string) {
	flags := cmd.Flags()
	flags.StringVar(&o.propagation, word+"-propagation-policy", "Background", "deletion propagation for dependents: Background, Foreground or Orphan")
	choose(flags, word+"-propagation-policy", "Background", "Foreground", "Orphan")
	flags.DurationVar(&o.deleteTimeout, word+"-timeout", 0, "how long to wait for a deleted object to disappear; 0 waits until interrupted")
}

// check refuses values that mean nothing.
func (o *objectFlags) check(cmd *cobra.Command) (err error) {
	flags := cmd.Flags()
	if o.named = flags.Changed("rg-file"); o.named && o.groupFile == "" {
		return usagef(`invalid value "" for --rg-file: want the name of a file`)
	}
	o.noInstall = flags.Lookup("install-resource-group") != nil && !o.install
	if flags.Lookup("inventory-policy") != nil {
		if o.policy, err = oneOf("inventory-policy", o.policy, object.Strict, object.Adopt, object.ForceAdopt); err != nil {
			return err
		}
	}
	if flags.Lookup("status-policy") != nil {
		if o.statusPolicy, err = oneOf("status-policy", o.statusPolicy, "all", "none"); err != nil {
			return err
		}
	}
	if flags.Lookup("field-manager") != nil && (o.manager == "" || len(o.manager) > 128) {
		return usagef("invalid value %q for --field-manager: want 1 to 128 characters", o.manager)
	}
	for _, word := range []string{"prune", "delete"} {
		if flags.Lookup(word+"-propagation-policy") == nil {
			continue
		}
		if o.propagation, err = oneOf(word+"-propagation-policy", o.propagation, "Background", "Foreground", "Orphan"); err != nil {
			return err
		}
	}
	for _, name := range []string{"reconcile-timeout", "prune-timeout", "delete-timeout"} {
		if flag := flags.Lookup(name); flag != nil && flag.Value.String()[0] == '-' {
			return usagef("invalid value %q for --%s: must not be negative", flag.Value, name)
		}
	}
	o.reconcileGiven = flags.Changed("reconcile-timeout")
	o.deleteGiven = flags.Changed("prune-timeout") || flags.Changed("delete-timeout")
	if o.limit < 0 || o.limit > 0 && !o.split {
		return usagef("--inventory-limit is for --inventory-split")
	}
	return nil
}

// options are how objects are applied and deleted.
func (o *objectFlags) options() object.Options {
	out := object.Options{
		Manager: o.manager, ForceConflicts: o.forceConflicts, Policy: o.policy, Propagation: o.propagation,
		ReconcileTimeout: o.reconcileTimeout, DeleteTimeout: o.deleteTimeout,
		NoStatus: o.statusPolicy == "none", NoInstall: o.noInstall, Split: o.split, Limit: o.limit,
	}
	if out.Manager == "" {
		out.Manager = fieldManager
	}
	if out.Policy == "" {
		out.Policy = object.Strict
	}
	if out.Propagation == "" {
		out.Propagation = "Background"
	}
	return out
}
