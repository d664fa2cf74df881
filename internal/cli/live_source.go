package cli

import (
	"github.com/spf13/cobra"
)

// kubeTypes is what --allow-empty calls all kinds of Kubernetes.
const kubeTypes = "k8s"

// checkAllowEmpty refuses any other kind.
func checkAllowEmpty(types []string) error {
	for _, t := range types {
		if t != kubeTypes {
			return usagef("invalid value %q for --allow-empty: use %s", t, kubeTypes)
		}
	}
	return nil
}

// liveInput is where the verbs take objects from: a folder, or standard input.
type liveInput struct {
	sources sourceFlags
	objects objectFlags
	given   bool // on the command line
}

// args reads [DIR | -].
func (i *liveInput) args(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[1]).WithHint("name one folder, or - for standard input.")
	}
	if len(args) == 1 && (args[0] == "client" || args[0] == "server") && cmd.Flags().Changed("dry-run") {
		return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[0]).WithHint("write --dry-run=%s.", args[0])
	}
	from := "."
	if len(args) == 1 {
		from, i.given = args[0], true
	}
	switch from {
	case "":
		return usagef("%s: the name of the folder is empty", cmd.CommandPath())
	case "-":
		i.sources.Files, i.objects.stdin = []string{"-"}, true
	default:
		i.sources.Dirs, i.objects.dir = []string{from}, from
	}
	return nil
}

// add adds the flags for sources.
func (i *liveInput) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	i.objects.addGroupFile(cmd)
	flags.StringArrayVar(&i.sources.Exclude, "exclude", nil, "exclude matching files and folders, in gitignore syntax (also: .kongctlignore); may be repeated")
}
