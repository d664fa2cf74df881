package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/kube/group"
	"github.com/kongctl/kongctl/internal/view"
)

func newLiveCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "live",
		Short: "Apply Kubernetes objects, and keep an inventory of them",
		Long: `Apply Kubernetes objects, and keep an inventory of them.

The objects come from a folder or from standard input: plain files, kustomize
build, helm template. A ResourceGroup, which is one small file, names the
inventory in the cluster that remembers what was applied. Objects that are no
longer declared are deleted from the cluster.`,
		Example: `  kongctl live init
  kongctl live apply
  kustomize build overlays/prod | kongctl live apply -
  kongctl live status --poll-until current`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	cmd.SetGlobalNormalizationFunc(liveFlagName)
	cmd.PersistentFlags().SortFlags = false
	addKube(cmd.PersistentFlags())
	cmd.AddCommand(
		newLiveInitCmd(f, nil),
		newLiveMigrateCmd(f, nil),
		newLiveApplyCmd(f, nil),
		newLiveDestroyCmd(f, nil),
		newLivePlanCmd(f, nil),
		newLiveDiffCmd(f, nil),
		newLiveStatusCmd(f, nil),
		newLiveInstallCmd(f, nil),
		newLiveInventoryCmd(f),
	)
	return cmd
}

// liveFlagName makes --rg another name of --rg-file.
func liveFlagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "rg" {
		name = "rg-file"
	}
	return pflag.NormalizedName(name)
}

// groupFlags say which file holds the ResourceGroup.
type groupFlags struct {
	file  string
	named bool // the flag was given
	dir   string
}

func (g *groupFlags) add(cmd *cobra.Command) {
	addGroupFile(cmd, &g.file, "file of the ResourceGroup (short: --rg): a bare name lies in DIR, a path counts from the current folder")
}

// addGroupFile adds the flag that names the file of the ResourceGroup.
func addGroupFile(cmd *cobra.Command, file *string, usage string) {
	*file = group.DefaultFile
	cmd.Flags().Var(&onceValue{to: file}, "rg-file", usage)
}

// onceValue is a flag that cannot be given twice with different values.
type onceValue struct {
	to    *string
	given bool
}

func (v *onceValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

// Set takes the value, unless there is another one.
func (v *onceValue) Set(text string) error {
	if v.given && *v.to != text {
		return fmt.Errorf("%s was given, too, and a run has one such file", *v.to)
	}
	*v.to, v.given = text, true
	return nil
}

// Type is what help and completion take the value for.
func (*onceValue) Type() string { return "string" }

// args takes the folder, and checks the flag.
func (g *groupFlags) args(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[1]).WithHint("name one folder.")
	}
	g.dir = "."
	if len(args) == 1 {
		g.dir = args[0]
	}
	if g.dir == "-" || g.dir == "" {
		return usagef("%s: %q is not a folder", cmd.CommandPath(), g.dir).WithHint("name the folder of the package.")
	}
	if g.named = cmd.Flags().Changed("rg-file"); g.file == "" {
		return usagef("invalid value \"\" for --rg-file: want the name of a file")
	}
	return nil
}

// place is where the files are.
func (g *groupFlags) place(f *factory) (group.Place, error) {
	work, err := f.absolute(".")
	if err != nil {
		return group.Place{}, err
	}
	dir, err := f.absolute(g.dir)
	if err != nil {
		return group.Place{}, err
	}
	return group.Place{Work: work, Dir: dir, File: group.Path(work, dir, g.file)}, nil
}

// checkNames refuses flags whose value cannot be part of a ResourceGroup.
func checkNames(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		flag := cmd.Flags().Lookup(name)
		if !flag.Changed {
			continue
		}
		if problem := group.Problem(name, flag.Value.String()); problem != "" {
			return usagef("invalid value %q for --%s: it %s", flag.Value, name, problem)
		}
	}
	return nil
}

// groupDocument is what init and migrate write for programs.
type groupDocument struct {
	// Result is written, migrated or nothing.
	Result      string `json:"result"`
	Reason      string `json:"reason,omitempty"`
	File        string `json:"file,omitempty"`
	Name        string `json:"name,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	InventoryID string `json:"inventory_id,omitempty"`
	DryRun      bool   `json:"dry_run,omitempty"`
}

// showGroup writes the line for people, or the document for programs.
func (f *factory) showGroup(form string, d groupDocument, line string) error {
	out := f.world.streams.out
	switch form {
	case formJSON:
		return toOutput(view.WriteJSON(out, d))
	case formYAML:
		return toOutput(view.WriteYAML(out, d))
	default:
		return toOutput(say(out, "%s", line))
	}
}

// groupWritten is the document of a group that was written.
func (f *factory) groupWritten(result string, w group.Written) groupDocument {
	for _, warning := range w.Warnings {
		_ = say(f.world.streams.err, "warning: %s.", warning) // where standard error is gone, there is nobody to tell
	}
	id, _ := group.InventoryID(w.Group) // it was checked before the file was written
	return groupDocument{Result: result, File: w.Path, Name: w.Group.Name, Namespace: w.Group.Namespace, InventoryID: id}
}
