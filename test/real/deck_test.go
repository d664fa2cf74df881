//go:build real

package real

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// TestDeckPing is how people see whether decK reaches Konnect.
func TestDeckPing(t *testing.T) {
	p := newDeck(t).plane(t, "ping")
	if out := p.gateway(t, "ping"); !strings.Contains(out, "Successfully Konnected") {
		t.Errorf("ping says %q", out)
	}
	out, code := p.try(t, "gateway", "ping", "--konnect-control-plane-name", "nobody")
	if code == 0 || !strings.Contains(out, "nobody") {
		t.Errorf("a control plane that is not there: %d %s", code, out)
	}
}

// TestDeckValidate asserts that decK can ask whether a file is right without
// writing it.
func TestDeckValidate(t *testing.T) {
	p := newDeck(t).plane(t, "cp")
	fill := secrets(t)
	for _, name := range []string{"service", "consumer", "upstream", "certificate", "vault", "expression"} {
		raw, err := os.ReadFile("testdata/state/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		p.gateway(t, "validate", p.write(t, "deck.yaml", fill.Replace(string(raw))))
	}
	bad := p.write(t, "deck.yaml", "_format_version: \"3.0\"\nservices:\n- {name: s, host: h, path: nox}\nplugins:\n- {name: cors, config: {orgins: [\"*\"]}}\n")
	out, code := p.try(t, "gateway", "validate", "--konnect-control-plane-name", p.name, bad)
	if code == 0 || !strings.Contains(out, "should start with") || !strings.Contains(out, "orgins") {
		t.Errorf("exit status %d\n%s", code, out)
	}
	if dump := p.dump(t); dump["services"] != nil {
		t.Errorf("validation wrote %v", dump)
	}
}

// TestDeckFiles asserts for every file below testdata/state: it is written, a
// second run changes nothing, a dump gives it back, and the dump makes another
// control plane the same.
func TestDeckFiles(t *testing.T) {
	d := newDeck(t)
	files, err := filepath.Glob("testdata/state/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	fill := secrets(t)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := d.plane(t, name)
			path := p.write(t, "deck.yaml", fill.Replace(string(raw)))

			planned := counted(t, p.gateway(t, "diff", path))
			if planned.Created == 0 || planned.Updated+planned.Deleted > 0 {
				t.Fatalf("the first diff: %+v", planned)
			}
			p.expect(t, planned, "sync", path)
			p.expect(t, changed{}, "sync", path)
			p.expect(t, changed{}, "diff", path)
			p.expect(t, changed{}, "apply", path)

			marked := p.write(t, "marked.yaml", encodeYAML(t, tagged(readYAML(t, path), "")))
			updated := counted(t, p.gateway(t, "sync", marked))
			if updated.Created+updated.Deleted > 0 || updated.Updated == 0 {
				t.Errorf("new tags: %+v", updated)
			}
			p.expect(t, changed{}, "sync", marked)
			p.expect(t, changed{Updated: updated.Updated}, "sync", path)

			dump := p.dump(t)
			for _, problem := range within("", readYAML(t, path), dump) {
				t.Errorf("the dump has %s", problem)
			}
			other := d.plane(t, name+"-copy")
			copied := other.write(t, "deck.yaml", encodeYAML(t, dump))
			other.gateway(t, "sync", copied)
			if diff := cmp.Diff(withoutIDs(dump), withoutIDs(other.dump(t))); diff != "" {
				t.Errorf("the dump of the copy (-first +second):\n%s", diff)
			}
			p.expect(t, changed{Deleted: planned.Created}, "sync", p.write(t, "empty.yaml", "_format_version: \"3.0\"\n"))
		})
	}
}

