package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/pattern"
)

// What shells offer as the value of flags that have no completion of their own.
var (
	// fileFlags name files.
	fileFlags = []string{
		"filename", "ignore-file", "plan", "against", "inverse", "merge", "report", "output-file", "execution-report-file", writeGenerated, "policy", "sign", "verify-key",
		"config-file", "log-file", "body-file", "seed", "state", "rg-file", "kubeconfig", "fn-config", "exec",
	}
	folderFlags = []string{"dir", "split-dir", "results-dir", "remote-file-save-dir", "base-dir", "data"}
	// freeFlags take what a shell cannot know: texts, times, addresses, expressions.
	freeFlags = []string{
		"base-url", "base-auth-url", "addr", "server", "pat", "machine-client-id", "auth-path", "token-path", "refresh-path",
		"name", "namespace", "namespaces", "default-namespace", "exclude", "columns", "jq", "selector", "value", "image", "fault-on",
		"latency", "rate", "lag", "max-age", "max-deletes", "expires-in", "request-timeout", "http-retry-initial-interval", "http-retry-max-interval",
		"field-manager", "inv-names", "inventory-id",
	}
	freeTypes = []string{"int", "uint64", "float64", "duration"}
	// freeSuffixes are the ends of flags that name one of many resources or objects.
	freeSuffixes = []string{"-name", "-id", "-email", "-key", "-type", "-kind", "-namespace", "-api-version", "-labels", "-annotations"}
)

// addPlainValues says for the flags of a command that have no completion whether shells
// offer files, folders or nothing.
func addPlainValues(cmd *cobra.Command) {
	add := func(flag *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(flag.Name); known || flag.NoOptDefVal != "" {
			return
		}
		switch {
		case slices.Contains(fileFlags, flag.Name):
		case slices.Contains(folderFlags, flag.Name):
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, onlyFolders) // the flag is there
		case isFree(flag):
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.NoFileCompletions) // the flag is there
		}
	}
	cmd.Flags().VisitAll(add)
	cmd.PersistentFlags().VisitAll(add)
}

// isFree reports whether a flag takes what a shell cannot know.
func isFree(flag *pflag.Flag) bool {
	return slices.Contains(freeTypes, flag.Value.Type()) || slices.Contains(freeFlags, flag.Name) ||
		slices.ContainsFunc(freeSuffixes, func(end string) bool { return strings.HasSuffix(flag.Name, end) })
}

var (
	usedWords  = pattern.New(` \[([a-z]+(?:\|[a-z]+)+)\]$`)
	usedFolder = pattern.New(`\bDIR\b`)
	usedFile   = pattern.New(`\b(FILE|PATCHFILE|RULESET)\b`)
)

// addPlainArguments says for a command without a completion of its arguments what
// shells offer: the words or the folders that its usage names, files, or nothing.
func addPlainArguments(cmd *cobra.Command) {
	if cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 {
		return
	}
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	switch words := usedWords.FindStringSubmatch(cmd.Use); {
	case words != nil:
		cmd.ValidArgsFunction = orSources(strings.Split(words[1], "|"))
	case usedFolder.MatchString(arguments):
		cmd.ValidArgsFunction = onlyFolders
	case !usedFile.MatchString(arguments):
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// onlyFolders leaves it to the shell, which offers folders.
func onlyFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// orSources completes one of a few words, and files where -f has named the first one.
func orSources(words []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		out := words
		if slices.ContainsFunc(args, func(arg string) bool { return slices.Contains(words, arg) }) {
			out = nil
		}
		if flag := cmd.Flags().Lookup("filename"); flag != nil && flag.Changed {
			return out, cobra.ShellCompDirectiveDefault
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
