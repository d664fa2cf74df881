package terminal

import "golang.org/x/sys/windows"

func discard(fd uintptr) error { return windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
