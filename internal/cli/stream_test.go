package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// failing is a way for a command to end.
type failing struct {
	name string
	args []string
	// of are the verbs that it can happen to; nil is all.
	of     []string
	status int // 0 is any but success
	// found reports that it comes with diagnostics.
	found bool
	// prepare changes the surroundings; cancelled ends the context beforehand.
	prepare   func(t *testing.T, c *console)
	cancelled bool
}

// verbsOfPlans are the verbs that write one document with -o json and yaml.
var verbsOfPlans = []string{"plan", "diff", "apply", "sync", "delete", "drift", "adopt", "resume"}

func failures() []failing {
	loads := []string{"plan", "diff", "apply", "sync", "delete", "drift", "adopt"}
	saved := []string{"diff", "apply", "sync", "delete"}
	file := []string{"-f", "a.yaml"}
	return []failing{
		{name: "a flag that does not exist", args: []string{"--bogus"}, status: exitUsage},
		{name: "a value that is wrong", args: []string{"--max-concurrency", "many"}, status: exitUsage},
		{name: "a profile that does not exist", args: append([]string{"-p", "nobody"}, file...), of: loads, status: exitUsage},
		{name: "no token", args: file, of: loads, status: exitAuth, prepare: func(_ *testing.T, c *console) { delete(c.env, "KONGCTL_KONNECT_PAT") }},
		{name: "a server that is gone", args: file, of: []string{"sync"}, status: exitFailed, prepare: func(_ *testing.T, c *console) {
			c.env["KONGCTL_KONNECT_BASE_URL"] = "http://127.0.0.1:1"
		}},
		{name: "a file that is wrong", args: []string{"-f", "wrong.yaml"}, of: loads, status: exitInvalid, found: true},
		{name: "a file that does not exist", args: []string{"-f", "none.yaml"}, of: loads, status: exitInvalid, found: true},
		{name: "a plan that is refused", args: []string{"-f", "less.yaml", "--auto-approve"}, of: []string{"sync"}, status: exitRefused},
		{name: "a plan that is refused", args: []string{"-f", "less.yaml"}, of: []string{"plan", "diff"}, status: exitRefused},
		{name: "a plan that the policy refuses", args: []string{"-f", "more.yaml", "--policy", "rules.yaml"}, of: []string{"plan", "diff", "apply", "sync"}, status: exitRefused, found: true},
		{name: "nobody to ask", args: []string{"-f", "more.yaml"}, of: []string{"apply", "sync"}, status: exitUsage},
		{name: "interrupted", args: append([]string{"--auto-approve"}, file...), of: []string{"apply", "sync", "delete", "adopt"}, status: exitInterrupted, cancelled: true},
		{name: "interrupted", args: file, of: []string{"plan", "diff", "drift"}, status: exitInterrupted, cancelled: true},
		{name: "a plan file that does not exist", args: []string{"--plan", "none.json"}, of: saved, status: exitFailed},
		{name: "a seal that is broken", args: []string{"--plan", "broken.json"}, of: saved, status: exitMoved},
		{name: "nothing to resume", of: []string{"resume"}},
		{name: "a run that does not exist", args: []string{"--discard", "20200101T000000.000000000Z"}, of: []string{"resume"}},
		{name: "changes that fail", args: []string{"-f", "more.yaml", "--auto-approve"}, of: []string{"apply", "sync"}, status: exitPartial, prepare: fails},
	}
}

// fails lets Konnect refuse to create portals.
func fails(t *testing.T, c *console) {
	t.Helper()
	(&service{t: t, url: c.env["KONGCTL_KONNECT_BASE_URL"]}).send("PUT", "/__local/faults", `{"fault":"403:1","on":["POST /v3/portals"]}`)
}

// oneCatalog is loaded once for many commands.
var oneCatalog = sync.OnceValues(catalog.Load)

// TestStreams: with json and yaml, standard output is exactly one document however
// a command ends; in text form it holds no error.
func TestStreams(t *testing.T) {
	for _, verb := range verbsOfPlans {
		for _, tc := range failures() {
			if tc.of != nil && !slices.Contains(tc.of, verb) {
				continue
			}
			for _, form := range []string{"", formJSON, formYAML} {
				if form == formYAML && verb != "sync" {
					continue // it is written where JSON is
				}
				t.Run(verb+"/"+tc.name+"/"+form, func(t *testing.T) {
					t.Parallel() // a server that is gone is asked again and again
					tc.check(t, verb, form)
				})
			}
		}
	}
}

