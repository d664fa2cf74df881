// Package process runs other programs so that none of them is left behind.
//
// In: a command that has not started. Out: its end. The program and all that it
// starts are one group, which ends with the context, and on Linux with this
// process. It must never import another package of this program.
package process

import (
	"context"
	"os/exec"
	"time"
)

// Run runs a command until it ends. When the context ends first, the command and
// its children are asked to end, and killed after the grace time.
func Run(ctx context.Context, cmd *exec.Cmd, grace time.Duration) error {
	cmd.Cancel = func() error { return terminate(cmd) }
	cmd.WaitDelay = grace
	return runGroup(ctx, cmd)
}
