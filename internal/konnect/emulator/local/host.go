package local

import (
	"log/slog"
	"os"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// Host is what running an embedded Konnect takes from the machine.
type Host struct {
	Now func() time.Time
	// After is the clock that waiting goes by.
	After   func(time.Duration) <-chan time.Time
	Catalog func() (*catalog.Catalog, error)
	Log     func() (*slog.Logger, error)
	Version string
	// Spawn starts this program again, on its own, with its output in a file.
	Spawn func(args []string, output *os.File) (Process, error)
	// Terminate asks another process to end.
	Terminate func(pid int) error
	// Gone reports whether there is no such process.
	Gone func(pid int) bool
}

// Process is a program that was started in the background.
type Process interface {
	// Ended is closed once the process is gone.
	Ended() <-chan struct{}
	// Number is its process id.
	Number() int
	// End asks it to end.
	End() error
}
