package cli

import (
	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
)

// The forms of output.
const (
	formText     = "text"
	formJSON     = "json"
	formYAML     = "yaml"
	formMarkdown = "markdown"
	formHTML     = "html"
	formDOT      = "dot"
	formJSONL    = "jsonl"
	formSARIF    = "sarif"
	formJUnit    = "junit"

	formCodeQuality = "codequality"
	formMermaid     = "mermaid"
	formSVG         = "svg"
)

// The forms of plans, and of reports on runs.
var (
	planForms   = []string{formText, formJSON, formYAML, formMarkdown, formHTML, formSARIF, formJUnit, formCodeQuality}
	driftForms  = []string{formText, formJSON, formYAML, formMarkdown}
	reportForms = []string{formText, formJSON, formYAML, formJSONL, formMarkdown}
)

// isDocument reports whether standard output is one document, for programs or for
// a page, and so nothing else may be written there.
func isDocument(form string) bool {
	switch form {
	case formJSON, formYAML, formMarkdown, formHTML, formJSONL, formSARIF, formJUnit, formCodeQuality:
		return true
	default:
		return false
	}
}

// offer adds the flag that picks a form of output. More is said behind the forms.
func offer(cmd *cobra.Command, form *string, more string, forms []string) {
	addOutput(cmd, form, diag.Join(forms, "or")+more)
	choose(cmd.Flags(), "output", forms...)
}

// checkForm refuses a form that the command does not offer.
func checkForm(cmd *cobra.Command, form string) error {
	return checkOutput(form, cmd.Flags().Lookup("output").Annotations[choicesOfFlag]...)
}

func addOutput(cmd *cobra.Command, form *string, usage string) {
	cmd.Flags().StringVarP(form, "output", "o", "", usage)
}
