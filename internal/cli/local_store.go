package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kongctl/internal/konnect/emulator"
	"kongctl/internal/konnect/emulator/store"
)

const (
	busyPatience = 3 * time.Second
	busyPause    = 50 * time.Millisecond
)

// embedded is the embedded Konnect in this process.
type embedded struct {
	handler *emulator.Server
	store   store.Store
}

func (e *embedded) close() error { return e.store.Close() }

// openEmbedded opens the data folder in this process. It is refused to all but
// one process at a time.
func (f *factory) openEmbedded(dir string) (*embedded, error) {
	cat, err := f.catalog()
	if err != nil {
		return nil, err
	}
	log, err := f.logger()
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	h, err := emulator.New(cat, emulator.Options{Store: kept, Clock: f.world.now, Version: version, Log: log})
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return &embedded{handler: h, store: kept}, nil
}

// reach finds the embedded Konnect of a data folder: the server that holds it,
// else the folder itself. Another command may hold the folder for a moment, and
// a server that is starting or ending does so before and after it answers.
func (f *factory) reach(ctx context.Context, dir string) (*server, *embedded, error) {
	patience := f.world.after(busyPatience)
	for {
		s, err := findServer(ctx, dir)
		if s != nil || err != nil {
			return s, nil, err
		}
		e, err := f.openEmbedded(dir)
		if !errors.Is(err, store.ErrInUse) {
			return nil, e, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-patience:
			return nil, nil, fmt.Errorf("data folder %s: another process uses it, and it is not a server that answers; wait for it to end, or name another folder with --data", dir)
		case <-f.world.after(busyPause):
		}
	}
}

// hasData tells whether a data folder holds an embedded Konnect.
func hasData(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("data folder: %w", err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".db" {
			return true, nil
		}
	}
	return false, nil
}
