package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const (
	stopPatience = 15 * time.Second
	stopPause    = 25 * time.Millisecond
)

// Stop ends the server of a data folder and returns it; nil when none runs.
func (h Host) Stop(ctx context.Context, dir string) (*Server, error) {
	s, err := Find(ctx, dir)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return h.notRunning(ctx, dir)
	}
	if err := h.Terminate(s.PID); err != nil {
		return nil, fmt.Errorf("stop process %d: %w", s.PID, err)
	}
	return s, h.awaitEnd(ctx, dir, s)
}

func (h Host) notRunning(ctx context.Context, dir string) (*Server, error) {
	s, err := recordedServer(dir)
	if err != nil {
		return nil, err
	}
	// One that was asked to stop answers no more while it ends.
	if s != nil && !h.Gone(s.PID) && store.Held(dir) {
		return s, h.awaitEnd(ctx, dir, s)
	}
	// What a crash has left behind must not be taken for a server later.
	if err := os.Remove(filepath.Join(dir, ServerFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return nil, nil
}

// awaitEnd waits until a server has let its data folder go: requests that are
// under way hold it longer than it answers.
func (h Host) awaitEnd(ctx context.Context, dir string, s *Server) error {
	patience := h.After(stopPatience)
	for {
		still, err := Find(ctx, dir)
		if err != nil {
			return err
		}
		other := still != nil && still.PID != s.PID
		if other || h.Gone(s.PID) || still == nil && !store.Held(dir) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience:
			return fmt.Errorf("process %d at %s does not end", s.PID, s.URL())
		case <-h.After(stopPause):
		}
	}
}
