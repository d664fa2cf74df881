package disk

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Lines is a file that only its owner may read and that grows by lines.
type Lines struct {
	path string
	mu   sync.Mutex
	file *os.File
	n    int
}

// NewLines makes a file that is not there yet.
func NewLines(path string) (*Lines, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, private)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return &Lines{path: path, file: f}, nil
}

// Add appends a line; it is on disk when Add returns.
func (l *Lines) Add(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.file.Write(append(line, '\n'))
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", l.path, Cause(err))
	}
	l.n++
	return nil
}

// Close ends the file and returns how many lines it has. One without lines is removed.
func (l *Lines) Close() (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.file.Close()
	if l.n == 0 {
		err = errors.Join(err, os.Remove(l.path))
	}
	if err != nil {
		return l.n, fmt.Errorf("write %s: %w", l.path, Cause(err))
	}
	return l.n, nil
}
