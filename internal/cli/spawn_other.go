//go:build !unix

package cli

import (
	"errors"
	"os"
)

// spawn is for systems with sessions.
func spawn([]string, *os.File) (process, error) {
	return nil, errors.New("not available on this system; use --foreground")
}

// terminate ends a process: there is no way to ask it.
func terminate(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// gone cannot be known here.
func gone(int) bool { return false }
