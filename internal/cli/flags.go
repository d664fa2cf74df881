package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
)

// sourceFlags say where the configuration is.
type sourceFlags engine.Sources

func (s *sourceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	// Not StringSlice: commas are taken apart by source, which knows files
	// whose name has one.
	flags.StringArrayVarP(&s.Files, "filename", "f", nil, "file, folder, pattern, URL or - with configuration; may be repeated, and further files may follow (default: the current folder)")
	flags.StringArrayVar(&s.Dirs, "dir", nil, "folder with configuration, including its subfolders; may be repeated")
	flags.BoolVarP(&s.Recursive, "recursive", "R", false, "also read the subfolders of folders given with -f")
	flags.StringArrayVar(&s.Exclude, "exclude", nil, "exclude matching files and folders, in gitignore syntax (also: .kongctlignore); may be repeated")
	flags.StringVar(&s.SaveDir, "remote-file-save-dir", "", "folder to keep what was read from URLs in")
	flags.StringVar(&s.BaseDir, "base-dir", "", "folder that !file paths must stay inside; with --plan, another folder that the plan may read files from")
}

// readsStdin tells that standard input is configuration.
func (s *sourceFlags) readsStdin() bool {
	for _, value := range s.Files {
		if slices.Contains(strings.Split(value, ","), "-") {
			return true
		}
	}
	return false
}

// modeFlags say how plan and diff compare.
type modeFlags struct {
	mode      string
	applyOnly bool
}

func (m *modeFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&m.mode, "mode", string(plan.ModeSync), "sync (delete what is managed and not declared), apply (never delete) or delete (delete what is declared)")
	flags.BoolVar(&m.applyOnly, "apply-only", false, "same as --mode apply")
}

func (m *modeFlags) plan(cmd *cobra.Command) (plan.Mode, error) {
	switch mode := plan.Mode(m.mode); {
	case mode != plan.ModeSync && mode != plan.ModeApply && mode != plan.ModeDelete:
		return "", usagef("invalid value %q for --mode: use sync, apply or delete", m.mode)
	case m.applyOnly && cmd.Flags().Changed("mode") && mode != plan.ModeApply:
		return "", usagef("--apply-only and --mode %s exclude each other", m.mode)
	case m.applyOnly:
		return plan.ModeApply, nil
	default:
		return mode, nil
	}
}

// checkOutput refuses an unknown form; "" stands for the verb's own choice.
func checkOutput(form string, known ...string) error {
	if form == "" || slices.Contains(known, form) {
		return nil
	}
	return usagef("invalid value %q for --output: use %s", form, diag.Join(known, "or"))
}

// addMaxAge adds a flag whose value is a setting: the factory finds it.
func addMaxAge(cmd *cobra.Command) {
	cmd.Flags().String("max-age", "", "refuse a saved plan that is older than this, such as 7d or 12h; 0 means no limit (default 7d)")
}

// The answers to a decK that fails.
const (
	gatewayAbort    = "abort"
	gatewayContinue = "continue"
)

// addGatewayFailure adds the flag that says whether a run continues when decK fails.
func addGatewayFailure(cmd *cobra.Command, answer *string) {
	cmd.Flags().StringVar(answer, "on-deck-failure", gatewayAbort, "abort the run when decK fails, or continue with what does not depend on it")
	titled(cmd.Flags(), groupGateway, "on-deck-failure")
}

func checkGatewayFailure(answer string) error {
	if answer != gatewayAbort && answer != gatewayContinue {
		return usagef("invalid value %q for --on-deck-failure: use abort or continue", answer)
	}
	return nil
}

// addGateway adds the flags that say how decK is run. Their values are settings:
// the factory finds them.
func addGateway(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("deck-mode", engine.GatewayNative, "how to run decK: native (in process) or cli (with the deck binary)")
	flags.String("deck-path", "", "the deck binary for --deck-mode cli (default: deck on PATH)")
	_ = cobra.MarkFlagFilename(flags, "deck-path") // it was added just above
	titled(flags, groupGateway, "deck-mode", "deck-path")
}

// choices are the values of flags that take one of a few.
var choices = map[string][]string{
	"mode":            {string(plan.ModeSync), string(plan.ModeApply), string(plan.ModeDelete)},
	"prune":           {engine.PruneFull, engine.PruneDeclared, engine.PruneNone},
	"output":          {formText, formJSON, formYAML},
	"region":          profile.Regions(),
	"on-drift":        {driftAbort, driftSkip},
	"on-deck-failure": {gatewayAbort, gatewayContinue},
	"deck-mode":       {engine.GatewayNative, engine.GatewayCLI},
	"log-level":       {"trace", "debug", "info", "warn", "error"},
	"log-format":      {"text", "json"},
	"exit-codes":      {exitsDetailed, exitsSimple},
	"login-store":     {storeAuto, auth.InKeyring, auth.InFile},
	"annotations":     {annotateAuto, annotateGitHub, annotateNone},
}

// addVerifyKey adds a flag whose value is a setting: the factory finds it.
func addVerifyKey(cmd *cobra.Command) {
	cmd.Flags().String("verify-key", "", "refuse a saved plan that is not signed with this key (ed25519 public key, PEM)")
}

// excludedByPlan are the flags that a saved plan has answered already.
var excludedByPlan = []string{
	"filename", "dir", "recursive", "exclude", "allow-replace", "allow-empty", "allow-cascade", "write-secret", "write-secrets", "require-namespace", "require-any-namespace", "mode", "apply-only",
	"rg-file", "inventory-policy", "field-manager", "force-conflicts", "prune-propagation-policy", "status-policy", "inventory-split", "no-prune",
	"ignore-refs", "isolate-refs", "ignore-file", "fail-on-no-match", "allow-pending-external", "check-external-ids", "include-deck",
}

// boundsOfPlan are the flags that bound what a saved plan may delete when it is carried
// out.
var boundsOfPlan = []string{"prune", "max-deletes"}

// checkPlanFlag refuses flags that a saved plan has answered already.
func checkPlanFlag(cmd *cobra.Command, file string, more ...string) error {
	if cmd.Flags().Lookup("plan") == nil {
		return nil // resume: its plan is in the journal
	}
	if !cmd.Flags().Changed("plan") {
		for _, name := range []string{"verify-key", "max-age"} {
			if cmd.Flags().Changed(name) {
				return usagef("--%s checks a saved plan", name).WithHint("name it with --plan.")
			}
		}
		return nil
	}
	if file == "" {
		return usagef("--plan: no file is named")
	}
	for _, name := range append(more, excludedByPlan...) {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			return usagef("--plan and --%s exclude each other", name).WithHint("a saved plan is carried out as it is.")
		}
	}
	return nil
}
