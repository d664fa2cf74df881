// Package testkit holds fixtures for tests: an embedded Konnect with a recorder
// on the wire, and the chain from text to a plan and from a plan to calls.
//
// In: a test and the text of a configuration. Out: sets, plans, reports and
// what went over the wire; what a test did not ask for fails it. It must never
// be imported by code that is not a test.
package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// loadCatalog decodes the contract once for all tests of a program.
var loadCatalog = sync.OnceValues(catalog.Load)

// Catalog is the catalog of all types.
func Catalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// Epoch is when the clocks of a World start.
func Epoch() time.Time { return time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC) }

// World is an embedded Konnect of its own, in memory, with an empty folder for
// files. Ids count up and clocks move by a second with every reading, so that
// the same steps give the same world.
type World struct {
	t        testing.TB
	Catalog  *catalog.Catalog
	Server   *emulator.Server
	Recorder *Recorder
	Target   remote.Target
	// Dir is the current folder of configurations and plans.
	Dir string
	// Env are the environment variables that expressions see.
	Env map[string]string
	// Concurrency of executions.
	Concurrency int
	// Seed says that the plans restore a saved state.
	Seed bool
}

// New makes a World of all types. An answer that breaks the contract fails the
// test.
func New(t testing.TB) *World {
	t.Helper()
	return NewOf(t, Catalog(t))
}

// NewOf makes a World of the types of a catalog.
func NewOf(t testing.TB, cat *catalog.Catalog) *World {
	t.Helper()
	srv, err := emulator.New(cat, emulator.Options{
		Clock: ticking(), NewID: counting(), Region: "eu", Version: "test",
		Strict: func(op, problem string) { t.Errorf("%s answers against the contract: %s", op, problem) },
	})
	if err != nil {
		t.Fatal(err)
	}
	rec := NewRecorder(emulator.Transport(srv))
	conn, err := client.New(client.Config{
		BaseURL: baseURL, Token: "test-token", Transport: rec,
		Clock: NewClock(Epoch()), Rand: func() float64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return &World{
		t: t, Catalog: cat, Server: srv, Recorder: rec, Target: client.NewTarget(cat, conn),
		Dir: t.TempDir(), Env: map[string]string{}, Concurrency: 4,
	}
}

const baseURL = "http://127.0.0.1:1"

func ticking() func() time.Time {
	clock := NewClock(Epoch())
	return func() time.Time {
		_ = clock.Sleep(context.Background(), time.Second) // it never waits
		return clock.Now()
	}
}

func counting() func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	}
}

// LookupEnv is the environment of the World.
func (w *World) LookupEnv(name string) (string, bool) {
	v, ok := w.Env[name]
	return v, ok
}

// File writes a file below Dir.
func (w *World) File(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// Send asks the embedded Konnect directly, past the recorder, the way another
// tool would. The body is JSON; the answer is decoded. A status other than
// those of success fails the test.
func (w *World) Send(method, path, body string) map[string]any {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, baseURL+path, bytes.NewBufferString(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer another-tool")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := emulator.Transport(w.Server).RoundTrip(req)
	if err != nil {
		w.t.Fatal(err)
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		w.t.Fatal(err)
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		w.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, raw)
	}
	var out map[string]any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			w.t.Fatalf("%s %s: %v: %s", method, path, err, raw)
		}
	}
	return out
}

// State lists what the embedded Konnect holds of a kind.
func (w *World) State(kind string) []map[string]any {
	w.t.Helper()
	all := w.Send(http.MethodGet, "/__local/state", "")
	list, _ := all[kind].([]any)
	out := make([]map[string]any, 0, len(list))
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Named finds one of State by its name.
func (w *World) Named(kind, name string) map[string]any {
	w.t.Helper()
	for _, m := range w.State(kind) {
		if m["name"] == name {
			return m
		}
	}
	w.t.Fatalf("the embedded Konnect has no %s %q", kind, name)
	return nil
}

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text always has a JSON form
	}
	return string(raw)
}
