//go:build unix

package local

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

func (c *child) Ended() <-chan struct{} { return c.done }
func (c *child) Number() int            { return c.pid }
func (c *child) End() error             { return Terminate(c.pid) }

// Spawn starts this program in a session of its own, so that it outlives this
// process and its terminal.
func Spawn(args []string, output *os.File) (Process, error) {
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

// Terminate asks a process to end in good order.
func Terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// Gone reports whether there is no such process.
func Gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
