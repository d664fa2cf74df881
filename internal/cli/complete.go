package cli

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
)

// Whoever presses a key waits at most this long.
const completionTime = 3 * time.Second

// Flags whose values name resources of the configuration.
var (
	patternFlags = []string{flagIgnore, flagIsolate}
	refFlags     = []string{"allow-replace", "allow-cascade", "write-secret"}
)

// addCompletions lets shells complete values of flags and arguments, also what depends
// on files and on Konnect. Only requests of shells need them. Mistakes
// are left for the command to report.
func addCompletions(f *factory, root *cobra.Command) {
	addChoices(root)
	for _, cmd := range append(descendants(root), root) {
		flags := cmd.Flags()
		register := func(name string, complete cobra.CompletionFunc) {
			if flags.Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, complete) // the flag is there
			}
		}
		for _, name := range patternFlags {
			register(name, patterns(f))
		}
		for _, name := range refFlags {
			register(name, refs(f))
		}
		register("discard", runs(f))
		register("require-namespace", namespaces(f))
		register("resources", listed(func() []string { return exportWords(f) }))
		register("allow-empty", listed(kindNames))
		register("profile", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return profileNames(f)(cmd, nil, "")
		})
		register("fault", faultValues)
		register("filter", filterValues)
		addKubeNames(f, register)
		addPlainValues(cmd)
		addPlainArguments(cmd)
	}
}

// descendants are all commands below one.
func descendants(cmd *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range cmd.Commands() {
		out = append(append(out, c), descendants(c)...)
	}
	return out
}

// listed completes the last of several values with commas between them.
func listed(values func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return after(typed, values()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// begun completes the last of several terms with commas between them, of words that each
// stand once; what follows a word is for people to type.
func begun(typed string, words []string) ([]string, cobra.ShellCompDirective) {
	given := strings.Split(typed, ",")
	left := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(given[:len(given)-1], func(term string) bool { return strings.HasPrefix(term, word) })
	})
	return after(typed, left), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// harmless are the candidates that a shell takes as they are: it does not quote what
// several of them have in common, and would run what stands in them.
func harmless(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return name == "" || strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:@+,=", r)
		})
	})
}

// after puts what was typed up to the last comma before values that do not stand there.
func after(typed string, values []string) []string {
	begin := typed[:strings.LastIndex(typed, ",")+1]
	given := strings.Split(begin, ",")
	out := make([]string, 0, len(values))
	for _, v := range values {
		if !slices.Contains(given, v) {
			out = append(out, begin+v)
		}
	}
	return harmless(once(out))
}

// once are candidates in their order, each one time.
func once(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		defer func() { seen[name] = true }()
		return seen[name]
	})
}

// declaredBy is the configuration that the flags name.
func declaredBy(f *factory, cmd *cobra.Command) *engine.Declared {
	f.flags = cmd.Flags()
	var s engine.Sources
	s.Files, _ = f.flags.GetStringArray("filename") // without the flag there are no files
	s.Dirs, _ = f.flags.GetStringArray("dir")
	s.Recursive, _ = f.flags.GetBool("recursive")
	s.Exclude, _ = f.flags.GetStringArray("exclude")
	s.BaseDir, _ = f.flags.GetString("base-dir")
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	d, err := declare(ctx, f, engine.PlanRequest{Sources: s})
	if err != nil {
		return nil // the command reports it
	}
	return d
}

// namespaces completes those of the configuration.
func namespaces(f *factory) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		d := declaredBy(f, cmd)
		if d == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return after(typed, d.Set.Namespaces), cobra.ShellCompDirectiveNoFileComp
	}
}
