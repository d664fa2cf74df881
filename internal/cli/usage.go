package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/terminal"
)

// usage shows how a command is called: its flags by group.
func usage(cmd *cobra.Command, width int) error {
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
	section("Commands", strings.Join(commands, "\n"))
	titles, groups := flagGroups(cmd)
	for _, title := range titles {
		section(flagTitle(title), strings.TrimRight(groups[title].FlagUsagesWrapped(width), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse %q for more information about a command.\n", cmd.CommandPath()+" [command] --help")
	}
	if !cmd.HasParent() {
		fmt.Fprintf(&b, "Use %q for settings, exit status, the language and plans.\n", cmd.Name()+" help topics")
	}
	return writeWrapped(cmd.OutOrStderr(), b.String(), width)
}

// flagTitle is what stands above a group of flags.
func flagTitle(group string) string {
	if group == "" {
		return "Flags"
	}
	return group + " flags"
}

// writeWrapped writes text that is wrapped where it does not fit.
func writeWrapped(w io.Writer, text string, width int) error {
	_, err := terminal.NewWrapper(w, func() int { return width }).Write([]byte(text))
	return err
}

// help shows what a command is for, and how it is called. Its paragraphs are
// written for 80 columns.
func help(cmd *cobra.Command, width int) error {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	text = strings.TrimRight(text, " \n")
	if width > 0 && width < 82 {
		text = reflowed(text, width)
	}
	if _, err := io.WriteString(cmd.OutOrStdout(), text+"\n\n"); err != nil || isTopic(cmd) || (!cmd.Runnable() && !cmd.HasSubCommands()) {
		return err
	}
	return usage(cmd, width)
}

// reflowed fills the lines of paragraphs; lines that are indented stay by
// themselves.
func reflowed(text string, width int) string {
	var out []string
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			filled := terminal.Wrap(strings.Join(paragraph, " "), width)
			out = append(out, strings.ReplaceAll(filled, "\n  ", "\n"))
		}
		paragraph = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			out = append(out, terminal.Wrap(line, width))
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(out, "\n")
}