func encodeYAML(t *testing.T, v any) string {
	t.Helper()
	raw, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestDeckIDs asserts that a dump with ids can be written to another control
// plane, and that a run of it changes nothing.
func TestDeckIDs(t *testing.T) {
	d := newDeck(t)
	one, two := d.plane(t, "one"), d.plane(t, "two")
	one.gateway(t, "sync", absolute(t, "testdata/state/service.yaml"))
	dump := one.dump(t, "--with-id")
	file := two.write(t, "deck.yaml", encodeYAML(t, dump))
	two.gateway(t, "sync", file)
	if diff := cmp.Diff(dump, two.dump(t, "--with-id")); diff != "" {
		t.Errorf("the ids differ (-first +second):\n%s", diff)
	}
	one.expect(t, changed{}, "sync", file)
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	out, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	deckBefore = `_format_version: "3.0"
services:
- name: orders
  host: orders.example
  routes:
  - {name: all, paths: [/orders]}
  - {name: old, paths: [/old]}
`
	deckAfter = `_format_version: "3.0"
services:
- name: orders
  host: orders.example
  routes:
  - {name: all, paths: [/orders, /v2/orders]}
`
)

// TestDeckChanges asserts that what changed is changed, and that apply deletes
// nothing.
func TestDeckChanges(t *testing.T) {
	p := newDeck(t).plane(t, "cp")
	before, after := p.write(t, "before.yaml", deckBefore), p.write(t, "after.yaml", deckAfter)
	p.expect(t, changed{Created: 3}, "apply", before)
	if out := p.gateway(t, "diff", after); !strings.Contains(out, "/v2/orders") {
		t.Errorf("the diff does not show the change:\n%s", out)
	}
	p.expect(t, changed{Updated: 1}, "apply", after)
	p.expect(t, changed{Deleted: 1}, "sync", after)
	p.expect(t, changed{}, "sync", after)
}

// TestDeckWeights asserts that decK can change the weight of a target: it asks
// for that with PATCH, which the contract does not have.
func TestDeckWeights(t *testing.T) {
	p := newDeck(t).plane(t, "cp")
	file := func(weight int) string {
		return p.write(t, "deck.yaml", fmt.Sprintf("_format_version: \"3.0\"\nupstreams:\n- name: pool\n  targets:\n  - {target: 10.0.0.1:80, weight: %d, tags: [a]}\n", weight))
	}
	p.expect(t, changed{Created: 2}, "sync", file(10))
	p.expect(t, changed{Updated: 1}, "sync", file(20))
	p.expect(t, changed{}, "sync", file(20))
	p.expect(t, changed{Updated: 1}, "apply", file(0))
	for _, problem := range within("", readYAML(t, file(0)), p.dump(t)) {
		t.Errorf("the dump has %s", problem)
	}
}

// TestDeckSelectTags asserts that two teams share a control plane.
func TestDeckSelectTags(t *testing.T) {
	p := newDeck(t).plane(t, "shared")
	file := func(team string, services ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "_format_version: \"3.0\"\n_info:\n  select_tags: [team-%s, shared]\nservices:\n", team)
		for _, s := range services {
			fmt.Fprintf(&b, "- name: %s-%s\n  host: h\n  routes:\n  - {name: %s-%s, paths: [/%s]}\n", team, s, team, s, s)
		}
		return p.write(t, team+".yaml", b.String())
	}
	p.expect(t, changed{Created: 4}, "sync", file("a", "one", "two"))
	p.expect(t, changed{Created: 2}, "sync", file("b", "one"))
	p.expect(t, changed{Deleted: 2}, "sync", file("a", "one"))
	p.expect(t, changed{}, "sync", file("b", "one"))
	services, _ := p.dump(t, "--select-tag", "team-b")["services"].([]any)
	if len(services) != 1 || services[0].(map[string]any)["name"] != "b-one" {
		t.Errorf("the dump of one team has %v", services)
	}
}

// TestDeckPages asserts that decK reads more than one page, all of it.
func TestDeckPages(t *testing.T) {
	p := newDeck(t).plane(t, "large")
	const many = 1010 // decK asks for pages of 1,000
	var b bytes.Buffer
	b.WriteString("_format_version: \"3.0\"\nservices:\n")
	for i := range many {
		fmt.Fprintf(&b, "- {name: s%d, host: h}\n", i)
	}
	file := p.write(t, "deck.yaml", b.String())
	p.expect(t, changed{Created: many}, "sync", file)
	p.expect(t, changed{}, "sync", file)
	services, _ := p.dump(t)["services"].([]any)
	if len(services) != many {
		t.Errorf("the dump has %d services", len(services))
	}
}

// TestDeckRefusals asserts that decK fails with what the gateway says.
func TestDeckRefusals(t *testing.T) {
	p := newDeck(t).plane(t, "cp")
	for _, row := range []struct{ what, file, says string }{
		{"a field that a plugin lacks", "plugins:\n- {name: cors, config: {orgins: [\"*\"]}}", "unknown field"},
		{"a plugin that is not known", "plugins:\n- {name: nonesuch}", "404"},
		{"a name that is taken", "services:\n- {name: a, id: 1f3e5a7b-0000-4000-8000-000000000001, host: h}\nconsumers:\n- {username: first, custom_id: one}\n- {username: second, custom_id: one}", "custom_id"},
	} {
		t.Run(row.what, func(t *testing.T) {
			out, code := p.try(t, "gateway", "sync", "--konnect-control-plane-name", p.name, p.write(t, "deck.yaml", "_format_version: \"3.0\"\n"+row.file+"\n"))
			if code == 0 || !strings.Contains(out, row.says) {
				t.Errorf("exit status %d\n%s", code, out)
			}
		})
	}
}
