package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const (
	startPatience = 30 * time.Second
	startPause    = 25 * time.Millisecond
)

// Service says how to serve a data folder.
type Service struct {
	Address   string
	Intercept bool
	Faults    emulator.Faults
	// Seed fills the embedded Konnect before it is served, wholly or not at all; nil
	// leaves it as it is.
	Seed func(*Embedded) error
	// Served is called once the server can be found.
	Served func(*Server) error
}

// Serve serves a data folder until the context ends.
func (h Host) Serve(ctx context.Context, dir string, o Service) (err error) {
	e, err := h.Open(dir)
	if errors.Is(err, store.ErrInUse) {
		return fmt.Errorf("data folder %s: another process uses it", dir)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if o.Seed != nil {
		if err := store.Whole(e.store, func() error { return o.Seed(e) }); err != nil {
			return err
		}
	}
	if err := e.Handler.SetFaults(o.Faults); err != nil { // not before the seed: it must not fail
		return err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Address)
	if err != nil {
		return fmt.Errorf("%w; name another address with --addr", err)
	}
	s := Server{PID: os.Getpid(), Address: ln.Addr().String(), Version: h.Version, StartedAt: h.Now().UTC()}
	serve, err := h.serving(&s, dir, o.Intercept)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	if err := s.record(dir); err != nil {
		return errors.Join(err, ln.Close())
	}
	defer func() { err = errors.Join(err, os.Remove(filepath.Join(dir, ServerFile))) }()
	if err := o.Served(&s); err != nil {
		return errors.Join(err, ln.Close())
	}
	return serve(ctx, ln, e.Handler)
}

// Started is a server that answers.
type Started struct {
	*Server
	// Own reports whether it is the process that was started: another may have
	// been faster.
	Own bool
	Log string // its file
}

// Start starts a process of its own with these arguments and waits until it
// answers.
func (h Host) Start(ctx context.Context, dir string, args []string) (Started, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Started{}, fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(dir, serverLog)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return Started{}, fmt.Errorf("open log: %w", err)
	}
	start, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return Started{}, errors.Join(fmt.Errorf("open log: %w", err), log.Close())
	}
	child, err := h.Spawn(args, log)
	if err := errors.Join(err, log.Close()); err != nil {
		return Started{}, fmt.Errorf("start server: %w", err)
	}
	s, err := h.await(ctx, dir, child)
	if err != nil {
		return Started{}, &StartError{Cause: err, Log: path, words: lastWords(path, start)}
	}
	return Started{Server: s, Own: s.PID == child.Number(), Log: path}, nil
}

// await waits for the server that was started. Where another one was faster, it
// is the one, and the own child ends: it must not take over later.
func (h Host) await(ctx context.Context, dir string, child Process) (*Server, error) {
	patience, ended := h.After(startPatience), child.Ended()
	for {
		s, err := Find(ctx, dir)
		switch {
		case err != nil:
			return nil, errors.Join(err, h.giveUp(child))
		case s != nil && s.PID == child.Number():
			return s, nil
		case s != nil:
			return s, h.giveUp(child)
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), h.giveUp(child))
		case <-ended:
			if !store.Held(dir) {
				return nil, errors.New("it ended before it answered")
			}
			// Who holds the folder may be a server that is starting.
			ended, patience = nil, h.After(BusyPatience)
		case <-patience:
			if ended == nil {
				return nil, errors.New("it ended before it answered")
			}
			return nil, errors.Join(fmt.Errorf("it does not answer after %s", startPatience), h.giveUp(child))
		case <-h.After(startPause):
		}
	}
}

// giveUp ends the child and waits for that.
func (h Host) giveUp(child Process) error {
	select {
	case <-child.Ended():
		return nil
	default:
	}
	if err := child.End(); err != nil {
		return fmt.Errorf("end process %d: %w", child.Number(), err)
	}
	select {
	case <-child.Ended():
		return nil
	case <-h.After(stopPatience):
		return fmt.Errorf("process %d does not end", child.Number())
	}
}

// StartError is a server that did not start.
type StartError struct {
	Cause error
	// Log is where it writes what it does.
	Log   string
	words []string
}

func (e *StartError) Error() string {
	if len(e.words) == 0 {
		return fmt.Sprintf("%s; see %s", e.Summary(), e.Log)
	}
	return e.Summary() + ":\n" + strings.Join(e.words, "\n")
}

// Summary is the first line.
func (e *StartError) Summary() string { return fmt.Sprintf("start server: %v", e.Cause) }

// Lines are what the server wrote to its log.
func (e *StartError) Lines() []string { return e.words }

func (e *StartError) Unwrap() error { return e.Cause }

// mostWords is how many lines of a server that did not start are worth reading.
const mostWords = 200

// lastWords are what a server that did not start said.
func lastWords(path string, start int64) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	if _, err := f.Seek(start, io.SeekStart); err != nil {
		return nil
	}
	var lines []string
	for scan := bufio.NewScanner(f); scan.Scan(); {
		lines = append(lines, strings.TrimPrefix(scan.Text(), "error: "))
	}
	return lines[max(0, len(lines)-mostWords):]
}

// FaultArgs are faults as arguments for another process.
func FaultArgs(f emulator.Faults) []string {
	var args []string
	for _, flag := range []struct{ name, value string }{{"latency", f.Latency}, {"fault", f.Fault}, {"rate", f.Rate}, {"lag", f.Lag}} {
		if flag.value != "" {
			args = append(args, "--"+flag.name, flag.value)
		}
	}
	if f.Seed != 0 {
		args = append(args, "--fault-seed", strconv.FormatUint(f.Seed, 10))
	}
	for _, on := range f.On {
		args = append(args, "--fault-on", on)
	}
	return args
}
