package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// secret asks for a text on the terminal and does not show it.
func (s *streams) secret(ctx context.Context, question string) (string, error) {
	if !s.inTerminal || !s.errTerminal || s.hidden == nil {
		return "", usagef("cannot prompt: standard input is not a terminal").WithHint("pass - to read the value from standard input.")
	}
	if _, err := io.WriteString(s.err, question); err != nil {
		return "", fmt.Errorf("write standard error: %w", err)
	}
	text, err := s.hidden(ctx)
	_, _ = io.WriteString(s.err, "\n") // what ended the answer was not shown
	if errors.Is(err, io.EOF) {
		return "", usagef("the input ended without a value: nothing was set")
	}
	return strings.TrimSpace(text), err
}

// readHidden reads a line of the terminal that is not shown. When ctx ends, the
// terminal is as it was before.
func readHidden(ctx context.Context) (string, error) {
	fd := int(os.Stdin.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("read the terminal: %w", err)
	}
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(fd, state) // the command ends with the interruption
		return "", ctx.Err()
	case a := <-answers:
		if a.err != nil {
			return "", fmt.Errorf("read the terminal: %w", a.err)
		}
		return string(a.text), nil
	}
}
