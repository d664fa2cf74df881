package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/function"
)

type fnEvalOptions struct {
	factory *factory
	fnFlags
	from           string // a folder, or -
	exec, image    string
	fnConfig       string
	match, exclude function.Selector
	meta           bool
	pairs          []string
}

func newFnEvalCmd(f *factory, runF func(context.Context, *fnEvalOptions) error) *cobra.Command {
	o := &fnEvalOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "eval [DIR | -] --exec PROGRAM [-- KEY=VALUE…]",
		Short: "Run one function over the objects of a folder or of standard input",
		Long: `Run one function over the objects of a folder or of standard input.

Files change in place, each as a whole, and only when the function succeeds: its
exit status is 0 and none of its results is an error. From standard input the
result goes to standard output. KEY=VALUE pairs are handed to the function as a
ConfigMap.

The program runs with your rights, in the current folder, and without kongctl's
tokens in its environment. It gets no ResourceGroup, and may not make one.`,
		Example: `  kongctl fn eval my-package --exec ./set-labels -- team=web
  kongctl fn eval my-package --exec "./check --strict" --match-kind Deployment
  kustomize build overlay | kongctl fn eval - --exec ./set-labels -o unwrap | kongctl live apply -`,
		Args: o.arguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = fnEvalRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.exec, "exec", "", "program to run, with arguments as in a shell")
	flags.StringVarP(&o.image, "image", "i", "", "")
	_ = flags.MarkHidden("image") // the flag was just added; it has an error of its own
	flags.StringVar(&o.fnConfig, "fn-config", "", "file with the configuration of the function")
	o.add(cmd)
	addMetaResources(cmd, &o.meta)
	addSelector(cmd, &o.match, "match", "give the function only objects with this %s")
	addSelector(cmd, &o.exclude, "exclude", "do not give the function objects with this %s")
	return cmd
}

// addSelector adds the flags of a selector.
func addSelector(cmd *cobra.Command, s *function.Selector, verb, usage string) {
	flags := cmd.Flags()
	text := func(what string) string { return fmt.Sprintf(usage, what) }
	flags.StringVar(&s.APIVersion, verb+"-api-version", "", text("apiVersion"))
	flags.StringVar(&s.Kind, verb+"-kind", "", text("kind"))
	flags.StringVar(&s.Name, verb+"-name", "", text("name"))
	flags.StringVar(&s.Namespace, verb+"-namespace", "", text("namespace"))
	flags.StringToStringVar(&s.Labels, verb+"-labels", nil, text("label, as key=value; may be repeated"))
	flags.StringToStringVar(&s.Annotations, verb+"-annotations", nil, text("annotation, as key=value; may be repeated"))
}

// arguments takes the folder, and the pairs after two dashes.
func (o *fnEvalOptions) arguments(cmd *cobra.Command, args []string) error {
	o.from = "."
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		args, o.pairs = args[:at], args[at:]
	}
	switch len(args) {
	case 0:
		return nil
	case 1:
		o.from = args[0]
		return nil
	default:
		return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[1]).WithHint("name one folder or -; arguments of the function follow --.")
	}
}

func (o *fnEvalOptions) check(cmd *cobra.Command) error {
	switch flags := cmd.Flags(); {
	case flags.Changed("image"):
		return usagef("--image: kongctl runs no containers").WithHint("name a program with --exec, or run the image with kpt fn eval.")
	case o.exec == "":
		return usagef("%s: no function is named", cmd.CommandPath()).WithHint("name a program with --exec.")
	case o.fnConfig != "" && len(o.pairs) > 0:
		return usagef("--fn-config and arguments after -- exclude each other").WithHint("a function has one configuration.")
	}
	return o.fnFlags.check(o.factory, o.from)
}

func fnEvalRun(ctx context.Context, o *fnEvalOptions) error {
	f := o.factory
	call := function.Function{Exec: o.exec, Exclude: []function.Selector{o.exclude}}
	if !o.match.Empty() {
		call.Match = []function.Selector{o.match}
	}
	var err error
	switch {
	case o.fnConfig != "":
		call.Config, err = readFnConfig(f, o.fnConfig)
	case len(o.pairs) > 0:
		if call.Config, err = function.NewConfig(o.pairs); err != nil {
			err = usagef("arguments of the function: %v", err).WithHint("write them as key=value after --.")
		}
	}
	if err != nil {
		return err
	}
	runner, err := functionRunner(f, o.timeout)
	if err != nil {
		return err
	}
	p, err := openPackage(f, o.from, function.Options{Meta: o.meta})
	if err != nil {
		return err
	}
	outcome := p.Eval(ctx, runner, call)
	showOutcome(f, outcome)
	return o.finish(ctx, f, p, o.from, []function.Outcome{outcome}, outcome.Err)
}
