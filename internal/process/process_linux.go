package process

import (
	"os/exec"
	"runtime"
	"syscall"
)

// endWithUs lets the system end a command when this process is killed. It goes by
// the thread that starts the command, which is kept until done.
func endWithUs(cmd *exec.Cmd) (done func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return runtime.UnlockOSThread
}
