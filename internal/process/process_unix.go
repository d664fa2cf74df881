//go:build unix

package process

import (
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

// kill ends the process and its children. No such group is fine.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// runGroup runs a command in a process group of its own: Ctrl-C in a terminal
// reaches this process, which ends the group.
func runGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	defer endWithUs(cmd)()
	return cmd.Run()
}
