package testkit

import (
	"strings"
	"sync"
)

// Buffer keeps what is written to it, from several sides at once.
type Buffer struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write adds to what is kept.
func (s *Buffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String is all that was written.
func (s *Buffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
