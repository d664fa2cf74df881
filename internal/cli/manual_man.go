package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPages are the pages for man: kongctl.1, kongctl-plan.1 and so on.
func manPages(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	described(root, func(cmd *cobra.Command) { pages[manName(cmd)+".1"] = manPage(cmd) })
	for _, t := range topics() {
		pages[root.Name()+"-"+t.name+".1"] = manTopic(root, t)
	}
	return pages
}

// manTopic is the page of a topic of help.
func manTopic(root *cobra.Command, t topic) string {
	var b strings.Builder
	writeManTitle(&b, root.Name()+"-"+t.name, t.about)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", roff(root.Name()+" help "+t.name))
	b.WriteString(".SH DESCRIPTION\n" + manText(t.text()))
	writeManAlso(&b, []string{root.Name()})
	return b.String()
}

// writeManTitle writes how a page is called, and what it is about.
func writeManTitle(b *strings.Builder, name, about string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"kongctl %s\"\n", strings.ToUpper(roff(name)), version)
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", roff(name), roff(about))
}

// writeManAlso writes which other pages there are.
func writeManAlso(b *strings.Builder, names []string) {
	b.WriteString(".SH SEE ALSO\n")
	for i, name := range names {
		end := ","
		if i == len(names)-1 {
			end = ""
		}
		fmt.Fprintf(b, ".BR %s (1)%s\n", roff(name), end)
	}
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the page of a command, in the macros of man.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	writeManTitle(&b, manName(cmd), cmd.Short)
	titles, groups := flagGroups(cmd) // first: then the line of usage knows all flags
	usage := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		usage = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", roff(usage))
	b.WriteString(".SH DESCRIPTION\n" + manText(longText(cmd)))
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n" + manBlock(unindented(cmd.Example)))
	}
	writeManCommands(&b, cmd)
	for _, title := range titles {
		b.WriteString(".SH " + strings.ToUpper(roff(strings.TrimSpace(title+" flags"))) + "\n")
		groups[title].VisitAll(func(f *pflag.Flag) { writeManFlag(&b, f) })
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, manName(cmd.Parent()))
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			also = append(also, manName(below))
		}
	}
	if !cmd.HasParent() {
		for _, t := range topics() {
			also = append(also, cmd.Name()+"-"+t.name)
		}
	}
	writeManAlso(&b, also)
	return b.String()
}

func writeManCommands(b *strings.Builder, cmd *cobra.Command) {
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(below.Name()), manLine(below.Short))
		}
	}
}

func writeManFlag(b *strings.Builder, f *pflag.Flag) {
	value, text := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "false", "0", "0s", "[]":
	default:
		text += " (default " + f.DefValue + ")"
	}
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), manLine(text))
}

// manText makes paragraphs of a text of --help; indented lines are a block.
func manText(text string) string {
	var b strings.Builder
	for _, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(part, "  ") {
			b.WriteString(manBlock(unindented(part)))
			continue
		}
		b.WriteString(".PP\n")
		for line := range strings.Lines(part) {
			b.WriteString(manLine(strings.TrimSuffix(line, "\n")) + "\n")
		}
	}
	return b.String()
}

// manBlock is text whose lines stay as they are.
func manBlock(text string) string {
	var b strings.Builder
	b.WriteString(".PP\n.nf\n")
	for _, line := range strings.Split(text, "\n") {
		b.WriteString(manLine(line) + "\n")
	}
	return b.String() + ".fi\n"
}

// roff escapes what the formatter would take for its own.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
}

// manLine is a line of text: one that begins like a request must not be one.
func manLine(text string) string {
	text = roff(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
