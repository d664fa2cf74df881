package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/konnect/export"
)

// pickFlags say what to choose of what exists.
type pickFlags struct {
	filters  []string
	name, id string
}

func (f *pickFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.filters, "filter", nil, "export only what matches, such as 'name=dev-*,label.team=web'; may be repeated")
	flags.StringVar(&f.name, "filter-name", "", "export only resources with this name; * and ? are wildcards")
	flags.StringVar(&f.id, "filter-id", "", "export only the resource with this id")
}

// filterValues completes what a filter can be about, and types behind type=.
func filterValues(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	const byType = "type="
	if strings.HasPrefix(typed[strings.LastIndex(typed, ",")+1:], byType) {
		return after(typed, prefixed(byType, kindNames())), cobra.ShellCompDirectiveNoFileComp
	}
	return begun(typed, export.FilterWords())
}

// parse reads the filters. --filter-name and --filter-id narrow all of them.
func (f *pickFlags) parse(cmd *cobra.Command) ([]export.Filter, error) {
	flags := cmd.Flags()
	if flags.Changed("filter-name") && flags.Changed("filter-id") {
		return nil, usagef("--filter-name and --filter-id exclude each other")
	}
	var out []export.Filter
	for _, text := range f.filters {
		filter, err := export.ParseFilter(text)
		if err != nil {
			return nil, usagef("--filter %s: %v", text, err).WithHint("for example --filter 'name=dev-*,label.team=web'")
		}
		out = append(out, filter)
	}
	if f.name == "" && f.id == "" {
		return out, nil
	}
	if len(out) == 0 {
		out = []export.Filter{{}}
	}
	for i := range out {
		if f.name != "" {
			out[i].Name = f.name
		}
		if f.id != "" {
			out[i].ID = f.id
		}
	}
	return out, nil
}

// exportWords are the words of types that can be exported.
func exportWords(f *factory) []string {
	cat, err := f.catalog()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(rootWords(), func(word string) bool { return !export.Knows(cat, word) })
}
