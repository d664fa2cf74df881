package terminal_test

import (
	"errors"
	"os"
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
)

// closedPipe is a pipe that nobody reads.
func closedPipe(t *testing.T) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close() }) // nothing is in it
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	return writer
}

func TestStreamWithoutReader(t *testing.T) {
	t.Parallel()
	left := 0
	s := terminal.NewStream(closedPipe(t), func() { left++ })
	for range 2 {
		if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, terminal.ErrUnread) {
			t.Errorf("%d, %v; want ErrUnread", n, err)
		}
	}
	if left != 1 || !s.Unread() {
		t.Errorf("the reader left %d times, unread %t", left, s.Unread())
	}
	optional := terminal.NewStream(closedPipe(t), nil)
	later := terminal.NewStream(closedPipe(t), func() { left++ })
	later.Optional()
	for _, s := range []*terminal.Stream{optional, later} {
		if n, err := s.Write([]byte("xy")); n != 2 || err != nil || s.Unread() {
			t.Errorf("%d, %v, unread %t; want what is written to be dropped", n, err, s.Unread())
		}
	}
	if left != 1 {
		t.Error("the reader of an optional stream counts")
	}
}

// TestStreamThatFails: a stream that is full, or closed by this process, is an error.
func TestStreamThatFails(t *testing.T) {
	t.Parallel()
	pipe := closedPipe(t)
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := terminal.NewStream(pipe, nil).Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v, want the error of the stream", err)
	}
}
