package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// patterns completes those of filters: refs of the configuration, and type: with a type.
func patterns(f *factory) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		const prefix = "type:"
		last := typed[strings.LastIndex(typed, ",")+1:]
		if strings.HasPrefix(last, prefix) {
			return after(typed, prefixed(prefix, kindNames())), cobra.ShellCompDirectiveNoFileComp
		}
		if last != "" && strings.HasPrefix(prefix, last) {
			return after(typed, append(declaredRefs(f, cmd, ""), prefix)), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return after(typed, declaredRefs(f, cmd, "")), cobra.ShellCompDirectiveNoFileComp
	}
}

// refs completes refs of the configuration, and behind a type and a colon those of its
// resources.
func refs(f *factory) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		kind, _, typedKind := strings.Cut(typed, ":")
		if typedKind {
			return harmless(prefixed(kind+":", declaredRefs(f, cmd, kind))), cobra.ShellCompDirectiveNoFileComp
		}
		return harmless(declaredRefs(f, cmd, "")), cobra.ShellCompDirectiveNoFileComp
	}
}

func prefixed(prefix string, values []string) []string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, prefix+v)
	}
	return out
}

// declaredRefs are the refs of the configuration, in order; those of one type where it
// is named.
func declaredRefs(f *factory, cmd *cobra.Command, kind string) []string {
	d := declaredBy(f, cmd)
	if d == nil {
		return nil
	}
	var out []string
	for _, r := range d.Set.Resources {
		if kind == "" || r.Type.Kind == kind {
			out = append(out, r.Ref)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// runs completes the ids of unfinished runs.
func runs(f *factory) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		f.flags = cmd.Flags()
		var out []string
		if found, err := f.host().Runs(); err == nil && len(args) == 0 {
			for _, run := range found {
				out = append(out, run.ID)
			}
		}
		return harmless(out), cobra.ShellCompDirectiveNoFileComp
	}
}
