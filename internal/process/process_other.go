//go:build !unix

package process

import "os/exec"

func terminate(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill() // it has ended already
	}
}

func runGroup(cmd *exec.Cmd) error { return cmd.Run() }