func (tc failing) check(t *testing.T, verb, form string) {
	c := newConsole(t).real()
	c.factory.catalog = oneCatalog
	s := newService(t, c)
	c.write("home/.config/kongctl/config.yaml", "default: {}\n")
	c.write("a.yaml", "portals: [{name: dev}]\napis: [{name: a}]\n")
	c.write("rules.yaml", "rules: [{name: none, expression: changes.size() == 0, message: Nothing changes.}]\n")
	c.write("less.yaml", "apis: [{name: a}]\n")
	c.write("more.yaml", "portals: [{name: dev}, {name: two}]\napis: [{name: a}]\n")
	c.write("wrong.yaml", "portals: [{name: dev, naem: x}]\n")
	if tc.status == exitRefused || tc.status == exitMoved {
		c = s.console(c)
		c.want(exitDone, "plan", "-f", "a.yaml", "--output-file", "plan.json")
		c.write("broken.json", strings.Replace(c.read("plan.json"), `"dev"`, `"evil"`, 1))
		c = s.console(c)
		c.want(exitDone, "sync", "-f", "a.yaml", "--auto-approve")
	}
	if tc.prepare != nil {
		tc.prepare(t, c)
	}
	c = c.again().real()
	c.factory.catalog = oneCatalog
	c.factory.world.after = func(time.Duration) <-chan time.Time {
		over := make(chan time.Time, 1)
		over <- testTime
		return over
	}
	args := append([]string{verb}, tc.args...)
	if form != "" {
		args = append(args, "-o", form)
	} else if verb == "plan" {
		args = append(args, "-o", formText)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if tc.cancelled {
		cancel()
	}
	status := run(ctx, c.factory, args)
	if status == exitDone || tc.status != 0 && status != tc.status {
		t.Fatalf("exit status %d, want %d\n%s\n%s", status, tc.status, c.out, c.err)
	}
	if form == "" {
		if out := c.out.String(); strings.Contains(out, "error") {
			t.Errorf("standard output holds an error:\n%s", out)
		}
		if c.err.String() == "" {
			t.Error("standard error is empty")
		}
		return
	}
	document := one(t, form, c.out.String())
	failure, _ := document["error"].(map[string]any)
	if code, _ := failure["exit_code"].(json.Number); code.String() != strings.TrimSpace(jsonText(status)) || failure["message"] == "" {
		t.Errorf("the error is %v, want exit status %d\n%s", failure, status, c.out)
	}
	list, ok := document["diagnostics"].([]any)
	if !ok || tc.found != (len(list) > 0) {
		t.Errorf("diagnostics %v, want some: %t\n%s", document["diagnostics"], tc.found, c.out)
	}
}

// TestEveryCommandFailsWithADocument: whatever a command is for, one that was asked
// for JSON and fails writes the error with its diagnostics, of which there may be none.
func TestEveryCommandFailsWithADocument(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			walk(below)
		}
		output := cmd.Flags().Lookup("output")
		if output == nil || !slices.Contains(output.Annotations[choicesOfFlag], formJSON) {
			return
		}
		path := strings.Fields(cmd.CommandPath())[1:]
		if path[0] == "live" {
			return // its JSON is events, a line each
		}
		for _, wrong := range [][]string{{"--bogus"}, {"-p", "nobody"}, {"one", "two", "three", "four", "five", "six"}, nil} {
			c := newConsole(t).real()
			c.factory.catalog = oneCatalog
			c.write("home/.config/kongctl/config.yaml", "default: {}\n")
			args := append(append(slices.Clone(path), "-o", "json"), wrong...)
			status := c.run(args...)
			if status == exitDone {
				continue
			}
			document := one(t, formJSON, c.out.String())
			failure, _ := document["error"].(map[string]any)
			if _, ok := document["diagnostics"].([]any); !ok || failure["exit_code"] != json.Number(jsonText(status)) {
				t.Errorf("kongctl %s: exit status %d\n%s", strings.Join(args, " "), status, c.out)
			}
		}
	}
	c := newConsole(t)
	walk(newRootCmd(c.factory))
}

func jsonText(data any) string {
	raw, _ := json.Marshal(data) // a number has a JSON form
	return string(raw)
}

// one reads exactly one document.
func one(t *testing.T, form, text string) (document map[string]any) {
	t.Helper()
	if form == formYAML {
		dec := yaml.NewDecoder(strings.NewReader(text))
		var data, more any
		if err := dec.Decode(&data); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
			t.Fatalf("more than one document:\n%s", text)
		}
		text = jsonText(data)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&document); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("more than one document:\n%s", text)
	}
	return document
}

// TestWantedForm: the form counts wherever it stands.
func TestWantedForm(t *testing.T) {
	for want, lines := range map[string][]string{
		formJSON: {"sync --bogus -o json", "sync -o json --bogus", "sync --output=json --bogus", "sync --bogus -ojson", "sync -Ro json --bogus", "snyc -o json", "-o=json bogus", "sync --output json x"},
		formYAML: {"sync -o json -o yaml --bogus"},
		"":       {"sync --bogus", "sync -fo json --bogus", "sync --bogus -- -o json", "sync --output-file json --bogus"},
	} {
		for _, line := range lines {
			c := newConsole(t)
			c.want(exitUsage, strings.Fields(line)...)
			switch {
			case want == "" && c.out.String() != "":
				t.Errorf("%s: standard output has %q", line, c.out)
			case want != "":
				one(t, want, c.out.String())
			}
		}
	}
}
