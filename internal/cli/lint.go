package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/lint"
	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/view"
)

type lintOptions struct {
	factory      *factory
	state        string
	ruleset      string
	failSeverity string
	onlyFailures bool
	format       string // the older name of output, with other keys
	output       string
	outputFile   string
}

// lintError says that rules are broken.
type lintError struct {
	count int
	bound string
}

func (e *lintError) Error() string {
	return fmt.Sprintf("%s of severity %s or above", plural(e.count, "finding", "findings"), e.bound)
}

const formPlain = "plain"

const aboutLint = `Check a YAML or JSON file by the rules of a ruleset.

A ruleset has the form of Spectral: each rule has a given (JSONPath), a then with a
function, and a severity. Nothing but the two files is read.

  rules:
    https-only:
      description: Services use https
      given: $.services[*].url
      severity: error
      then:
        function: pattern
        functionOptions: {match: "^https://"}

The exit status is 4 if there is a finding of --fail-severity or above.`

func newLintCmd(f *factory, runF func(context.Context, *lintOptions) error) *cobra.Command {
	o := &lintOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "lint [-s FILE|-] RULESET",
		Short: "Check a file by the rules of a ruleset",
		Long:  aboutLint,
		Example: `  kongctl lint -s kong.yaml ruleset.yaml
  kongctl lint -s kong.yaml ruleset.yaml --fail-severity warn --display-only-failures
  kongctl lint -s kong.yaml ruleset.yaml -o sarif > lint.sarif
  cat kong.yaml | kongctl lint ruleset.yaml -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.read(cmd, args); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return lintRun(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.state, "state", "s", stdin, "file to check; - is standard input")
	flags.StringVarP(&o.failSeverity, "fail-severity", "F", string(lint.Error), "fail on findings of this severity or above: error, warn, info or hint")
	choose(flags, "fail-severity", string(lint.Error), string(lint.Warn), string(lint.Info), string(lint.Hint))
	flags.BoolVarP(&o.onlyFailures, "display-only-failures", "D", false, "show only findings of --fail-severity or above")
	flags.StringVar(&o.format, "format", "", "plain, json or yaml: like -o, with the keys Message, Severity, Line, Column and Path")
	choose(flags, "format", formPlain, formJSON, formYAML)
	offer(cmd, &o.output, " (default text)", []string{formText, formJSON, formYAML, formSARIF, formJUnit, formCodeQuality})
	flags.StringVar(&o.outputFile, "output-file", stdin, "file to write to; - is standard output")
	return cmd
}

func (o *lintOptions) read(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s: takes one ruleset, got %d", cmd.CommandPath(), len(args)).WithHint("name the file to check with -s.")
	}
	o.ruleset = args[0]
	if err := checkForm(cmd, o.output); err != nil {
		return err
	}
	switch {
	case !slices.Contains(lint.Severities(), lint.Severity(o.failSeverity)):
		return usagef("invalid value %q for --fail-severity: use error, warn, info or hint", o.failSeverity)
	case o.state == "", o.outputFile == "":
		return usagef("%s: a file without a name", cmd.CommandPath())
	case o.state == stdin && o.ruleset == stdin:
		return usagef("%s: standard input can be read once", cmd.CommandPath())
	case o.format != "" && o.output != "":
		return usagef("--format and --output exclude each other")
	}
	switch o.format {
	case "", formPlain:
		return nil
	case formJSON, formYAML:
		return cmd.Flags().Set("output", o.format) // errors are in that form, too
	default:
		return usagef("invalid value %q for --format: use plain, json or yaml", o.format)
	}
}

func lintRun(ctx context.Context, o *lintOptions) error {
	raw, err := readArgument(ctx, o.factory, o.ruleset)
	if err != nil {
		return err
	}
	rules, err := lint.Load(o.ruleset, raw)
	if err != nil {
		return err
	}
	data, err := readArgument(ctx, o.factory, o.state)
	if err != nil {
		return err
	}
	docs, err := node.Parse(o.state, data)
	if err != nil {
		return err
	}
	found, err := rules.Lint(o.state, docs)
	if err != nil {
		return err
	}
	result := view.NewLint(found, lint.Severity(o.failSeverity), o.onlyFailures)
	var verdict error
	if result.Fail > 0 {
		verdict = &lintError{result.Fail, o.failSeverity}
		result.Error, result.Diagnostics = failure(o.factory, verdict), result.Findings()
	}
	annotate(o.factory, result.Findings())
	if err := o.write(result); err != nil {
		return err
	}
	return verdict
}

// write writes the result to where it is wanted.
func (o *lintOptions) write(result view.Lint) error {
	f := o.factory
	s := *f.world.streams
	var b bytes.Buffer
	style := f.outStyle()
	if o.outputFile != stdin {
		s.out, style = &b, view.Style{}
	}
	if err := o.show(&s, style, result); err != nil || o.outputFile == stdin {
		return err
	}
	return writeResult(f, o.outputFile, b.Bytes())
}

func (o *lintOptions) show(s *streams, style view.Style, result view.Lint) error {
	switch o.output {
	case formSARIF, formJUnit, formCodeQuality:
		return writeFindingsTo(o.factory, s.out, o.output, view.Findings{Diagnostics: result.Findings(), Error: result.Error})
	case formJSON, formYAML:
		if o.format != "" {
			return s.document(o.output, result.Compatible())
		}
		return s.document(o.output, result)
	default:
		return toOutput(result.WriteText(s.out, style))
	}
}
