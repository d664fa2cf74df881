//go:build real

package real

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shots names a folder; where it is set, TestPage leaves its screenshots there.
const shots = "KONGCTL_TEST_SHOTS"

// TestPage walks through the embedded Konnect's page in a browser as people do, on
// a narrow and on a wide screen, in light and in dark.
func TestPage(t *testing.T) {
	chromium := tool(t, "chromium")
	m := newMachine(t)
	addr := freeAddr(t)
	server := m.start(t, addr, "local", "start", "--foreground", "--addr", addr, "--data", t.TempDir())
	m.run(t, "sync", "-f", example, "--base-url", server.url, "--auto-approve")

	b := m.browse(t, chromium)
	for _, width := range []int{400, 1400} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d %s", width, scheme), func(t *testing.T) {
				b.t = t
				b.send("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
				b.send("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
				b.walkPage(server.url, func(page string) {
					b.fits(page, width)
					b.looks(page, scheme)
					b.shoot(fmt.Sprintf("%s-%d-%s.png", page, width, scheme))
				})
			})
		}
	}
	b.t = t
}

// walkPage opens the page, searches, follows a name, its child and the way up, and
// opens a request.
func (b *browser) walkPage(url string, seen func(page string)) {
	b.t.Helper()
	b.open(url + "/")
	b.has("the page", "Embedded Konnect", "Stored", "Faults", "Requests", "flights-api")
	seen("start")

	b.act(`document.querySelector("input[type=search]").value = "FLIGHTS"; document.querySelector("form[role=search]").requestSubmit()`)
	b.has("the search", "flights-api")
	if text := b.text(); strings.Contains(text, "Nothing is stored") || strings.Contains(text, "api-key-auth") {
		b.t.Errorf("the search shows %s", text)
	}
	seen("search")

	b.click("flights-api")
	b.has("the resource", "API flights-api", "Children", "API publication", "Fields", `"name": "flights-api"`)
	seen("resource")
	b.act(`[...document.querySelectorAll("ul.tree a")].at(0).click()`)
	b.has("the child", "/ API flights-api /")
	seen("child")
	b.click("flights-api")
	b.has("the way up", "Children", `"name": "flights-api"`)
	b.click("Embedded Konnect")

	b.act(`[...document.querySelectorAll("tr")].find(r => /POST/.test(r.innerText) && /v3\/apis/.test(r.innerText)).querySelector("a").click()`)
	b.has("the request", "POST /v3/apis", "status 201", "Request body", "Response body", `"created_at":`)
	if text := b.text(); strings.Contains(text, "kpat_real") {
		b.t.Errorf("the request shows the token: %s", text)
	}
	seen("request")
	b.click("Embedded Konnect")
	b.act(`[...document.querySelectorAll("td.path a")].find(a => /[?].*=/.test(a.innerText)).click()`)
	b.has("a list", "GET /v", "?", "Response body", `"data": [`)
	seen("list")
}

// open visits an address.
func (b *browser) open(address string) {
	b.t.Helper()
	b.load(func() { b.write("Page.navigate", map[string]any{"url": address}) })
}

// load does something that loads a page, and waits until it has loaded.
func (b *browser) load(do func()) {
	b.t.Helper()
	do()
	id := b.last
	done, loaded := false, false
	for !done || !loaded {
		m := b.next("a page", func(message) bool { return true })
		if m.Error != nil {
			b.t.Fatalf("%s", m.Error)
		}
		done = done || m.ID == id
		loaded = loaded || m.Method == "Page.loadEventFired"
	}
}

// act runs what leads to another page.
func (b *browser) act(script string) {
	b.t.Helper()
	b.load(func() { b.write("Runtime.evaluate", map[string]any{"expression": script, "userGesture": true}) })
}

// click follows the first link with a text.
func (b *browser) click(text string) {
	b.t.Helper()
	b.act(fmt.Sprintf("[...document.querySelectorAll('a')].find(a => a.innerText.trim() === %q).click()", text))
}

// eval is what a script comes to.
func (b *browser) eval(script string, out any) {
	b.t.Helper()
	var result struct {
		Result           struct{ Value any }
		ExceptionDetails any
	}
	b.result("Runtime.evaluate", map[string]any{"expression": "JSON.stringify(" + script + ")"}, &result)
	text, ok := result.Result.Value.(string)
	if !ok || result.ExceptionDetails != nil {
		b.t.Fatalf("%s: %v", script, result)
	}
	b.decode([]byte(text), out)
}

// text is what can be read on the page, blanks joined.
func (b *browser) text() (text string) {
	b.t.Helper()
	b.eval("document.body.innerText", &text)
	return strings.Join(strings.Fields(text), " ")
}

func (b *browser) has(what string, want ...string) {
	b.t.Helper()
	text := b.text()
	for _, w := range want {
		if !strings.Contains(text, w) {
			b.t.Fatalf("%s lacks %q: %s", what, w, text)
		}
	}
}

// fits asserts that nothing reaches beyond the side of the page, but for what
// scrolls in a box of its own.
func (b *browser) fits(page string, width int) {
	b.t.Helper()
	var wide int
	b.eval("document.documentElement.scrollWidth", &wide)
	if wide > width {
		b.t.Errorf("%s is %d wide on a screen of %d", page, wide, width)
	}
	var out []string
	b.eval(`[...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML.slice(0, 120))`, &out)
	if len(out) > 0 {
		b.t.Errorf("%s: beyond a screen of %d: %s", page, width, strings.Join(out, "\n"))
	}
}

// looks asserts that text and its ground are as far apart as a scheme wants them.
func (b *browser) looks(page, scheme string) {
	b.t.Helper()
	var light []float64
	b.eval(`["color", "backgroundColor"].map(p => getComputedStyle(document.body)[p].match(/\d+/g).slice(0, 3).reduce((a, n) => a + n / 765, 0))`, &light)
	if ink, ground := light[0], light[1]; scheme == "dark" && ink-ground < 0.6 || scheme == "light" && ground-ink < 0.6 {
		b.t.Errorf("%s in %s: text %.2f, ground %.2f", page, scheme, ink, ground)
	}
}

// shoot takes a picture of the whole page, for people to look at.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv(shots)
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.result("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
