package cli

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
)

var unexported = cmp.Exporter(func(reflect.Type) bool { return true })

func TestPlanFlags(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want planOptions
	}{
		"nothing":             {nil, planOptions{mode: plan.ModeSync}},
		"the target in words": {[]string{"konnect"}, planOptions{mode: plan.ModeSync}},
		"sources": {
			[]string{"-f", "a.yaml,b.yaml", "-f", "c", "--dir", "d", "-R", "--base-dir", "e"},
			planOptions{mode: plan.ModeSync, sources: sourceFlags{Files: []string{"a.yaml,b.yaml", "c"}, Dirs: []string{"d"}, Recursive: true, BaseDir: "e"}},
		},
		"apply by mode":     {[]string{"--mode", "apply"}, planOptions{mode: plan.ModeApply}},
		"apply by flag":     {[]string{"--apply-only"}, planOptions{mode: plan.ModeApply}},
		"apply by both":     {[]string{"--apply-only", "--mode=apply"}, planOptions{mode: plan.ModeApply}},
		"output":            {[]string{"-o", "json", "--output-file", "p.json"}, planOptions{mode: plan.ModeSync, output: "json", outputFile: "p.json"}},
		"status of changes": {[]string{"--detailed-exitcode"}, planOptions{mode: plan.ModeSync, detailedExitCode: true}},
		"the embedded one":  {[]string{"--local", "--data", "x"}, planOptions{mode: plan.ModeSync, connect: connectFlags{local: true}}},
		"delete by mode":    {[]string{"--mode", "delete"}, planOptions{mode: plan.ModeDelete}},
		"what is left out": {
			[]string{"--ignore-refs", "a,type:portal", "--ignore-refs", `"b,c"`, "--ignore-file", "d"},
			planOptions{mode: plan.ModeSync, scope: scopeFlags{filter: filterFlags{ignore: patternList{"a", "type:portal", "b,c"}, files: []string{"d"}}}},
		},
		"what is planned alone": {
			[]string{"--isolate-refs", "a, b"},
			planOptions{mode: plan.ModeSync, scope: scopeFlags{filter: filterFlags{isolate: patternList{"a", "b"}}}},
		},
		"replaces, one by one": {
			[]string{"--allow-replace", "a", "--allow-replace", "b"},
			planOptions{mode: plan.ModeSync, scope: scopeFlags{allowReplace: []string{"a", "b"}}},
		},
		"namespaces": {
			[]string{"--require-namespace", "a,b", "--require-any-namespace"},
			planOptions{mode: plan.ModeSync, scope: scopeFlags{requireNamespaces: []string{"a", "b"}, requireAnyNamespace: true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			var got *planOptions
			cmd := newPlanCmd(c.factory, func(_ context.Context, o *planOptions) error { got = o; return nil })
			cmd.SetArgs(tt.args)
			if err := cmd.Execute(); err != nil {
				t.Fatal(err)
			}
			got.factory, got.objects = nil, objectFlags{}
			if diff := cmp.Diff(&tt.want, got, unexported); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExecuteFlags(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want executeOptions
	}{
		"nothing":           {nil, executeOptions{}},
		"a saved plan":      {[]string{"--plan", "-", "--auto-approve"}, executeOptions{planFile: "-", autoApprove: true}},
		"the other word":    {[]string{"--yes"}, executeOptions{autoApprove: true}},
		"a dry run":         {[]string{"--dry-run"}, executeOptions{dryRun: true}},
		"trust":             {[]string{"--on-drift", "skip", "--skip-blocked", "--allow-partial", "--verify"}, executeOptions{trust: trustFlags{onDrift: driftSkip, skipBlocked: true, allowPartial: true, verify: true}}},
		"secrets":           {[]string{"--write-secret", "a", "--allow-empty", "b,c"}, executeOptions{scope: scopeFlags{writeSecret: []string{"a"}, allowEmpty: []string{"b", "c"}}}},
		"reports":           {[]string{"-o", "yaml", "--execution-report-file", "r.json"}, executeOptions{output: "yaml", reportFile: "r.json"}},
		"sources and scope": {[]string{"-f", "a", "--allow-replace", "b"}, executeOptions{sources: sourceFlags{Files: []string{"a"}}, scope: scopeFlags{allowReplace: []string{"b"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			var got []*executeOptions
			keep := func(_ context.Context, o *executeOptions) error { got = append(got, o); return nil }
			apply, sync := newApplyCmd(c.factory, keep), newSyncCmd(c.factory, keep)
			apply.SetArgs(tt.args)
			sync.SetArgs(tt.args)
			if err := apply.Execute(); err != nil {
				t.Fatal(err)
			}
			if err := sync.Execute(); err != nil {
				t.Fatal(err)
			}
			for i, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
				want := tt.want
				want.mode = mode
				if want.onGatewayFailure == "" {
					want.onGatewayFailure = gatewayAbort
				}
				if want.trust.onDrift == "" {
					want.trust.onDrift = driftAbort
				}
				got[i].factory, got[i].objects = nil, objectFlags{}
				if diff := cmp.Diff(&want, got[i], unexported); diff != "" {
					t.Errorf("options of %s (-want +got):\n%s", mode, diff)
				}
			}
		})
	}
}

func TestDiffFlags(t *testing.T) {
	c := newConsole(t)
	var got *diffOptions
	cmd := newDiffCmd(c.factory, func(_ context.Context, o *diffOptions) error { got = o; return nil })
	cmd.SetArgs([]string{"--plan", "p.json", "-o", "yaml", "--detailed-exitcode"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	got.factory, got.objects = nil, objectFlags{}
	want := &diffOptions{mode: plan.ModeSync, planFile: "p.json", output: "yaml", detailedExitCode: true}
	if diff := cmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestUsage(t *testing.T) {
	for line, want := range map[string]string{
		"plann":                                   "did you mean kongctl plan?",
		"xyzzy":                                   "its commands: adopt, api, apply, browse, completion, create, delete, diff, drift",
		"help plan pages":                         "see kongctl plan --help",
		"xyzzy --local":                           `no command "xyzzy"`,
		"init":                                    "did you mean kongctl scaffold?",
		"local init":                              "its commands: export, reset, start, status, stop",
		"local strt":                              "did you mean kongctl local start?",
		"plan --flename a":                        "did you mean --filename?",
		"plan --auto-aprove":                      "has no flag --auto-aprove",
		"sync --auto-aprove":                      "did you mean --auto-approve?",
		"plan -Z":                                 "has no flag -Z",
		"plan --max-concurrency many":             `invalid value "many" for --max-concurrency`,
		"plan --max-concurrency 0":                "must be at least 1",
		"plan -f":                                 "flag needs an argument",
		"drift gateway":                           "cannot be limited to the target gateway",
		"apply gateway --ignore-refs a":           "the target gateway and filters exclude each other",
		"sync gateway --plan p.json":              "--plan and the target gateway exclude each other",
		"sync --on-deck-failure never":            "use abort or continue",
		"apply --plan p.json --include-deck":      "--plan and --include-deck exclude each other",
		"sync konnect portals":                    `"portals" is neither a target (konnect or gateway) nor an existing file or folder`,
		"diff my.yaml":                            "name files and folders with -f",
		"plan --mode adopt":                       "use sync, apply or delete",
		"plan --mode delete --apply-only":         "--apply-only and --mode delete exclude each other",
		"sync --ignore-refs=":                     "a pattern is empty",
		"sync --isolate-refs a,,b":                "a pattern is empty",
		"plan --ignore-refs a --isolate-refs b":   "--ignore-refs and --isolate-refs exclude each other",
		"diff --ignore-file a --isolate-refs b":   "--ignore-file and --isolate-refs exclude each other",
		"apply --plan p.json --ignore-refs a":     "--plan and --ignore-refs exclude each other",
		"sync --plan p.json --isolate-refs a":     "--plan and --isolate-refs exclude each other",
		"delete --plan p.json --ignore-file a":    "--plan and --ignore-file exclude each other",
		"delete --plan p.json --fail-on-no-match": "--plan and --fail-on-no-match exclude each other",
		"delete --prune none":                     "--prune means nothing to a delete",
		"adopt":                                   "takes a type and a name or id",
		"adopt portal p":                          "add --namespace",
		"adopt portal p --namespace Web":          "a-z, 0-9",
		"adopt portl p --namespace web":           "did you mean \"portal\"?",
		"adopt portal-pages p --namespace web":    "adopt portal NAME",
		"adopt gateway-service s --namespace web": "managed elsewhere",
		"adopt portal p -f a.yaml":                "exclude each other",
		"adopt -f a.yaml --namespace web":         "exclude each other",
		"drift -o html":                           "use text, json, yaml or markdown",
		"plan --mode sync --apply-only":           "exclude each other",
		"plan -o wide":                            "use text, json, yaml",
		"version -o wide":                         "use text, json or yaml",
		"version now":                             "unexpected argument",
		"completion":                              "takes the name of one shell",
		"completion tcsh":                         "unknown shell",
		"plan --local --base-url http://x":        "--local and --base-url exclude each other",
		"sync --local --region eu":                "--local and --region exclude each other",
		"sync --data x":                           "add --local",
		"apply --plan p.json -f a.yaml":           "--plan and --filename exclude each other",
		"sync --plan p.json --allow-empty api":    "--plan and --allow-empty exclude each other",
		"diff --plan p.json --prune none":         "--plan and --prune exclude each other",
		"plan --inverse p.json --max-deletes 1":   "--inverse and --max-deletes exclude each other",
		"diff --plan p.json --mode apply":         "--plan and --mode exclude each other",
		"diff --plan p.json --base-dir x":         "--plan and --base-dir exclude each other",
		"apply --plan=":                           "no file is named",
		"local start --addr 0.0.0.0:80":           "not an address of this machine alone",
		"local start --addr konnect.test:80":      "not an address of this machine alone",
		"local stop now":                          "unexpected argument",
		"local status -o wide":                    "use text, json or yaml",
	} {
		t.Run(line, func(t *testing.T) {
			c := newConsole(t)
			c.want(exitUsage, strings.Fields(line)...)
			contains(t, "standard error", c.err, "error: ", want)
			if c.out.String() != "" {
				t.Errorf("standard output has %q", c.out)
			}
			if len(c.engine.options) > 0 {
				t.Error("the engine was started")
			}
		})
	}
}

// TestOtherWords asserts that words of other programs lead to commands with their flags,
// and are none themselves.
func TestOtherWords(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	for word, meant := range otherWords {
		if cmd, _, err := root.Find([]string{word}); err == nil && cmd != root {
			t.Errorf("%s is a command", word)
		}
		if problem := wrongCommand(root, strings.Fields(meant)); problem != "" {
			t.Errorf("%s: %s: %s", word, meant, problem)
		}
	}
}

// TestNoCache: nothing is kept between runs but names for completions, and who passes
// --no-cache is not refused.
func TestNoCache(t *testing.T) {
	c := newConsole(t).real()
	c.write("portals.yaml", portals)
	for _, line := range []string{
		"apply -f portals.yaml --auto-approve", "plan -f portals.yaml", "diff -f portals.yaml", "drift -f portals.yaml", "sync -f portals.yaml --auto-approve",
		"get portals", "list portals", "export", "dump declarative", "delete -f portals.yaml --auto-approve",
	} {
		c = c.again().real()
		c.want(exitDone, append(strings.Fields(line), "--local", "--no-cache")...)
	}
}

func TestHelp(t *testing.T) {
	for _, line := range []string{"", "--help", "plan --help", "help sync", "local", "local --help"} {
		c := newConsole(t)
		c.want(exitDone, strings.Fields(line)...)
		contains(t, "standard output of "+line, c.out, "Usage:", "--log-level")
	}
}

func TestSettingsComeFromFlags(t *testing.T) {
	c := newConsole(t)
	c.env["KONGCTL_KONNECT_REGION"] = "au"
	c.env["KONGCTL_KONNECT_PAT"] = "kpat_env"
	var got *profile.Settings
	c.factory.newEngine = func(engineOptions) (backend, error) {
		var err error
		got, err = c.factory.settings()
		return c.engine, err
	}
	c.want(exitDone, "plan", "--region", "eu", "--max-concurrency", "3", "--log-level", "error")
	for name, want := range map[string]string{profile.Region: "eu", profile.Token: "kpat_env", "max-concurrency": "3", settingLogLevel: "error", settingPrune: ""} {
		if got.String(name) != want {
			t.Errorf("setting %s is %q, want %q", name, got.String(name), want)
		}
	}
}
