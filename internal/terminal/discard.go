package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Discard drops what was typed on a terminal and not read yet. Input that is not a
// terminal, such as a pipe or a file, stays as it is.
func Discard(in io.Reader) error {
	file, ok := in.(*os.File)
	if !ok {
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return fmt.Errorf("discard typed input: %w", err)
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		if term.IsTerminal(int(fd)) {
			failed = discard(fd)
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("discard typed input: %w", err)
	}
	return nil
}
