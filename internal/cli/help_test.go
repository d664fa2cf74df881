package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachCommand calls do for each command that people see.
func eachCommand(t *testing.T, do func(*testing.T, *cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		t.Run(c.CommandPath(), func(t *testing.T) { do(t, c) })
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	root := newRootCmd(newConsole(t).factory)
	walk(root)
}

// verbs are the words that help begins with.
var verbs = []string{
	"Apply", "Call", "Check", "Compare", "Continue", "Create", "Delete", "Describe", "Draw", "Explain", "Forget", "Install", "List", "Log", "Make", "Mark", "Move", "Open", "Print", "Remove", "Repair", "Run", "Same",
	"Send", "Set", "Show", "Start", "Stop", "Write",
}

// TestHelpBeginsWithAVerb asserts how the texts of commands begin.
func TestHelpBeginsWithAVerb(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if !c.HasParent() {
			return // it says what the program is
		}
		word, _, _ := strings.Cut(c.Short, " ")
		if !slices.Contains(verbs, word) || strings.HasSuffix(c.Short, ".") {
			t.Errorf("short: %q", c.Short)
		}
		if first, _, _ := strings.Cut(c.Long, " "); c.Long != "" && !isTopic(c) && !slices.Contains(verbs, first) {
			t.Errorf("long: %q", first)
		}
	})
}

// quoted are words that a shell takes as one.
var quoted = regexp.MustCompile(`'[^']*'|"[^"$]*"`)

// TestExamples asserts that every command has three examples of itself, with flags
// that it has.
func TestExamples(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if isTopic(c) {
			return
		}
		n := 0
		for line := range strings.SplitSeq(c.Example, "\n") {
			line, _, _ = strings.Cut(quoted.ReplaceAllString(line, "text"), "  #")
			for part := range strings.SplitSeq(line, "|") {
				words := strings.Fields(strings.NewReplacer("<(", " ", "$(", " ", ")", " ", `"`, " ").Replace(part))
				if at := slices.Index(words, "kongctl"); at >= 0 {
					n += checkExample(t, c, words[at+1:])
				}
			}
		}
		if n < 3 {
			t.Errorf("%d examples:\n%s", n, c.Example)
		}
	})
}

// checkExample parses one call, and tells with 1 that it is one.
func checkExample(t *testing.T, of *cobra.Command, words []string) int {
	t.Helper()
	if at := slices.IndexFunc(words, func(w string) bool { return w == ">" || w == "<" || w == "&&" }); at >= 0 {
		words = words[:at]
	}
	cmd, rest, err := of.Root().Find(words)
	if err != nil {
		t.Errorf("%v: %v", words, err)
		return 0
	}
	for _, word := range rest {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case word == "--":
			return 1
		case strings.HasPrefix(word, "--") && findFlag(cmd, name) == nil:
			t.Errorf("%v: no flag --%s", words, name)
		case len(word) == 2 && word[0] == '-' && cmd.Flags().ShorthandLookup(name) == nil && cmd.InheritedFlags().ShorthandLookup(name) == nil:
			t.Errorf("%v: no flag -%s", words, name)
		}
	}
	return 1
}

func findFlag(cmd *cobra.Command, name string) *pflag.Flag {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f
	}
	return cmd.InheritedFlags().Lookup(name)
}

// TestFlagsHaveGroups asserts that flags of several commands stand in a group, and
// that every name in the list of groups is that of a flag.
func TestFlagsHaveGroups(t *testing.T) {
	seen := map[string]int{}
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		titles, groups := flagGroups(c)
		for _, title := range titles {
			if !slices.Contains(ranks, title) {
				t.Errorf("the group %q has no place", title)
			}
		}
		if bare := groups[""]; bare != nil {
			bare.VisitAll(func(f *pflag.Flag) { seen[f.Name]++ })
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if groupOf[f.Name] != "" {
				seen[f.Name] = -1
			}
		})
	})
	for name, commands := range seen {
		if commands > 6 && name != "help" {
			t.Errorf("--%s has no group in %d commands", name, commands)
		}
	}
	for name := range groupOf {
		if seen[name] == 0 {
			t.Errorf("no command has --%s", name)
		}
	}
}

// TestTopics asserts that each topic of help is found, and says what it is about.
func TestTopics(t *testing.T) {
	for _, topic := range topics() {
		c := newConsole(t)
		c.want(exitDone, "help", topic.name)
		if out := c.out.String(); len(strings.Split(out, "\n")) < 10 || strings.Contains(out, "Usage:") {
			t.Errorf("%s:\n%s", topic.name, out)
		}
	}
	c := newConsole(t)
	c.want(exitDone, "help", "topics")
	if !strings.Contains(c.out.String(), "kongctl help exit-codes") {
		t.Error(c.out.String())
	}
	newConsole(t).want(exitUsage, "help", "nosuch")
}
