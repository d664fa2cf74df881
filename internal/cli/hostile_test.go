package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// harmless runs a command and asserts that nothing of what it prints would take
// over a terminal. It returns the exit status.
func (c *console) harmless(args ...string) int {
	c.t.Helper()
	ctx, cancel := context.WithCancel(c.t.Context())
	defer cancel()
	if len(args) > 1 && args[0] == "local" && args[1] == "start" {
		cancel() // a server would not end
	}
	status := run(ctx, c.factory, args)
	s := c.factory.world.streams
	for name, stream := range map[string]struct {
		text     string
		terminal bool
	}{"standard output": {c.out.String(), s.outTerminal}, "standard error": {c.err.String(), s.errTerminal}} {
		if what := testkit.Unsafe(stream.text, stream.terminal); what != "" {
			c.t.Errorf("%q: %s holds %s:\n%q", args, name, what, stream.text)
		}
	}
	return status
}

// terminal makes both outputs of a console terminals.
func (c *console) terminal() *console {
	s := c.factory.world.streams
	s.outTerminal, s.errTerminal = true, true
	return c
}

// consoles are the kinds of output that a command may have.
func consoles(c *console) []*console {
	return []*console{c.again().real(), c.again().real().terminal()}
}

// Every flag and argument of every command.
func TestHostileFlags(t *testing.T) {
	t.Chdir(t.TempDir())      // some flags name files to write
	seen := map[string]bool{} // flags that a command before had, too
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		places := []bool{false, true}
		attack := func(args ...string) {
			for _, terminal := range places {
				c := newConsole(t)
				if terminal {
					c.terminal()
				}
				c.harmless(append(slices.Clone(path), args...)...)
			}
		}
		attack(testkit.HostileBytes)
		attack("--" + testkit.HostileBytes)
		attack("-" + testkit.HostileBytes)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			// What a flag says on a terminal does not depend on the command.
			if places = []bool{false, true}; seen[f.Name+f.Usage] {
				places = places[:1]
			}
			seen[f.Name+f.Usage] = true
			attack("--" + f.Name + "=" + testkit.HostileBytes)
		})
		places = []bool{false, true}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRootCmd(newConsole(t).factory))
}

func TestHostileSettings(t *testing.T) {
	for name := range strings.FieldsSeq("KONGCTL_PROFILE KONGCTL_LOG_LEVEL KONGCTL_LOG_FORMAT KONGCTL_LOG_FILE KONGCTL_KONNECT_REGION KONGCTL_KONNECT_BASE_URL KONGCTL_KONNECT_PAT KONGCTL_KONNECT_DECLARATIVE_PRUNE KONGCTL_MAX_CONCURRENCY KONGCTL_DECK_MODE KONGCTL_LOCAL_DATA XDG_CONFIG_HOME XDG_STATE_HOME") {
		c := newConsole(t)
		c.write("portals.yaml", portals)
		for _, c := range consoles(c) {
			c.env[name] = c.dir + "/" + testkit.HostileBytes
			c.harmless("plan", "-f", "portals.yaml", "--base-url", "http://127.0.0.1:1")
			c.harmless("plan", "-f", "portals.yaml", "--local")
		}
	}
	c := newConsole(t)
	config := c.write(testkit.Hostile, fmt.Sprintf("default:\n  %q: x\n  %q: y\n  konnect.region: %q\n", "log-leve", testkit.Hostile, testkit.Hostile))
	for _, c := range consoles(c) {
		c.harmless("plan", "-f", "portals.yaml", "--config-file", config)
		c.harmless("plan", "-f", "portals.yaml", "--config-file", config, "-p", testkit.HostileBytes)
	}
}

// File names, in every way that they may be named.
func TestHostileFileNames(t *testing.T) {
	for name, text := range map[string]string{
		"broken":        "a: b: c\n",
		"another's":     "foo: 1\n",
		"a typo":        "portal: []\n",
		"wrong":         "portals: [{name: dev, colour: x}]\n",
		"a missing one": fmt.Sprintf("portals: [{name: !file %q}]\n", testkit.Hostile+"x"),
		"decK's":        "_format_version: '3.0'\nportals: []\n",
		"Kubernetes'":   fmt.Sprintf("apiVersion: v1\nkind: %q\n", testkit.Hostile),
		"fine":          "portals: [{name: dev}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.write("conf/"+testkit.Hostile+"/"+testkit.Hostile+".yaml", text)
			c.write("conf/good.yaml", "apis: [{name: a}]\n")
			file := "conf/" + testkit.Hostile + "/" + testkit.Hostile + ".yaml"
			for _, c := range consoles(c) {
				c.harmless("plan", "--local", "-f", file, "--log-level", "trace", "--log-format", "json")
				c.harmless("drift", "--local", "--dir", "conf", "--log-level", "trace")
				c.harmless("sync", "--local", "--dir", "conf", "--auto-approve")
				if name != "fine" {
					continue
				}
				c.harmless("plan", "--local", "--plan", file)
				c.harmless("apply", "--local", "--plan", file)
				c.harmless("apply", "--local", "--plan", file, "--verify-key", file)
				c.harmless("plan", "--local", "-f", "conf/good.yaml", "--output-file", file+"/x")
				c.harmless("plan", "--local", "-f", "conf/good.yaml", "--ignore-file", file)
				c.harmless("plan", "--local", "-f", "conf/good.yaml", "--sign", file)
				c.harmless("diff", "--local", "--plan", file, "--against", file)
				c.harmless("export", "--local", "--split-dir", file)
				c.harmless("export", "--local", "--output-file", file+"/x")
				c.harmless("plan", "--local", "--inverse", file)
				c.harmless("plan", "--local", "--merge", file, file)
			}
		})
	}
}

