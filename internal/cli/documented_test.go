package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// documents are the files that show commands: pages, pipelines, and examples with
// a line in a comment.
var documents = regexp.MustCompile(`(\.(md|ya?ml)|Jenkinsfile)$`)

// TestDocumentedCommands asserts that every command in documents and examples
// exists, and has the flags that it is shown with.
func TestDocumentedCommands(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	seen := 0
	for _, top := range []string{"../../README.md", "../../CONTRIBUTING.md", "../../docs", "../../examples"} {
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !documents.MatchString(name) || strings.Contains(name, "/adr/") || strings.Contains(name, "/docs/cli/") {
				return err // decisions are of their time, and docs/cli is generated
			}
			raw, err := os.ReadFile(name)
			code := filepath.Ext(name) != ".md"
			for i, line := range strings.Split(string(raw), "\n") {
				if strings.HasPrefix(line, "```") {
					code = !code
				}
				for _, words := range shownCommands(line, code) {
					seen++
					if problem := wrongCommand(root, words); problem != "" {
						t.Errorf("%s:%d: kongctl %s: %s", strings.TrimPrefix(name, "../../"), i+1, strings.Join(words, " "), problem)
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 200 {
		t.Errorf("only %d commands were found: has their form changed?", seen)
	}
}

var (
	// codeForm is where a command begins in code: a line, a prompt, a pipe, quotes, a
	// list or a substitution. In prose it stands in backticks.
	codeForm  = regexp.MustCompile(`(?:^\s*|['(#] ?|[$|] |&& |- |run: )kongctl (.+)`)
	proseForm = regexp.MustCompile("`kongctl ([^`]+)`")
	wordForm  = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	// endForm ends the words of a command.
	endForm = regexp.MustCompile(`^(\||\|\||&&|;|#|>.*|<.*|2>.*|\\|and|or)$`)
)

// shownCommands are the words of the commands in a line of a document.
func shownCommands(line string, code bool) [][]string {
	form := proseForm
	if code {
		form = codeForm
	}
	var out [][]string
	for _, m := range form.FindAllStringSubmatch(line, -1) {
		var words []string
		for _, word := range wordForm.FindAllString(m[1], -1) {
			if endForm.MatchString(word) {
				break
			}
			last := strings.TrimRight(word, "`'),;.:\"")
			words = append(words, strings.Trim(last, `"'`))
			if last != word && !strings.HasPrefix(word, `"`) && !strings.HasPrefix(word, "'") {
				break // the end of a quotation, or of a sentence
			}
		}
		out = append(out, words)
	}
	return out
}

// wrongCommand says what is wrong with a command, or "".
func wrongCommand(root *cobra.Command, words []string) string {
	cmd := root
	if len(words) > 0 && words[0] == "help" {
		return "" // of a command, or of a topic
	}
	for len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		next := below(cmd, words[0])
		if next == nil {
			break
		}
		cmd, words = next, words[1:]
	}
	if cmd == root && len(words) > 0 && regexp.MustCompile(`^[a-z]`).MatchString(words[0]) && !strings.Contains(words[0], "|") {
		return fmt.Sprintf("unknown command %q", words[0])
	}
	cmd.InheritedFlags() // now the command knows all flags
	for _, word := range words {
		name, _, _ := strings.Cut(strings.Trim(word, "[]…"), "=")
		switch {
		case name == "--":
			return ""
		case name == "--help" || name == "-h" || name == "--version" || name == "-v":
		case strings.HasPrefix(name, "--") && regexp.MustCompile(`^--[a-z][a-z-]+$`).MatchString(name):
			if cmd != root && cmd.Flags().Lookup(name[2:]) == nil {
				return "no flag " + name
			}
		case regexp.MustCompile(`^-[a-zA-Z]$`).MatchString(name):
			if cmd != root && cmd.Flags().ShorthandLookup(name[1:]) == nil {
				return "no flag " + name
			}
		}
	}
	return ""
}

func below(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

func TestWrongCommands(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	for _, row := range [][2]string{
		{"`kongctl help plan`", ""},
		{"$ kongctl plan -f a.yaml --local | cat", ""},
		{"helm template x | kongctl live apply - --prune-timeout 2m", ""},
		{"run `kongctl sync --nothing`, and then", "no flag --nothing"},
		{"`kongctl synch`", `unknown command "synch"`},
		{"kongctl live aply --nothing", "no flag --nothing"},
		{"kongctl fn eval shop --exec cat -- --nothing", ""},
		{"kongctl plan -Z", "no flag -Z"},
		{"  - kongctl plan --nothing # a comment", "no flag --nothing"},
	} {
		found := shownCommands(row[0], !strings.Contains(row[0], "`"))
		if len(found) != 1 {
			t.Errorf("%s: %v", row[0], found)
			continue
		}
		if got := wrongCommand(root, found[0]); got != row[1] {
			t.Errorf("%s: %q, want %q", row[0], got, row[1])
		}
	}
}
