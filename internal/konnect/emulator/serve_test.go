package emulator_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

func TestServeLetsRequestsFinish(t *testing.T) {
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	begun, finish := make(chan struct{}), make(chan struct{})
	served := make(chan error, 1)
	go func() {
		served <- emulator.Serve(ctx, ln, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(begun)
			<-finish
			_, _ = io.WriteString(w, "done")
		}))
	}()
	got := make(chan string, 1)
	go func() { got <- fetch(t, http.DefaultTransport, "http://"+ln.Addr().String()) }()
	<-begun
	stop()
	close(finish)
	if text := <-got; text != "done" {
		t.Errorf("the request got %q", text)
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func fetch(t *testing.T, rt http.RoundTripper, url string) string {
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	resp, err := (&http.Client{Transport: rt}).Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func TestServeTellsAListenerThatFails(t *testing.T) {
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if err := emulator.Serve(t.Context(), ln, http.NotFoundHandler()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

func TestTransportCallsInProcess(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("X-Seen", r.Host+" "+r.URL.RequestURI()+" "+r.Header.Get("X-Sent"))
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(append([]byte("got "), body...))
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://us.api.konghq.com/v3/apis?x=1", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Sent", "yes")
	resp, err := (&http.Client{Transport: emulator.Transport(h)}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw) != "got body" || resp.StatusCode != http.StatusTeapot || resp.Status != "418 I'm a teapot" || resp.Header.Get("X-Seen") != "us.api.konghq.com /v3/apis?x=1 yes" {
		t.Errorf("%s %q %v", resp.Status, raw, resp.Header)
	}
}

func TestTransportHonoursTheContext(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://local/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := emulator.Transport(h).RoundTrip(req)
	if err == nil {
		resp.Body.Close()
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestTransportCutsWhereTheHandlerAborts(t *testing.T) {
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if got := fetch(t, emulator.Transport(h), "http://local/"); !strings.Contains(got, io.ErrUnexpectedEOF.Error()) {
		t.Errorf("got %q", got)
	}
}
