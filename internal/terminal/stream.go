package terminal

import (
	"errors"
	"io"
	"sync/atomic"
)

// ErrUnread is a write to a stream whose reader has left.
var ErrUnread = errors.New("the reader has closed the stream")

// Stream is a stream of this process that leads to another one, which may leave
// before all is written, as head does.
type Stream struct {
	out      io.Writer
	left     func()
	optional atomic.Bool
	unread   atomic.Bool
}

// NewStream returns the stream that ends in out. left is called when the reader has
// left and something more is written; nil is for an optional stream.
func NewStream(out io.Writer, left func()) *Stream {
	s := &Stream{out: out, left: left}
	s.optional.Store(left == nil)
	return s
}

// Write writes p. With nobody to read it that is an ErrUnread, unless the stream is
// optional.
func (s *Stream) Write(p []byte) (int, error) {
	if !s.unread.Load() {
		n, err := s.out.Write(p)
		if !readerLeft(err) {
			return n, err
		}
	}
	if s.optional.Load() {
		return len(p), nil
	}
	if !s.unread.Swap(true) {
		s.left()
	}
	return 0, ErrUnread
}

// Optional makes writing succeed from now on with nobody to read it.
func (s *Stream) Optional() { s.optional.Store(true) }

// Unread reports whether something could not be written because the reader had left.
func (s *Stream) Unread() bool { return s.unread.Load() }
