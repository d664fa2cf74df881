package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"kongctl/internal/view"
)

// streams are where input comes from and output goes to.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// which of them are terminals
	inTerminal, outTerminal, errTerminal bool
	// width is the number of columns of the terminal, 0 if unknown.
	width func() int
	// terminal opens the terminal itself, for answers while in is input.
	terminal func() (io.ReadCloser, error)
}

func systemStreams() *streams {
	isTerminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	return &streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTerminal: isTerminal(os.Stdin), outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr),
		width: func() int {
			columns, _, err := term.GetSize(int(os.Stderr.Fd()))
			if err != nil {
				return 0
			}
			return columns
		},
		terminal: func() (io.ReadCloser, error) { return os.Open("/dev/tty") },
	}
}

// dumb tells that nobody watches, or that the watcher's terminal can do nothing.
func (w *world) dumb() bool {
	return w.variable("CI") != "" || w.variable("TERM") == "dumb"
}

func (f *factory) style(terminal bool) view.Style {
	plain := f.noColor || f.world.variable("NO_COLOR") != "" || f.world.dumb()
	return view.Style{Color: terminal && !plain}
}

// outStyle and errStyle are what standard output and standard error can show.
func (f *factory) outStyle() view.Style { return f.style(f.world.streams.outTerminal) }
func (f *factory) errStyle() view.Style { return f.style(f.world.streams.errTerminal) }
