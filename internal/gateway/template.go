package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Env returns what a variable is set to; with false, why it may not be read, "" where it
// is not set.
type Env func(name string) (string, bool)

// envPrefix begins the variables that decK's templates may use.
const envPrefix = "DECK_"

// rendered is a text with its templates filled in.
type rendered struct {
	text string
	// still is the same text with stand-ins of one line instead of the values
	// of variables: its lines are those of the file.
	still string
	// other has other stand-ins: where it differs from still, there is a
	// variable.
	other   string
	secrets []string
	// variables are the names of those that were read.
	variables []string
}

// render fills in templates, ${{ env "DECK_X" }}, as decK does.
func render(name, text string, env Env) (rendered, diag.List) {
	var diags diag.List
	text, restore := comments(text)
	t, err := template.New(name).Delims("${{", "}}").Funcs(functions(nil)).Parse(text)
	if err != nil {
		diags.Add(diag.DeckTemplate, place(name, err), "The template cannot be read: "+cause(err)+".", "correct it; decK's templates look like "+example+".")
		return rendered{}, diags
	}
	seen := map[string]bool{}
	for _, v := range variables(t.Root) {
		if seen[v.Text] {
			continue // it is one cause
		}
		seen[v.Text] = true
		pos := position(name, text, int(v.Pos))
		why, set := env(v.Text)
		switch {
		case plan.IsCredential(v.Text):
			diags.Add(diag.SrcCredential, pos, fmt.Sprintf("The variable %s holds a credential of kongctl, which no decK file may read.", v.Text), "keep the value in another variable.")
		case !strings.HasPrefix(v.Text, envPrefix):
			diags.Add(diag.DeckTemplate, pos, fmt.Sprintf("The template uses the variable %s, and decK takes those alone whose name begins with %s.", v.Text, envPrefix), fmt.Sprintf("call it %s%s, here and where it is set.", envPrefix, v.Text))
		case !set && why != "":
			code, detail, fix := diag.Unread("The template takes a value", v.Text, why)
			diags.Add(code, pos, detail, fix)
		case !set:
			diags.Add(diag.DeckVariable, pos, fmt.Sprintf("The template takes %s from the environment, and it is not set.", v.Text), fmt.Sprintf("set %s.", v.Text))
		}
	}
	if len(diags) > 0 {
		return rendered{}, diags
	}
	var out rendered
	out.text, err = execute(t, functions(func(name string) (string, error) {
		s, set := env(name)
		if !set || !strings.HasPrefix(name, envPrefix) || plan.IsCredential(name) {
			return "", fmt.Errorf("the variable %s is not set", name)
		}
		if !slices.Contains(out.variables, name) {
			out.variables = append(out.variables, name)
		}
		if !slices.Contains(out.secrets, s) {
			out.secrets = append(out.secrets, s)
		}
		return s, nil
	}))
	if err != nil {
		diags.Add(diag.DeckTemplate, place(name, err), "The template cannot be filled in: "+Mask(cause(err), out.secrets)+".", "correct it, or the variable that it uses.")
		return rendered{}, diags
	}
	// The stand-in is at once a number and a text; where it does not do, the
	// text itself must.
	standIn := func(s string) string {
		text, err := execute(t, functions(func(string) (string, error) { return s, nil }))
		if err != nil {
			text = out.text
		}
		return restore(text)
	}
	out.still, out.other = standIn("1"), standIn("0")
	out.text = restore(out.text)
	return out, nil
}

const example = `${{ env "DECK_NAME" }}`

func execute(t *template.Template, funcs template.FuncMap) (string, error) {
	var b bytes.Buffer
	err := t.Funcs(funcs).Execute(&b, nil)
	return b.String(), err
}

// functions are decK's. Their errors do not quote values, which are secrets.
func functions(env func(string) (string, error)) template.FuncMap {
	if env == nil {
		env = func(string) (string, error) { return "", nil }
	}
	return template.FuncMap{
		"env": env,
		"toBool": func(s string) (bool, error) {
			b, err := strconv.ParseBool(s)
			return b, explained(err, "the value is neither true nor false")
		},
		"toInt": func(s string) (int, error) {
			n, err := strconv.Atoi(s)
			return n, explained(err, "the value is not a whole number")
		},
		"toFloat": func(s string) (float64, error) {
			f, err := strconv.ParseFloat(s, 64)
			return f, explained(err, "the value is not a number")
		},
		"indent": func(spaces int, s string) string {
			return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", spaces))
		},
	}
}

func explained(err error, text string) error {
	if err == nil {
		return nil
	}
	return errors.New(text)
}

var expression = pattern.New(`\$\{\{[^}]*\}\}`)

// comments takes the templates out of lines that begin with #: decK leaves them
// as they are. Restore puts them back.
func comments(text string) (without string, restore func(string) string) {
	var pairs []string
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		lines[i] = expression.ReplaceAllStringFunc(line, func(found string) string {
			mark := fmt.Sprintf("\uE000%d\uE001", len(pairs)/2)
			pairs = append(pairs, mark, found)
			return mark
		})
	}
	return strings.Join(lines, "\n"), strings.NewReplacer(pairs...).Replace
}

// variables are the names that env is called with.
func variables(n parse.Node) []*parse.StringNode {
	var out []*parse.StringNode
	each := func(nodes ...parse.Node) {
		for _, x := range nodes {
			out = append(out, variables(x)...)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			each(n.Nodes...)
		}
	case *parse.ActionNode:
		each(n.Pipe)
	case *parse.IfNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.RangeNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.WithNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			each(c)
		}
	case *parse.CommandNode:
		if f, ok := n.Args[0].(*parse.IdentifierNode); ok && f.Ident == "env" && len(n.Args) == 2 {
			if s, ok := n.Args[1].(*parse.StringNode); ok {
				out = append(out, s)
			}
		}
		each(n.Args...)
	}
	return out
}

func position(name, text string, offset int) value.Pos {
	before := text[:min(offset, len(text))]
	return value.Pos{File: name, Line: strings.Count(before, "\n") + 1, Column: 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])}
}

var templateError = pattern.New(`^template: (?:.*?):(\d+)(?::(\d+))?: (?s:(.*))$`)

// place is where an error of a template is.
func place(name string, err error) value.Pos {
	pos := value.Pos{File: name}
	if m := templateError.FindStringSubmatch(err.Error()); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		if column, err := strconv.Atoi(m[2]); err == nil {
			pos.Column = column + 1
		}
	}
	return pos
}

// cause is what an error of a template says, without where.
func cause(err error) string {
	text := err.Error()
	if m := templateError.FindStringSubmatch(text); m != nil {
		text = m[3]
	}
	if _, inner, ok := strings.Cut(text, "error calling "); ok {
		return inner
	}
	return text
}
