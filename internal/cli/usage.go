package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupNote is the annotation of flags that stand under a title of their own.
const groupNote = "group"

// The titles of groups of flags.
const (
	groupKonnect    = "Konnect"
	groupGateway    = "Gateway"
	groupKubernetes = "Kubernetes"
	groupGlobal     = "Global"
)

// titled puts flags under a title.
func titled(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, groupNote, []string{title}) // whoever groups a flag has added it
	}
}

// usage shows how a command is called: its flags by group.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", title, text)
		}
	}
	b.WriteString("Usage:")
	if cmd.Runnable() {
		b.WriteString("\n  " + cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n  " + cmd.CommandPath() + " [command]")
	}
	b.WriteString("\n")
	if len(cmd.Aliases) > 0 {
		section("Aliases", "  "+cmd.NameAndAliases())
	}
	section("Examples", cmd.Example)
	var commands []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			commands = append(commands, fmt.Sprintf("  %-*s %s", c.NamePadding(), c.Name(), c.Short))
		}
	}
	section("Available Commands", strings.Join(commands, "\n"))
	titles, groups := flagGroups(cmd)
	for _, title := range titles {
		section(strings.TrimSpace(title+" Flags"), strings.TrimRight(groups[title].FlagUsages(), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse %q for more information about a command.\n", cmd.CommandPath()+" [command] --help")
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// flagGroups are the flags of a command by title: those without one first, those
// of the program last.
func flagGroups(cmd *cobra.Command) (titles []string, groups map[string]*pflag.FlagSet) {
	groups = map[string]*pflag.FlagSet{}
	add := func(title string) func(*pflag.Flag) {
		return func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if note := f.Annotations[groupNote]; len(note) > 0 {
				title = note[0]
			}
			if groups[title] == nil {
				groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
				groups[title].SortFlags = cmd.Flags().SortFlags
				titles = append(titles, title)
			}
			groups[title].AddFlag(f)
		}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { add("")(f) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { add(groupGlobal)(f) })
	rank := []string{"", groupParents, groupKonnect, groupGateway, groupKubernetes, groupGlobal}
	slices.SortStableFunc(titles, func(a, b string) int { return slices.Index(rank, a) - slices.Index(rank, b) })
	return titles, groups
}
