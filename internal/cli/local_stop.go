package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kongctl/internal/konnect/emulator/store"

	"github.com/spf13/cobra"
)

const (
	stopPatience = 15 * time.Second
	stopPause    = 25 * time.Millisecond
)

type localStopOptions struct {
	factory *factory
}

func newLocalStopCmd(f *factory, runF func(context.Context, *localStopOptions) error) *cobra.Command {
	o := &localStopOptions{factory: f}
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop the server of the embedded Konnect",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF == nil {
				runF = localStopRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func localStopRun(ctx context.Context, o *localStopOptions) error {
	w := o.factory.world
	dir, err := o.factory.dataDir()
	if err != nil {
		return err
	}
	s, err := findServer(ctx, dir)
	if err != nil {
		return err
	}
	if s == nil {
		return o.notRunning(ctx, dir)
	}
	if err := w.terminate(s.PID); err != nil {
		return fmt.Errorf("stop process %d: %w", s.PID, err)
	}
	return o.await(ctx, dir, s)
}

func (o *localStopOptions) notRunning(ctx context.Context, dir string) error {
	w := o.factory.world
	s, err := recordedServer(dir)
	if err != nil {
		return err
	}
	// One that was told to stop answers no more while it ends.
	if s != nil && !w.gone(s.PID) && store.Held(dir) {
		return o.await(ctx, dir, s)
	}
	// What a crash has left behind must not be taken for a server later.
	if err := os.Remove(filepath.Join(dir, serverFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("data folder: %w", err)
	}
	return toOutput(say(w.streams.out, "Konnect is not running (data %s).", dir))
}

// await waits until a server has let its data folder go: requests that are
// under way hold it longer than it answers.
func (o *localStopOptions) await(ctx context.Context, dir string, s *server) error {
	w := o.factory.world
	patience := w.after(stopPatience)
	for {
		still, err := findServer(ctx, dir)
		if err != nil {
			return err
		}
		other := still != nil && still.PID != s.PID
		if other || w.gone(s.PID) || still == nil && !store.Held(dir) {
			return toOutput(say(w.streams.out, "Konnect at %s is stopped.", s.url()))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience:
			return fmt.Errorf("process %d at %s does not end", s.PID, s.url())
		case <-w.after(stopPause):
		}
	}
}
