//go:build real

package real

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// written is output that is read while it is written.
type written struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// TestLogin logs in as people do: kongctl shows a code and a page, a browser opens
// the page, somebody approves.
func TestLogin(t *testing.T) {
	chromium := tool(t, "chromium")
	m := newMachine(t)
	m.env = slices.DeleteFunc(m.env, func(v string) bool { return strings.HasPrefix(v, "KONGCTL_KONNECT_PAT=") })
	addr := freeAddr(t)
	server := m.start(t, addr, "local", "start", "--foreground", "--addr", addr, "--data", t.TempDir())
	b := m.browse(t, chromium)
	for _, button := range []string{"Deny", "Approve"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var out written
		cmd := m.command(ctx, "login", "--no-browser", "--base-url", server.url)
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		page := awaitPage(ctx, t, &out)
		b.open(page)
		code := page[strings.LastIndex(page, "=")+1:]
		b.has("the page", "Does the terminal show this code?", code)
		b.shoot("login-" + strings.ToLower(button) + ".png")
		b.act(`[...document.querySelectorAll("button")].find(b => b.textContent == "` + button + `").click()`)
		b.has("the page", "You can close this page and return to the terminal.")
		err := cmd.Wait()
		if (err == nil) != (button == "Approve") {
			t.Fatalf("%s: %v\n%s", button, err, out.String())
		}
	}
	me := m.run(t, "get", "me", "--base-url", server.url)
	if !strings.Contains(me, "local@example.com") {
		t.Error(me)
	}
	m.run(t, "logout", "--base-url", server.url)
	if text, status := m.try(t, "get", "me", "--base-url", server.url); status != 3 {
		t.Errorf("%d %s", status, text)
	}
}

// awaitPage is the page that kongctl shows.
func awaitPage(ctx context.Context, t *testing.T, out *written) string {
	t.Helper()
	form := regexp.MustCompile(`(?m)^  page  (http://\S+\?code=\S+)$`)
	for {
		if found := form.FindStringSubmatch(out.String()); found != nil {
			return found[1]
		}
		select {
		case <-ctx.Done():
			t.Fatalf("no page is shown:\n%s", out.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
