//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

type child struct {
	done chan struct{}
	pid  int
}

func (c *child) ended() <-chan struct{} { return c.done }
func (c *child) number() int            { return c.pid }
func (c *child) end() error             { return terminate(c.pid) }

// spawn starts this program in a session of its own, so that it outlives this
// process and its terminal.
func spawn(args []string, output *os.File) (process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{done: make(chan struct{}), pid: cmd.Process.Pid}
	go func() {
		_ = cmd.Wait() // its log tells why it ended
		close(c.done)
	}()
	return c, nil
}

// terminate asks a process to end in good order.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// gone tells that there is no such process.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
