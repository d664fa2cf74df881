package diag

import "github.com/kongctl/kongctl/internal/terminal"

// Command is a command of this program, as people type it.
type Command string

// CommandOf is a verb, of one word or more, and its arguments. A shell takes each of
// these for one word.
func CommandOf(verb string, arguments ...string) Command {
	text := "kongctl " + verb
	for _, a := range arguments {
		text += " " + terminal.ShellWord(a)
	}
	return Command(text)
}

// Running is a diagnostic whose fix contains a command that asks the target once more.
func (d Diagnostic) Running(c Command) Diagnostic {
	d.Command = c
	return d
}
