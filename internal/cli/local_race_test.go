package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// A server that is stopped has let its folder go, although a request was under
// way.
func TestStopWaitsForTheFolder(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d", "--latency", "400ms")
	dir := filepath.Join(m.console.dir, "d")
	s, err := local.Find(t.Context(), dir)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	sent, answered := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(answered)
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL()+"/v3/portals", &announced{text: strings.NewReader(`{"name":"p"}`), sent: sent})
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer x")
		req.Header.Set("Content-Type", "application/json")
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-sent
	m.command().want(exitDone, "local", "stop", "--data", "d")
	if store.Held(dir) {
		t.Error("the folder of a stopped server is held")
	}
	<-answered
}

// announced tells when it is read.
type announced struct {
	text *strings.Reader
	sent chan struct{}
}

func (a *announced) Read(p []byte) (int, error) {
	if a.sent != nil {
		close(a.sent)
		a.sent = nil
	}
	return a.text.Read(p)
}

// A server that another start was faster to start is the one: the child that
// came late ends.
func TestStartThatLoses(t *testing.T) {
	c := newConsole(t).real()
	dir := filepath.Join(c.dir, "d")
	ctx, cancel := context.WithCancel(t.Context())
	late := goroutine{make(chan struct{}), cancel}
	c.factory.world.spawn = func([]string, *os.File) (local.Process, error) {
		go func() { <-ctx.Done(); close(late.done) }()
		text := fmt.Sprintf(`{"pid":42,"address":%q}`, standIn(t, 42))
		return late, os.WriteFile(filepath.Join(dir, local.ServerFile), []byte(text), 0o600)
	}
	c.want(exitDone, "local", "start", "--data", "d")
	contains(t, "standard output", c.out, "running already", "process 42")
	if ctx.Err() == nil {
		t.Error("the child that lost goes on")
	}
}
