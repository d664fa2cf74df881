//go:build real

package real

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// browser is a Chromium that is steered through a pair of pipes.
type browser struct {
	t        *testing.T
	to       io.Writer
	messages chan message
	session  string
	last     int
}

// message is an answer to a command, or an event.
type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// browse starts a browser with a profile of its own that does nothing by itself.
func (m *machine) browse(t *testing.T, program string, args ...string) *browser {
	t.Helper()
	hear, to := pipe(t)
	from, say := pipe(t)
	cmd := exec.Command(program, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(), "--remote-debugging-pipe",
	}, args...)...)
	cmd.Env = m.env
	cmd.ExtraFiles = []*os.File{hear, say} // its descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, theirs := range []*os.File{hear, say} {
		if err := theirs.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b := &browser{t: t, to: to, messages: make(chan message, 100)}
	go b.listen(from)
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil)
		_ = cmd.Wait() // how a browser ends is not of interest
	})
	var made struct{ TargetID, SessionID string }
	b.result("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	b.result("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	b.session = made.SessionID
	b.send("Page.enable", nil)
	return b
}

func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return read, write
}

func (b *browser) listen(from io.Reader) {
	defer close(b.messages)
	in := bufio.NewReader(from)
	for {
		raw, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw[:len(raw)-1], &m) == nil {
			b.messages <- m
		}
	}
}

// next is the next message that fits.
func (b *browser) next(what string, fits func(message) bool) message {
	b.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case m, open := <-b.messages:
			if !open {
				b.t.Fatalf("%s: the browser is gone", what)
			}
			if fits(m) {
				return m
			}
		case <-deadline:
			b.t.Fatalf("%s: the browser does not answer", what)
		}
	}
}

// send gives a command and waits for its answer.
func (b *browser) send(method string, params any) json.RawMessage {
	b.t.Helper()
	b.write(method, params)
	id := b.last
	m := b.next(method, func(m message) bool { return m.ID == id })
	if m.Error != nil {
		b.t.Fatalf("%s: %s", method, m.Error)
	}
	return m.Result
}

func (b *browser) write(method string, params any) {
	b.t.Helper()
	b.last++
	command := map[string]any{"id": b.last, "method": method}
	if params != nil {
		command["params"] = params
	}
	if b.session != "" {
		command["sessionId"] = b.session
	}
	raw, err := json.Marshal(command)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(raw, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

func (b *browser) result(method string, params, out any) {
	b.t.Helper()
	if err := json.Unmarshal(b.send(method, params), out); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// visited is what became of a visit.
type visited struct {
	Status              int
	Issuer, Text, Error string
}

// visit opens an address and waits until it has loaded.
func (b *browser) visit(address string) visited {
	b.t.Helper()
	b.write("Page.navigate", map[string]any{"url": address})
	id := b.last
	var out visited
	loaded, navigated := false, false
	for !loaded || !navigated {
		m := b.next(address, func(message) bool { return true })
		switch {
		case m.ID == id:
			navigated = true
			var result struct{ ErrorText string }
			b.decode(m.Result, &result)
			if out.Error = result.ErrorText; out.Error != "" {
				return out
			}
		case m.Method == "Page.loadEventFired":
			loaded = true
		case m.Method == "Network.responseReceived":
			var event struct {
				Type     string
				Response struct {
					Status          int
					SecurityDetails struct{ Issuer string }
				}
			}
			b.decode(m.Params, &event)
			if event.Type == "Document" {
				out.Status, out.Issuer = event.Response.Status, event.Response.SecurityDetails.Issuer
			}
		}
	}
	var value struct{ Result struct{ Value string } }
	b.result("Runtime.evaluate", map[string]any{"expression": "document.querySelector('pre').innerText"}, &value)
	out.Text = value.Result.Value
	return out
}

func (b *browser) decode(raw json.RawMessage, out any) {
	b.t.Helper()
	if err := json.Unmarshal(raw, out); err != nil {
		b.t.Fatal(err)
	}
}
