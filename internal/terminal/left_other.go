//go:build !windows

package terminal

import (
	"errors"
	"syscall"
)

// readerLeft reports whether writing failed because nobody reads.
func readerLeft(err error) bool { return errors.Is(err, syscall.EPIPE) }
