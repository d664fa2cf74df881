//go:build real

package real

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planYAML is a configuration of n portals with a page each, with names that would
// be HTML if a page let them.
func planYAML(n int) string {
	var b strings.Builder
	b.WriteString("portals:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - ref: p%d\n    name: portal-%d\n    description: \"<img src=x onerror=alert(1)>\"\n    pages:\n      - slug: home\n        content: hello\n", i, i)
	}
	return b.String()
}

// TestPlanPage opens plans of 4 and of 2,000 changes as HTML in a browser, on a
// narrow and on a wide screen, in light and in dark, and uses filters and graph.
func TestPlanPage(t *testing.T) {
	chromium := tool(t, "chromium")
	for _, n := range []int{2, 1000} {
		m, dir := newMachine(t), t.TempDir()
		config, file := filepath.Join(dir, "portals.yaml"), filepath.Join(dir, "plan.html")
		if err := os.WriteFile(config, []byte(planYAML(n)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(m.run(t, "plan", "-f", config, "--local", "-o", "html")), 0o600); err != nil {
			t.Fatal(err)
		}
		b := m.browse(t, chromium)
		for _, width := range []int{400, 1400} {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%d %d %s", 2*n, width, scheme), func(t *testing.T) {
					b.t = t
					b.send("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
					b.send("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
					b.open("file://" + file)
					b.looks("the plan", scheme)
					if n < 10 { // to ask each of so many elements takes minutes
						b.fits("the plan", width)
						b.shoot(fmt.Sprintf("plan-%d-%s.png", width, scheme))
					}
					var wide int
					if b.eval("document.documentElement.scrollWidth", &wide); wide > width {
						t.Errorf("the plan is %d wide", wide)
					}
					b.usePlan(n)
				})
			}
		}
		b.t = t
	}
}

// usePlan searches, filters and clicks.
func (b *browser) usePlan(n int) {
	b.t.Helper()
	all := fmt.Sprintf("%d of %d", 2*n, 2*n)
	for _, step := range []struct{ what, script, want string }{
		{"all", `shown()`, all},
		{"a search", `(search.value = 'portal_page "p1-home"', filters.requestSubmit(), shown())`, fmt.Sprintf("1 of %d", 2*n)},
		{"a type", `(reset.click(), type.value = "portal", type.dispatchEvent(new Event("change", {bubbles: true})), shown())`, fmt.Sprintf("%d of %d", n, 2*n)},
		{"an action", `(reset.click(), actions.querySelector("input").click(), shown())`, fmt.Sprintf("0 of %d", 2*n)},
		{"everything again", `(reset.click(), shown())`, all},
		{"collapse", `(collapse.click(), String(document.querySelectorAll(".change[open]").length))`, "0"},
		{"the graph", `(node.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})), /^#type/.test(link) ? shown() : location.hash === link || "no click")`, map[bool]string{true: fmt.Sprintf("%d of %d", n, 2*n), false: ""}[n > 60]},
		{"pictures that names would be", `String(document.images.length)`, "0"},
		{"requests", `String(performance.getEntriesByType("resource").length)`, "0"},
	} {
		var got any
		b.eval(`(() => {
			const by = (id) => document.getElementById(id);
			const [search, filters, reset, type, actions, collapse] = ["search", "filters", "clear", "type", "actions", "collapse"].map(by);
			const shown = () => by("shown").textContent;
			const a = document.querySelector(".canvas a"), node = a.querySelector("rect"), link = a.getAttribute("href");
			return `+step.script+`
		})()`, &got)
		if step.want != "" && got != step.want {
			b.t.Errorf("%s: %v, want %s", step.what, got, step.want)
		}
	}
	if n > 60 {
		return
	}
	var open bool
	b.eval(`document.querySelector("#change-1").open && document.querySelectorAll(".canvas .on").length > 1`, &open)
	if !open {
		b.t.Error("a click on a node does not show its change")
	}
}
