package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/terminal"
)

// streams are where input comes from and output goes to.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// output is what out leads to; nil where nothing is guarded.
	output *terminal.Stream
	// left ends the command: nobody reads what it prints.
	left func()
	// commands is err for commands to a pipeline's host; nil: err itself.
	commands io.Writer
	// written remembers whether out was used.
	written *counter
	// which of them are terminals
	inTerminal, outTerminal, errTerminal bool
	// width is the number of columns of the terminal, 0 if unknown.
	width func() int
	// height is the number of its lines, 0 if unknown.
	height func() int
	// terminal opens the terminal itself, for answers while in is input.
	terminal func() (io.ReadCloser, error)
	// hidden reads a line of the terminal that is not shown.
	hidden func(context.Context) (string, error)
}

// guarded makes all that is written safe for a terminal, whatever it says.
func (s *streams) guarded(f *factory) *streams {
	out := *s
	out.output = terminal.NewStream(s.out, func() {
		if out.left != nil {
			out.left()
		}
	})
	out.written = &counter{Writer: out.output}
	out.out = terminal.NewWriter(out.written, func() terminal.Allow {
		return terminal.Allow{Own: out.outTerminal && !f.world.dumb() || f.style(false).Color, Data: !out.outTerminal, Inert: inActions(f.world) && showsText(f)}
	})
	var shown io.Writer = terminal.NewStream(s.err, nil)
	if s.errTerminal && s.width != nil {
		shown = terminal.NewWrapper(shown, s.width)
	}
	out.err = terminal.NewWriter(shown, func() terminal.Allow {
		return terminal.Allow{Own: out.errTerminal && !f.world.dumb() || f.style(false).Color, Inert: inActions(f.world)}
	})
	out.commands = terminal.NewWriter(shown, func() terminal.Allow { return terminal.Allow{} })
	return &out
}

// outlive lets the command continue when nobody reads what it prints: it does more
// than to print.
func (s *streams) outlive() {
	if s.output != nil {
		s.output.Optional()
	}
}

// unread is the error of a command that ended because nobody read what it printed:
// whatever it says itself comes from that, unless it is about something else.
func (s *streams) unread(err error) error {
	if s.output == nil || !s.output.Unread() {
		return err
	}
	var interrupted *interruptedError
	if err == nil || errors.Is(err, terminal.ErrUnread) || errors.Is(err, context.Canceled) || errors.As(err, &interrupted) {
		return terminal.ErrUnread
	}
	return err
}

// flush writes what the last character of a stream lacks.
func (s *streams) flush() error {
	var errs []error
	for _, w := range []io.Writer{s.out, s.err} {
		if g, ok := w.(*terminal.Writer); ok {
			errs = append(errs, g.Flush())
		}
	}
	return errors.Join(errs...)
}

// say writes one line, and keeps what comes from elsewhere in it.
func say(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(w, format+"\n", terminal.Args(args)...)
	return err
}

// toOutput says where data could not be written to.
func toOutput(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write standard output: %w", disk.Cause(err))
}

func systemStreams() *streams {
	isTerminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	return &streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTerminal: isTerminal(os.Stdin), outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr),
		width:    func() int { columns, _ := size(); return columns },
		height:   func() int { _, lines := size(); return lines },
		terminal: func() (io.ReadCloser, error) { return os.Open("/dev/tty") },
		hidden:   readHidden,
	}
}

// size is that of the terminal that can be seen, or 0.
func size() (columns, lines int) {
	for _, f := range []*os.File{os.Stderr, os.Stdout} {
		if columns, lines, err := term.GetSize(int(f.Fd())); err == nil {
			return columns, lines
		}
	}
	return 0, 0
}

// dumb tells that nobody watches, or that the watcher's terminal can do nothing.
func (w *world) dumb() bool {
	return w.variable("CI") != "" || w.variable("TERM") == "dumb"
}
