//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// terminate asks the process and its children to end.
func terminate(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// runGroup runs a command in a process group of its own: Ctrl-C in a terminal
// reaches this process, which ends the group.
func runGroup(ctx context.Context, cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	defer endWithUs(cmd)()
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		// Whoever did not end by now does not want to. No such group is fine.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return err
}
