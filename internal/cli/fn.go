package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/function"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/terminal"
)

func newFnCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fn",
		Short: "Run functions over Kubernetes objects in files",
		Long: `Run functions over Kubernetes objects in files.

A function is a program that reads a ResourceList from standard input and writes
one to standard output (KRM functions). Documents that no function changed keep
their bytes. A ResourceGroup is never given to a function and never changed.`,
		Example: `  kongctl fn eval my-package --exec ./set-labels -- team=web
  kongctl fn render my-package --allow-exec
  kongctl fn source my-package | ./set-labels | kongctl fn sink labelled`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(newFnSourceCmd(f, nil), newFnSinkCmd(f, nil), newFnEvalCmd(f, nil), newFnRenderCmd(f, nil))
	return cmd
}

// The forms of output of fn; anything else is a folder.
const (
	fnStdout = "stdout"
	fnUnwrap = "unwrap"
	stdin    = "-"
)

// fnFlags are what eval and render share.
type fnFlags struct {
	output, resultsDir string
	timeout            time.Duration
}

func (o *fnFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	addFnOutput(cmd, &o.output, "stdout (a ResourceList), unwrap (documents) or a new folder, instead of changing files in place")
	flags.StringVar(&o.resultsDir, "results-dir", "", "folder for results.yaml, which holds the results of all functions")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "time limit for each function; 0 means no limit")
}

// addFnOutput adds --output, whose values are not those of other commands.
func addFnOutput(cmd *cobra.Command, output *string, usage string) {
	addOutput(cmd, output, usage)
	cmd.Flags().Lookup("output").Annotations = map[string][]string{choicesOfFlag: {fnStdout, fnUnwrap}}
}

// check refuses flags that make no sense for what is read: a folder, or -.
func (o *fnFlags) check(f *factory, from string) error {
	if slices.Contains([]string{formText, formJSON, formYAML}, o.output) {
		return usagef("invalid value %q for --output: use stdout, unwrap or a folder", o.output).WithHint("write ./%s for a folder of this name.", o.output)
	}
	if o.timeout < 0 {
		return usagef("--timeout %s: must not be negative", o.timeout)
	}
	if o.toFolder() {
		return checkOutputFolder(f, o.output, from)
	}
	return nil
}

// checkOutputFolder refuses a folder that holds something, and one that the next
// run would read, too.
func checkOutputFolder(f *factory, name, from string) error {
	dir, err := fnFolder(f, name)
	if err != nil {
		return err
	}
	if from != stdin {
		read, err := fnFolder(f, from)
		if err != nil {
			return err
		}
		if dir.Below(read) {
			return usagef("--output %s: the folder is inside of %s, which is read", name, from).WithHint("name a folder that is outside of it.")
		}
	}
	return outputProblem(function.CheckOutput(dir))
}

// fnFolder is a folder as people name it.
func fnFolder(f *factory, name string) (function.Folder, error) {
	path, err := f.absolute(name)
	return function.Folder{Path: path, Shown: name}, err
}

// toFolder reports whether the output is a new folder.
func (o *fnFlags) toFolder() bool {
	return o.output != "" && o.output != fnStdout && o.output != fnUnwrap
}

// outputProblem says what to do about a folder that holds something.
func outputProblem(err error) error {
	if errors.Is(err, function.ErrNotEmpty) {
		return fmt.Errorf("%w; name a new folder", err)
	}
	return err
}

// openPackage reads a folder, or standard input.
func openPackage(f *factory, from string, o function.Options) (*function.Package, error) {
	if from == stdin {
		if f.world.streams.inTerminal {
			return nil, usagef("standard input is a terminal").WithHint("pipe objects into the command, or name a folder.")
		}
		return function.Read(f.world.streams.in, "standard input")
	}
	dir, err := fnFolder(f, from)
	if err != nil {
		return nil, err
	}
	p, err := function.Open(dir, o)
	if err != nil {
		return nil, err
	}
	for _, name := range p.Skipped {
		_ = say(f.world.streams.err, "warning: %s is a symbolic link and was not read", name)
	}
	return p, nil
}

// functionRunner runs programs in the current folder, without our credentials.
func functionRunner(f *factory, timeout time.Duration) (*function.Runner, error) {
	dir, err := f.world.workDir()
	if err != nil {
		return nil, err
	}
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	token := s.String(profile.Token)
	env := slices.DeleteFunc(f.world.environ(), func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		return plan.IsCredential(name) || token != "" && (value == token || len(token) >= 8 && strings.Contains(value, token))
	})
	return &function.Runner{Dir: dir, Env: env, Timeout: timeout, Stderr: f.world.streams.err}, nil
}

// showOutcome says what a function did.
func showOutcome(f *factory, o function.Outcome) {
	w := f.world.streams.err
	name := o.Program
	if o.Folder != "" {
		name = o.Folder + ": " + name
	}
	if o.Err == nil {
		var done []string
		for _, c := range []struct {
			n    int
			word string
		}{{o.Changed, "changed"}, {o.Added, "added"}, {o.Removed, "removed"}} {
			if c.n > 0 {
				done = append(done, fmt.Sprintf("%d %s", c.n, c.word))
			}
		}
		text := plural(o.Given, "object", "objects")
		if len(done) > 0 && !o.Validator {
			text += ", " + strings.Join(done, ", ")
		}
		_ = say(w, "%s: %s", name, text)
		if len(done) > 0 && o.Validator {
			_ = say(w, "warning: %s is a validator, so what it changed is dropped: %s; list it under mutators to keep that", name, strings.Join(done, ", "))
		}
	}
	for _, r := range o.Results {
		_, _ = fmt.Fprintf(w, "%s: %s\n", terminal.Line(r.Severity), terminal.Block(r.String()))
	}
}
