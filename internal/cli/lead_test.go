package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/diag"
)

// A command in a fix gets of the flags that say where those that it has, with their
// values, whatever the command: for each of the program.
func TestCommandsOfFixesHaveTheirFlags(t *testing.T) {
	f := newConsole(t).factory
	root := newRootCmd(f)
	f.flags = pflag.NewFlagSet("all", pflag.ContinueOnError)
	values := map[string]string{"local": "false", "context": "", "data": "a folder"}
	for _, name := range placeFlags {
		if name == "local" {
			f.flags.Bool(name, true, "")
		} else {
			f.flags.String(name, "x", "")
		}
		if err := f.flags.Set(name, values[name]); err != nil {
			t.Fatal(err)
		}
	}
	written, left := 0, 0
	for _, cmd := range descendants(root) {
		words := strings.Fields(cmd.CommandPath())[1:]
		plain := diag.CommandOf(strings.Join(words, " "), "a name")
		got := led(f, plain)
		if !strings.HasPrefix(got, cmd.CommandPath()+" ") || !strings.HasSuffix(got, " 'a name'") {
			t.Errorf("%s became %s", plain, got)
		}
		if problem := wrongCommand(root, spoken(got)); problem != "" {
			t.Errorf("%s: %s", got, problem)
		}
		for _, name := range placeFlags {
			flag := cmd.Flag(name)
			want := map[string]string{"local": " --local=false ", "context": " --context '' ", "data": " --data 'a folder' "}[name]
			if want == "" {
				want = " --" + name + " '' "
			}
			has := flag != nil && !flag.Hidden && (flag.Value.Type() == "string" || name == "local")
			if strings.Contains(got, want) != has {
				t.Errorf("%s: want%s: %v", got, want, has)
			}
			if has {
				written++
			} else {
				left++
			}
		}
	}
	if written < 300 || left < 300 {
		t.Errorf("only %d flags were written, and %d were not", written, left)
	}
}

// Commands in messages exist and have the flags that they are shown with: in every text
// of the program, and where a command is made of words.
func TestCommandsInMessages(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	texts, made := 0, 0
	check := func(pos token.Position, words []string) {
		if problem := wrongCommand(root, words); problem != "" {
			t.Errorf("%s:%d: kongctl %s: %s", pos.Filename, pos.Line, strings.Join(words, " "), problem)
		}
	}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if words, ok := wordsOfCommand(n); ok {
					made++
					check(files.Position(n.Pos()), words)
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind != token.STRING || err != nil {
					return true
				}
				for _, words := range saidCommands(root, text) {
					texts++
					check(files.Position(n.Pos()), words)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if texts < 300 || made < 4 {
		t.Errorf("only %d commands in texts were found, and %d that are made of words", texts, made)
	}
}

// wordsOfCommand are the words of a command that a call makes, as far as the program
// says them.
func wordsOfCommand(call *ast.CallExpr) (words []string, ok bool) {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		ok = f.Sel.Name == "CommandOf"
	case *ast.Ident:
		ok = f.Name == "CommandOf"
	}
	for _, arg := range call.Args {
		if sum, is := arg.(*ast.BinaryExpr); is {
			arg = sum.X
		}
		if lit, is := arg.(*ast.BasicLit); is {
			text, _ := strconv.Unquote(lit.Value)
			words = append(words, strings.Fields(text)...)
		}
	}
	return words, ok && len(words) > 0
}

// namedCommand is where a sentence names a command.
var namedCommand = regexp.MustCompile("(`?)kongctl ([a-z].*)")

// attached is a word with flags behind it that another part of the program adds.
var attached = regexp.MustCompile(`([a-z])%s`)

// saidCommands are the words of commands in messages: what stands in backticks, and
// what begins with a command of the program ("kongctl marks" does not).
func saidCommands(root *cobra.Command, text string) (out [][]string) {
	for line := range strings.Lines(text) {
		for {
			m := namedCommand.FindStringSubmatchIndex(line)
			if m == nil {
				break
			}
			quoted, rest := m[2] != m[3], line[m[4]:m[5]]
			line = rest
			if end := strings.IndexByte(rest, '`'); quoted && end >= 0 {
				rest = rest[:end]
			}
			if words := spoken("kongctl " + attached.ReplaceAllString(rest, "$1 %s")); quoted || below(root, words[0]) != nil {
				out = append(out, words)
			}
		}
	}
	return out
}

// checkFixes asserts of the commands in fixes that are shown what TestCommandsInMessages
// does of those in texts.
func checkFixes(t *testing.T, shown string) {
	t.Helper()
	var fixes []string
	for line := range strings.Lines(shown) {
		if _, fix, ok := strings.Cut(line, "  fix: "); ok && strings.Contains(fix, "kongctl ") {
			fixes = append(fixes, fix)
		}
	}
	if len(fixes) == 0 {
		return
	}
	root := newRootCmd(newConsole(t).factory)
	for _, fix := range fixes {
		for _, words := range saidCommands(root, fix) {
			if problem := wrongCommand(root, words); problem != "" {
				t.Errorf("the fix says kongctl %s: %s", strings.Join(words, " "), problem)
			}
		}
	}
}

// spoken are the words of a command up to the end of its sentence.
func spoken(command string) []string {
	return shownCommands(strings.TrimSpace(command), true)[0]
}
