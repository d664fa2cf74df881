package terminal

import "golang.org/x/sys/unix"

// read is FREAD of sys/fcntl.h: the queue of what was typed.
const read = 1

func discard(fd uintptr) error { return unix.IoctlSetPointerInt(int(fd), unix.TIOCFLUSH, read) }
