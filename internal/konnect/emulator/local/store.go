package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const (
	// BusyPatience is how long to wait for a folder that another process holds.
	BusyPatience = 3 * time.Second
	busyPause    = 50 * time.Millisecond
)

// Embedded is the embedded Konnect in this process.
type Embedded struct {
	Handler *emulator.Server
	store   store.Store
}

// Close lets its data folder go.
func (e *Embedded) Close() error { return e.store.Close() }

// Reached is an embedded Konnect: its server, or itself in this process.
type Reached struct {
	Server   *Server
	Embedded *Embedded
}

// About talks to it about itself.
func (r Reached) About() Control {
	if r.Server != nil {
		return Listening(r.Server.URL())
	}
	return Direct(r.Embedded.Handler)
}

// Close lets go what this process holds.
func (r Reached) Close() error {
	if r.Embedded == nil {
		return nil
	}
	return r.Embedded.Close()
}

// Open opens the data folder in this process. It is refused to all but
// one process at a time.
func (h Host) Open(dir string) (*Embedded, error) {
	cat, err := h.Catalog()
	if err != nil {
		return nil, err
	}
	log, err := h.Log()
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	handler, err := emulator.New(cat, emulator.Options{Store: kept, Clock: h.Now, Version: h.Version, Log: log})
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return &Embedded{Handler: handler, store: kept}, nil
}

// Reach finds the embedded Konnect of a data folder: the server that holds it,
// else the folder itself. Another command may hold the folder for a moment, and
// a server that is starting or ending does so before and after it answers.
func (h Host) Reach(ctx context.Context, dir string) (Reached, error) {
	patience := h.After(BusyPatience)
	for {
		s, err := Find(ctx, dir)
		if s != nil || err != nil {
			return Reached{Server: s}, err
		}
		e, err := h.Open(dir)
		if !errors.Is(err, store.ErrInUse) {
			return Reached{Embedded: e}, err
		}
		select {
		case <-ctx.Done():
			return Reached{}, ctx.Err()
		case <-patience:
			return Reached{}, fmt.Errorf("data folder %s: another process uses it, and it is not a server that answers; wait for it to end, or name another folder with --data", dir)
		case <-h.After(busyPause):
		}
	}
}

// HasData reports whether a data folder holds an embedded Konnect.
func HasData(dir string) (bool, error) {
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
