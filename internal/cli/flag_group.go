package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupNote is the annotation of flags that stand under a title of their own.
const groupNote = "group"

// The titles of groups of flags.
const (
	groupSources    = "Source"
	groupScope      = "Scope and safety"
	groupOutput     = "Output"
	groupConnection = "Connection"
	groupGateway    = "Gateway"
	groupKubernetes = "Kubernetes"
	groupAdvanced   = "Advanced"
	groupGlobal     = "Global"
)

// ranks is the order of the groups; flags of one command alone come first.
var ranks = []string{"", groupSources, groupParents, groupScope, groupOutput, groupConnection, groupGateway, groupKubernetes, groupAdvanced, groupGlobal}

// groupOf are the groups of flags that several commands share.
var groupOf = grouped(map[string][]string{
	groupSources: {"filename", "dir", "recursive", "exclude", "base-dir", "remote-file-save-dir", "plan", "resources", "filter", "filter-id", "filter-name"},
	groupScope: {
		"mode", "apply-only", "prune", "no-prune", "max-deletes", "allow-empty", "allow-replace", "allow-cascade", "allow-partial", "allow-pending-external", "skip-blocked",
		"ignore-refs", "isolate-refs", "ignore-file", "require-namespace", "require-any-namespace", "on-drift", "verify", "verify-key", "max-age", "policy", "dry-run", "auto-approve", "write-secret",
		"write-secrets", "sign", "inventory-policy", "check-external-ids", "fail-on-no-match", "overwrite",
	},
	groupOutput: {
		"output", "output-file", "jq", "raw-output", "columns", "diff-context", "full-diff", "detailed-exitcode", "execution-report-file", "no-pager", "show-diff", "show-status-events", "split-dir",
	},
	groupKubernetes: {
		"rg-file", "field-manager", "force-conflicts", "inventory-split", "prune-propagation-policy", "prune-timeout", "delete-propagation-policy", "delete-timeout", "reconcile-timeout", "status-policy",
		"server-side", "install-resource-group",
	},
	groupAdvanced: {
		"max-concurrency", "no-cache", "no-lock", "http-retry-max-attempts", "http-retry-initial-interval", "http-retry-max-interval", "http-retry-backoff-factor", "machine-client-id", "auth-path", "token-path",
		"refresh-path", "base-auth-url",
	},
})

// grouped turns groups of names into names with their group.
func grouped(groups map[string][]string) map[string]string {
	out := map[string]string{}
	for title, names := range groups {
		for _, name := range names {
			out[name] = title
		}
	}
	return out
}

// titled puts flags under a title.
func titled(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, groupNote, []string{title}) // whoever groups a flag has added it
	}
}

// flagGroups are the flags of a command by title: those without one first, those
// of the program last.
func flagGroups(cmd *cobra.Command) (titles []string, groups map[string]*pflag.FlagSet) {
	groups = map[string]*pflag.FlagSet{}
	add := func(title string, f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if groups[title] == nil {
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = cmd.Flags().SortFlags
			titles = append(titles, title)
		}
		groups[title].AddFlag(f)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := groupOf[f.Name]
		if note := f.Annotations[groupNote]; len(note) > 0 {
			title = note[0]
		}
		add(title, f)
	})
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { add(groupGlobal, f) })
	slices.SortStableFunc(titles, func(a, b string) int { return slices.Index(ranks, a) - slices.Index(ranks, b) })
	return titles, groups
}
