package terminal

import (
	"errors"

	"golang.org/x/sys/windows"
)

// readerLeft reports whether writing failed because nobody reads.
func readerLeft(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
