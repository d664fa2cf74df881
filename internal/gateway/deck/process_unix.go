//go:build unix

package deck

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// handOver gives the token through a pipe, which no other process can read.
func handOver(cmd *exec.Cmd, token string) (done func(), err error) {
	if token == "" {
		return func() {}, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	// A pipe takes that much without a reader.
	if _, err := write.WriteString(token); err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	if err := write.Close(); err != nil {
		return nil, errors.Join(err, read.Close())
	}
	cmd.ExtraFiles = []*os.File{read}
	cmd.Args = append(cmd.Args, "--konnect-token-file=/dev/fd/3")
	return func() { _ = read.Close() }, nil
}

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
