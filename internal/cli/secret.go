package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

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
	// Every key arrives here: where the terminal reads lines by itself, the end of the
	// input looks like an empty read.
	state, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("read the terminal: %w", err)
	}
	defer func() { _ = term.Restore(fd, state) }() // the line was read
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := readKeys(os.Stdin)
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case a := <-answers:
		return a.text, a.err
	}
}

// The keys that end or change a line.
const (
	keyInterrupt = 'C' - '@'
	keyEnd       = 'D' - '@'
	keyBackspace = 'H' - '@'
	keyErase     = 'U' - '@'
	keyDelete    = 0x7f
)

// readKeys reads a line key by key. Its end without a text is io.EOF.
func readKeys(in io.Reader) (string, error) {
	var text []byte
	key := make([]byte, 1)
	for {
		n, err := in.Read(key)
		switch {
		case n == 0 && err == nil:
			continue
		case errors.Is(err, io.EOF), n > 0 && key[0] == keyEnd:
			if len(text) == 0 {
				return "", io.EOF
			}
			return string(text), nil
		case err != nil:
			return "", fmt.Errorf("read the terminal: %w", err)
		}
		switch key[0] {
		case '\r', '\n':
			return string(text), nil
		case keyInterrupt:
			return "", &interruptedError{}
		case keyErase:
			text = nil
		case keyBackspace, keyDelete:
			_, size := utf8.DecodeLastRune(text)
			text = text[:len(text)-min(size, len(text))]
		default:
			text = append(text, key[0])
		}
	}
}
