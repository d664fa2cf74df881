package kubetest

import "syscall"

// dieWithParent ends a program with the test that started it, however that ends,
// and keeps Ctrl-C away from it: the test stops it when it is done.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