// wrongWith are configurations with hostile text at all places.
func wrongWith(x string) string {
	return strings.NewReplacer("EVIL", fmt.Sprintf("%q", x)).Replace(`
_defaults: {kongctl: {namespace: EVIL, EVIL: 1}}
EVIL: [{name: a}]
organization: {EVIL: []}
moved: [{type: EVIL, from: EVIL, to: EVIL}, {type: portal, from: EVIL, to: EVIL}]
external_resources:
  - {ref: EVIL, resource_type: EVIL, id: EVIL}
  - {ref: ext, resource_type: ce_service, EVIL: EVIL, selector: {matchFields: {EVIL: EVIL}}}
portals:
  - {ref: EVIL, name: EVIL, EVIL: EVIL, labels: {EVIL: EVIL}, default_api_visibility: EVIL, kongctl: {EVIL: EVIL, namespace: EVIL, protected: EVIL}}
  - {name: EVIL, default_application_auth_strategy_id: EVIL, pages: [{slug: EVIL, EVIL: 1, visibility: EVIL}]}
  - {name: !env EVIL, description: !ref EVIL, display_name: !file EVIL}
  - {name: x, description: !secret {source: !env EVIL}, display_name: !lookup {name: EVIL}}
  - {name: y, description: !EVIL x}
  - EVIL
apis:
  - {name: EVIL, publications: [{portal: EVIL, auth_strategy_ids: [EVIL]}], versions: [{version: EVIL, spec: EVIL}]}
control_planes:
  - {name: EVIL, _deck: {files: [EVIL], flags: [EVIL], EVIL: 1}}
  - {name: EVIL, _external: {selector: {matchFields: {EVIL: EVIL}}, EVIL: 1}}
  - {name: b, _deck: {state: {services: [{name: EVIL, EVIL: EVIL}]}}}
`)
}

func TestHostileConfigurations(t *testing.T) {
	c := newConsole(t)
	all := wrongWith(testkit.Hostile)
	c.write("all.yaml", all)
	c.write("one.yaml", "EVIL: 1\n")
	lines := strings.Split(strings.TrimSpace(all), "\n")
	for _, c := range consoles(c) {
		c.harmless("plan", "--local", "-f", "all.yaml", "--log-level", "trace")
		for i := range lines { // less and less: one problem may hide another
			if c.factory.world.streams.outTerminal || i%2 == 1 {
				continue
			}
			c := c.again().real()
			c.write("part.yaml", strings.Join(lines[:i], "\n"))
			c.harmless("plan", "--local", "-f", "part.yaml")
		}
		c.harmless("plan", "--local", "--dir", ".", "--ignore-refs", testkit.HostileBytes, "--allow-empty", testkit.HostileBytes)
	}
}

// A configuration that is right, as far as names go, through all verbs.
func TestHostileNames(t *testing.T) {
	c := newConsole(t)
	evil := fmt.Sprintf("%q", strings.ReplaceAll(testkit.Hostile, "\n", " "))
	lines := fmt.Sprintf("%q", testkit.Hostile)
	c.write("a.yaml", "_defaults: {kongctl: {namespace: h}}\nportals: [{ref: p, name: "+evil+", description: "+lines+", pages: [{slug: home, content: "+lines+", title: "+evil+"}]}]\n"+
		"apis: [{ref: a, name: "+evil+", description: "+lines+", labels: {k: v}, publications: [{portal: p}]}]\nteams: [{ref: t, name: "+evil+", description: "+lines+"}]\n")
	c.write("b.yaml", "_defaults: {kongctl: {namespace: h}}\nportals: [{ref: p, name: "+evil+", description: changed}]\napis: [{ref: a, name: "+evil+", description: x}]\nteams: []\n")
	for i, c := range consoles(c) {
		c.env["XDG_DATA_HOME"] = fmt.Sprintf("%s/data%d", c.dir, i)
		for j, args := range [][]string{
			{"sync", "-f", "a.yaml", "--dry-run"},
			{"plan", "-f", "a.yaml", "--output-file", "a.json"},
			{"sync", "--plan", "a.json", "--auto-approve", "-o", "json", "--log-level", "trace"},
			{"export"},
			{"dump", "declarative"},
			{"export", "--split-dir", "split"},
			{"plan", "-f", "b.yaml", "-o", "text"},
			{"plan", "-f", "b.yaml", "-o", "json"},
			{"plan", "-f", "b.yaml", "-o", "yaml"},
			{"diff", "-f", "b.yaml"},
			{"drift", "-f", "b.yaml"},
			{"drift", "-f", "b.yaml", "-o", "json"},
			{"plan", "-f", "b.yaml", "--output-file", "b.json"},
			{"diff", "--plan", "a.json", "--against", "b.json"},
			{"plan", "--inverse", "a.json", "-o", "text"},
			{"plan", "--merge", "a.json", "b.json"},
			{"plan", "-f", "b.yaml", "--max-deletes", "0"},
			{"adopt", "portal", testkit.Hostile, "--namespace", "h"},
			{"sync", "-f", "b.yaml", "--auto-approve", "-o", "yaml"},
			{"sync", "--plan", "b.json", "--auto-approve"},
			{"apply", "-f", "a.yaml", "--auto-approve"},
			{"delete", "-f", "a.yaml", "--auto-approve"},
			{"local", "status"},
			{"resume"},
		} {
			next := c.again().real()
			next.env = c.env
			if i == 1 {
				next.terminal()
			}
			if args[0] != "local" && args[0] != "resume" {
				args = append(args, "--local")
			}
			status := next.harmless(args...)
			if j < 3 && status != exitDone {
				t.Fatalf("%q: exit status %d\n%s", args, status, next.err)
			}
		}
	}
}

