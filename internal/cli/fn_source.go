package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/function"
)

type fnSourceOptions struct {
	factory  *factory
	dirs     []string
	output   string
	fnConfig string
	meta     bool
}

func newFnSourceCmd(f *factory, runF func(context.Context, *fnSourceOptions) error) *cobra.Command {
	o := &fnSourceOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "source [DIR…]",
		Short: "Print the objects of folders as a ResourceList",
		Long: `Print the objects of folders as a ResourceList.

Annotations say which file each object is from, so that sink can write it back.
With several folders, the paths begin with the name of the folder.
Folders whose name begins with a dot, symbolic links and what a .krmignore file
lists (gitignore syntax) are left out. A ResourceGroup never is in a ResourceList.`,
		Example: `  kongctl fn source my-package
  kongctl fn source my-package | ./my-function | kongctl fn sink result
  kongctl fn source my-package -o unwrap | kongctl live apply -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.dirs = args; len(args) == 0 {
				o.dirs = []string{"."}
			}
			if o.output != "" && o.output != fnStdout && o.output != fnUnwrap {
				return usagef("invalid value %q for --output: use %s", o.output, diag.Join([]string{fnStdout, fnUnwrap}, "or")).WithHint("fn sink writes a ResourceList to a folder.")
			}
			if runF == nil {
				runF = fnSourceRun
			}
			return runF(cmd.Context(), o)
		},
	}
	addFnOutput(cmd, &o.output, "stdout (a ResourceList) or unwrap (documents) (default stdout)")
	cmd.Flags().StringVar(&o.fnConfig, "fn-config", "", "file with the function configuration of the ResourceList")
	addMetaResources(cmd, &o.meta)
	return cmd
}

func addMetaResources(cmd *cobra.Command, meta *bool) {
	cmd.Flags().BoolVarP(meta, "include-meta-resources", "m", false, "include Kptfiles and the function configurations that they name; never a ResourceGroup")
}

func fnSourceRun(_ context.Context, o *fnSourceOptions) error {
	var all *function.Package
	for _, dir := range o.dirs {
		p, err := openPackage(o.factory, dir, function.Options{Meta: o.meta})
		if err != nil {
			return err
		}
		if len(o.dirs) > 1 {
			p.Prefix()
		}
		if all == nil {
			all = p
			continue
		}
		if err := all.Add(p); err != nil {
			return err
		}
	}
	if o.fnConfig != "" {
		config, err := readFnConfig(o.factory, o.fnConfig)
		if err != nil {
			return err
		}
		all.SetConfig(config)
	}
	return writePackage(o.factory, all, o.output, o.dirs[0])
}

// readFnConfig reads the file that a flag names.
func readFnConfig(f *factory, name string) (*function.Config, error) {
	path, err := f.absolute(name)
	if err != nil {
		return nil, err
	}
	config, err := function.OpenConfig(path, name)
	if err != nil {
		return nil, fmt.Errorf("--fn-config: %w", err)
	}
	return config, nil
}
