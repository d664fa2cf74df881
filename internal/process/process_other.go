//go:build !unix

package process

import (
	"context"
	"os/exec"
)

func terminate(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func runGroup(_ context.Context, cmd *exec.Cmd) error { return cmd.Run() }
