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

// drain is how long what a command wrote is read after its end. It is far longer
// than reading takes on a busy machine: a child that outlives the command and
// keeps its output open must not hold this process forever.
const drain = 30 * time.Second

// Run runs a command until it ends. When the context ends first, the command and
// its children are asked to end, and killed after the grace time.
func Run(ctx context.Context, cmd *exec.Cmd, grace time.Duration) error {
	stop := func() bool { return true }
	cmd.Cancel = func() error {
		stop = time.AfterFunc(grace, func() { kill(cmd) }).Stop
		return terminate(cmd)
	}
	cmd.WaitDelay = grace + drain
	err := runGroup(cmd)
	if ctx.Err() != nil {
		stop()
		kill(cmd) // whoever did not end by now does not want to
	}
	return err
}
