//go:build !linux

package kubetest

import "syscall"

// dieWithParent changes nothing here: only Linux ends a program with its parent.
func dieWithParent() *syscall.SysProcAttr { return nil }