// hostileKonnect answers every request with a status and hostile texts.
func hostileKonnect(t *testing.T, status int) string {
	x := testkit.Hostile
	problem, err := json.Marshal(map[string]any{
		"status": status, "title": x, "detail": x, "instance": x, "message": x, "type": x,
		"invalid_parameters": []any{map[string]any{"field": x, "reason": x, "rule": x}},
		"data":               []any{map[string]any{"id": x, "name": x, "labels": map[string]any{x: x, "KONGCTL-namespace": "default"}}},
		"meta":               map[string]any{"page": map[string]any{"total": 1, "number": 1, "size": 100}},
		"id":                 x, "name": x,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(problem)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestHostileServers(t *testing.T) {
	for _, status := range []int{200, 400, 401, 403, 404, 409, 422} {
		c := newConsole(t)
		c.write("portals.yaml", portals+"\nteams: [{name: t}]\napis: []\n")
		c.env["KONGCTL_KONNECT_PAT"] = "kpat_x"
		url := hostileKonnect(t, status)
		for _, c := range consoles(c) {
			for _, verb := range []string{"plan", "sync", "drift", "delete"} {
				for _, format := range []string{"text", "json"} {
					args := []string{verb, "-f", "portals.yaml", "--base-url", url, "--log-level", "trace", "--log-format", format}
					if verb == "sync" || verb == "delete" {
						args = append(args, "--auto-approve", "--allow-partial")
					}
					c.harmless(args...)
				}
			}
			c.harmless("export", "--base-url", url)
			c.harmless("adopt", "portal", "x", "--namespace", "y", "--base-url", url)
		}
	}
}

// A plan is a file that anybody may have written.
func TestHostilePlans(t *testing.T) {
	c := newConsole(t)
	p := testPlan(plan.ModeSync, 2)
	x := testkit.Hostile
	raw := planText(t, p)
	for _, word := range []string{"portal-a", "portal", "CREATE", "default", "full", "name"} {
		text := strings.ReplaceAll(raw, `"`+word+`"`, fmt.Sprintf("%q", word+strings.ReplaceAll(strings.ReplaceAll(x, "\b", ""), "\u009b", "")))
		text = strings.NewReplacer(`\x1b`, `\u001b`, `\a`, `\u0007`, `\x7f`, `\u007f`).Replace(text)
		if !json.Valid([]byte(text)) {
			t.Fatalf("not JSON: %s", text)
		}
		c.write("plan.json", text)
		for _, c := range consoles(c) {
			for _, args := range [][]string{{"diff", "--plan", "plan.json"}, {"sync", "--plan", "plan.json", "--auto-approve"}, {"apply", "--plan", "plan.json"}, {"plan", "--inverse", "plan.json"}, {"diff", "--plan", "plan.json", "--against", "plan.json"}} {
				c.harmless(append(args, "--local")...)
			}
		}
	}
	p.Changes[0].ResourceRef, p.Changes[0].ID, p.Changes[1].ResourceName = x, "1:c:portal:"+x, x
	p.Blocked = []plan.Blocked{{ResourceType: x, ResourceRef: x, Action: plan.Action(x), By: x, Message: x}}
	p.Warnings = []plan.Warning{{Message: x}}
	p.ExecutionOrder = []string{p.Changes[0].ID, p.Changes[1].ID}
	text := planText(t, p)
	if what := testkit.Unsafe(text, false); what != "" {
		t.Errorf("a plan document holds %s", what)
	}
	c.write("plan.json", text)
	for _, c := range consoles(c) {
		for _, args := range [][]string{{"diff", "--plan", "plan.json"}, {"diff", "--plan", "plan.json", "-o", "json"}, {"diff", "--plan", "plan.json", "-o", "yaml"}, {"sync", "--plan", "plan.json", "--auto-approve", "--skip-blocked"}, {"plan", "--inverse", "plan.json"}} {
			c.harmless(append(args, "--local")...)
		}
	}
}
