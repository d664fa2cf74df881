//go:build !unix

package local

import (
	"errors"
	"os"
)

// Spawn is for systems with sessions.
func Spawn([]string, *os.File) (Process, error) {
	return nil, errors.New("not available on this system; use --foreground")
}

// Terminate ends a process: there is no way to ask it.
func Terminate(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// Gone cannot be known here.
func Gone(int) bool { return false }
