package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// newHelpCmd shows help about a command or a topic. A word that is neither is an error.
func newHelpCmd(root *cobra.Command) *cobra.Command {
	help := &cobra.Command{
		Use:   "help [COMMAND… | TOPIC]",
		Short: "Show help about a command or a topic",
		Example: `  kongctl help plan
  kongctl help topics
  kongctl help exit-codes`,
		RunE: func(help *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			switch {
			case err == nil && len(rest) == 0:
				return cmd.Help()
			case topicNamed(help, args) != nil:
				return topicNamed(help, args).Help()
			case cmd != root || len(args) != 1:
				return noSubcommand(cmd, rest)
			default:
				return noHelp(root, args[0])
			}
		},
	}
	addTopics(help)
	help.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if cmd, rest, err := root.Find(args); err == nil && len(rest) == 0 {
			for _, c := range cmd.Commands() {
				if c.IsAvailableCommand() && c != help {
					out = append(out, c.Name()+"\t"+c.Short)
				}
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return help
}

// noHelp says which commands and topics there is help about: those that were probably
// meant, else all.
func noHelp(root *cobra.Command, word string) error {
	commands := commandNames(root)
	pages := []string{"topics"}
	for _, t := range topics() {
		pages = append(pages, t.name)
	}
	e := usagef("no help about %q: it is neither a command nor a topic", word)
	var meant []string
	for _, known := range [][]string{commands, pages} {
		if near := nearest(word, known); near != "" {
			meant = append(meant, root.Name()+" help "+near)
		}
	}
	if len(meant) > 0 {
		return e.WithHint("did you mean %s?", strings.Join(meant, " or "))
	}
	return e.WithHint("commands: %s; topics: %s", strings.Join(commands, ", "), strings.Join(pages, ", "))
}
