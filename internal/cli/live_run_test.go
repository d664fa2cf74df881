package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// parsed returns the options of a command line below live.
func parsed[T any](t *testing.T, newCmd func(*factory, func(context.Context, *T) error) *cobra.Command, args ...string) *T {
	t.Helper()
	c := newConsole(t)
	var got *T
	parent := newLiveCmd(c.factory)
	cmd := newCmd(c.factory, func(_ context.Context, o *T) error { got = o; return nil })
	for _, other := range parent.Commands() {
		if other.Name() == cmd.Name() {
			parent.RemoveCommand(other)
		}
	}
	parent.AddCommand(cmd)
	parent.SetArgs(append([]string{cmd.Name()}, args...))
	parent.SilenceUsage, parent.SilenceErrors = true, true
	if err := parent.Execute(); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLiveApplyFlags(t *testing.T) {
	usual := object.Options{Manager: "kongctl", Policy: object.Strict, Propagation: "Background"}
	with := func(change func(*object.Options)) object.Options { o := usual; change(&o); return o }
	for name, tt := range map[string]struct {
		args    []string
		sources sourceFlags
		options object.Options
	}{
		"the current folder":  {nil, sourceFlags{Dirs: []string{"."}}, usual},
		"a folder":            {[]string{"pkg", "--exclude", "drafts/"}, sourceFlags{Dirs: []string{"pkg"}, Exclude: []string{"drafts/"}}, usual},
		"standard input":      {[]string{"-"}, sourceFlags{Files: []string{"-"}}, usual},
		"a policy":            {[]string{"--inventory-policy", "force-adopt"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.Policy = object.ForceAdopt })},
		"a manager":           {[]string{"--field-manager=ci", "--force-conflicts"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.Manager, o.ForceConflicts = "ci", true })},
		"no definition":       {[]string{"--install-resource-group=false"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.NoInstall = true })},
		"time limits":         {[]string{"--reconcile-timeout=5m", "--prune-timeout=30s"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.ReconcileTimeout, o.DeleteTimeout = 5*time.Minute, 30*time.Second })},
		"deletes, any case":   {[]string{"--prune-propagation-policy=foreground"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.Propagation = "Foreground" })},
		"no statuses":         {[]string{"--status-policy", "none"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.NoStatus = true })},
		"a large inventory":   {[]string{"--inventory-split", "--inventory-limit=20"}, sourceFlags{Dirs: []string{"."}}, with(func(o *object.Options) { o.Split, o.Limit = true, 20 })},
		"kpt's flags, no-ops": {[]string{"--server-side", "--install-resource-group"}, sourceFlags{Dirs: []string{"."}}, usual},
	} {
		t.Run(name, func(t *testing.T) {
			got := parsed(t, newLiveApplyCmd, tt.args...)
			if diff := cmp.Diff(tt.sources, got.input.sources); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.options, got.input.objects.options()); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
			if !got.autoApprove || got.mode != plan.ModeLive || got.prune != engine.PruneFull || !cmp.Equal(got.targets, []string{"kube"}) {
				t.Errorf("approve %v, mode %s, prune %s, targets %v", got.autoApprove, got.mode, got.prune, got.targets)
			}
		})
	}
}

func TestLiveDryRunFlag(t *testing.T) {
	for arg, want := range map[string][2]bool{"--dry-run": {true, false}, "--dry-run=server": {true, false}, "--dry-run=client": {true, true}, "--dry-run=none": {}} {
		for _, got := range []*liveRunOptions{parsed(t, newLiveApplyCmd, arg), parsed(t, newLiveDestroyCmd, arg)} {
			if got.dryRun != want[0] || got.input.objects.client != want[1] {
				t.Errorf("%s: dry run %v, client %v", arg, got.dryRun, got.input.objects.client)
			}
		}
	}
	if got := parsed(t, newLiveApplyCmd, "--no-prune"); got.prune != engine.PruneNone {
		t.Errorf("--no-prune: prune %s", got.prune)
	}
	if got := parsed(t, newLiveDestroyCmd, "--delete-timeout=1m", "--delete-propagation-policy", "Orphan"); !got.input.objects.destroy || got.input.objects.options().DeleteTimeout != time.Minute || got.input.objects.options().Propagation != "Orphan" {
		t.Errorf("destroy: %+v", got.input.objects)
	}
}

func TestLiveStatusFlags(t *testing.T) {
	got := parsed(t, newLiveStatusCmd, "pkg", "--poll-until", "current", "--timeout=1m", "--namespaces=a,b", "--statuses", "inprogress,Failed", "-o", "json")
	if got.until != "current" || got.timeout != time.Minute || !cmp.Equal(got.namespaces, []string{"a", "b"}) || !cmp.Equal(got.statuses, []string{"InProgress", "Failed"}) || got.steps.form != formJSON {
		t.Errorf("%+v", got)
	}
}

func TestLiveRunUsage(t *testing.T) {
	for line, want := range map[string]string{
		"apply a b":                           `unexpected argument "b"`,
		"apply --server-side=false":           "--server-side=false: objects are always applied on the server",
		"apply --dry-run client":              "write --dry-run=client",
		"diff --reconcile-timeout=1s":         "has no flag --reconcile-timeout",
		"apply --dry-run=yes":                 "use none, client or server",
		"apply --inventory-policy=lenient":    "use strict, adopt or force-adopt",
		"apply --prune-propagation-policy=No": "use Background, Foreground or Orphan",
		"apply --status-policy=some":          "use all or none",
		"apply --reconcile-timeout=-1s":       "must not be negative",
		"apply --reconcile-timeout=soon":      "want a duration such as 30s",
		"apply --request-timeout=soon":        "want a duration such as 30s",
		"apply --field-manager=":              "want 1 to 128 characters",
		"apply --rg-file=":                    "want the name of a file",
		"apply --inventory-limit=3":           "--inventory-limit is for --inventory-split",
		"apply -o yaml":                       "use events, json or table",
		"apply --max-concurrency=0":           "must be at least 1",
		"apply - --verify":                    "--verify and - exclude each other",
		"apply pkg --plan p.json":             "--plan and a folder or - exclude each other",
		"apply --plan p.json --rg-file=a":     "--plan and --rg-file exclude each other",
		"apply --plan p.json --no-prune":      "--plan and --no-prune exclude each other",
		"apply --verify-key k":                "--verify-key checks a saved plan",
		"apply --max-deletes=some":            "use a number such as 10, or a percentage such as 5%",
		"destroy --reconcile-timeout=1s":      "has no flag --reconcile-timeout",
		"destroy --plan p.json":               "has no flag --plan",
		"status --poll-until=later":           "use known, current, deleted or forever",
		"status --inv-names=a":                "add --inv-type remote",
		"status pkg --inv-type=remote":        "--inv-type remote reads no files",
		"status --statuses=Fine":              "use Current, InProgress, Failed, Terminating, NotFound or Unknown",
		"status --timeout=-1s":                "must not be negative",
		"install-resource-group pkg":          `unexpected argument "pkg"`,
		"inventory":                           "",
		"inventory rebild":                    "did you mean kongctl live inventory rebuild?",
		"diff -o events":                      "use text, json or yaml",
		"plan --output-file":                  "flag needs an argument",
	} {
		t.Run(line, func(t *testing.T) {
			c := newConsole(t)
			status := exitUsage
			if want == "" {
				status = exitDone
			}
			c.want(status, append([]string{"live"}, strings.Fields(line)...)...)
			contains(t, "standard error", c.err, want)
			if len(c.engine.plans) > 0 {
				t.Error("a plan was made")
			}
		})
	}
}

// liveTestPlan applies two objects after the inventory, and prunes one.
func liveTestPlan() *engine.Planned {
	p := &plan.Plan{Metadata: plan.Metadata{Mode: plan.ModeLive}, ExecutionGroups: [][]string{{"i"}, {"a"}, {"b"}, {"p"}}, ExecutionOrder: []string{"i", "a", "b", "p"}}
	object.Scope{Inventory: object.Inventory{Name: "inv", Namespace: "prod", ID: "inv-prod"}}.Describe(&p.Metadata)
	change := func(id string, action plan.Action, kind, name string) {
		c := &plan.Change{ID: id, Action: action, ResourceType: kind, ResourceRef: strings.ToLower(kind) + "." + name, ResourceName: name}
		fields := map[string]any{"metadata": map[string]any{"name": name, "namespace": "prod"}}
		if c.Fields = fields; action == plan.Delete {
			c.Fields, c.CurrentState = nil, fields
		}
		p.Changes = append(p.Changes, c)
	}
	change("i", plan.Create, "k8s:kpt.dev/v1alpha1/ResourceGroup", "inv")
	change("a", plan.Create, "k8s:v1/ConfigMap", "settings")
	change("b", plan.Update, "k8s:apps/v1/Deployment", "web")
	change("p", plan.Delete, "k8s:v1/Secret", "old")
	return &engine.Planned{Plan: p, Compared: 4}
}

func TestLiveApplyEvents(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = liveTestPlan()
	c.want(exitDone, "live", "apply")
	want := `inventory update started
inventory update finished
apply phase started
configmap/settings apply successful
apply phase finished
reconcile phase started
configmap/settings reconcile successful
reconcile phase finished
apply phase started
deployment.apps/web apply successful
apply phase finished
reconcile phase started
deployment.apps/web reconcile successful
reconcile phase finished
prune phase started
secret/old prune successful
prune phase finished
reconcile phase started
secret/old reconcile successful
reconcile phase finished
apply result: 2 attempted, 2 successful, 0 skipped, 0 failed, 1 unchanged
prune result: 1 attempted, 1 successful, 0 skipped, 0 failed
reconcile result: 3 attempted, 3 successful, 0 skipped, 0 failed, 0 timed out
`
	if diff := cmp.Diff(want, c.out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if c.err.String() != "" {
		t.Errorf("standard error: %s", c.err)
	}
	if r := c.engine.plans[0]; r.Mode != plan.ModeLive || r.Prune != engine.PruneFull || !cmp.Equal(r.Targets, []string{"kube"}) || !cmp.Equal(r.Sources.Dirs, []string{"."}) {
		t.Errorf("request %+v", r)
	}
}

// lines reads JSON lines.
func lines(t *testing.T, text string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range strings.Lines(text) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, fields)
	}
	return out
}

func TestLiveApplyJSON(t *testing.T) {
	failed := errors.New("apply Deployment prod/web: 422 invalid")
	for name, tt := range map[string]struct {
		engine fakeEngine
		status int
		last   map[string]any // without time
		more   string
	}{
		"done":       {fakeEngine{planned: liveTestPlan()}, exitDone, map[string]any{"type": "summary", "action": "Wait", "count": 3.0, "successful": 3.0, "skipped": 0.0, "failed": 0.0, "timeout": 0.0}, ""},
		"one failed": {fakeEngine{planned: liveTestPlan(), outcome: func(i int, _ *plan.Change) error { return map[int]error{2: failed}[i] }}, exitPartial, map[string]any{"type": "error", "error": "3 of 4 changes done, 1 failed, 0 skipped", "exitCode": 5.0}, `"status":"Failed"`},
		"not a configuration": {
			fakeEngine{planErr: diag.List{diag.New(diag.RefUnknown, value.Pos{File: "a.yaml", Line: 3}, "x", "y")}.Err()},
			exitInvalid,
			map[string]any{"type": "error", "error": "1 error", "exitCode": 4.0},
			`"type":"validation"`,
		},
		"not ready": {fakeEngine{planned: &engine.Planned{Plan: &plan.Plan{}, Compared: 3}, settleErr: errors.New("wait for Deployment prod/web: not ready")}, exitFailed, map[string]any{"type": "error", "error": "wait for Deployment prod/web: not ready", "exitCode": 1.0}, `"unchanged":2`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.engine = &tt.engine
			c.want(tt.status, "live", "apply", "-", "-o", "json")
			all := lines(t, c.out.String())
			last := all[len(all)-1]
			delete(last, "timestamp")
			if diff := cmp.Diff(tt.last, last); diff != "" {
				t.Errorf("last line (-want +got):\n%s", diff)
			}
			contains(t, "standard output", c.out, tt.more)
		})
	}
}

func TestLiveApplyRefused(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = liveTestPlan()
	c.engine.planned.Plan.Blocked = []plan.Blocked{{ResourceType: "k8s:v1/ConfigMap", ResourceRef: "configmap.settings", Action: plan.Update, By: "owner", Message: "another inventory owns it"}}
	c.want(exitRefused, "live", "apply")
	contains(t, "standard error", c.err, "another inventory owns it", "1 change is blocked")
	if len(c.engine.runs) > 0 {
		t.Error("the plan was carried out")
	}
}

func TestLiveDryRun(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = liveTestPlan()
	c.want(exitDone, "live", "apply", "--dry-run", "--show-diff")
	contains(t, "standard output", c.out, "configmap/settings apply successful (dry run)\n", "secret/old prune successful (dry run)\n", "apply result: 2 attempted")
	contains(t, "standard error", c.err, `+ k8s:v1/ConfigMap`)
	if len(c.engine.runs) > 0 || strings.Contains(c.out.String(), "reconcile") {
		t.Errorf("%d runs:\n%s", len(c.engine.runs), c.out)
	}
}

func TestLiveTable(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = liveTestPlan()
	c.factory.world.streams.outTerminal = true
	c.want(exitDone, "live", "apply")
	contains(t, "standard output", c.out, "NAMESPACE  RESOURCE", "prod       deployment.apps/web  apply successful  Successful", "apply result: 2 attempted")
	if strings.Contains(c.out.String(), `\u001b`) {
		t.Errorf("escapes are shown:\n%s", c.out)
	}
}

func TestLiveInterrupted(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = liveTestPlan()
	ctx, cancel := context.WithCancel(t.Context())
	c.engine.interrupt, c.engine.stopAfter = cancel, 2
	if status := run(ctx, c.factory, []string{"live", "apply"}); status != exitInterrupted {
		t.Errorf("exit status %d", status)
	}
	contains(t, "standard output", c.out, "deployment.apps/web apply skipped: the run was interrupted")
	contains(t, "standard error", c.err, "interrupted: 2 of 4 changes done")
}

func TestKubeSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		env  map[string]string
		want [3]string // kubeconfig, context, namespace
	}{
		"nothing":           {nil, nil, [3]string{}},
		"flags":             {[]string{"--kubeconfig=/k", "--context=c", "-n", "ns"}, map[string]string{"KONGCTL_KUBERNETES_CONTEXT": "other"}, [3]string{"/k", "c", "ns"}},
		"the environment":   {nil, map[string]string{"KONGCTL_KUBERNETES_CONTEXT": "c", "KONGCTL_DEFAULT_KUBERNETES_NAMESPACE": "ns", "KONGCTL_KUBERNETES_KUBECONFIG": "/k"}, [3]string{"/k", "c", "ns"}},
		"another's profile": {nil, map[string]string{"KONGCTL_PROD_KUBERNETES_CONTEXT": "c"}, [3]string{}},
	} {
		for _, verb := range [][]string{{"live", "apply"}, {"plan"}, {"sync", "--auto-approve"}} {
			c := newConsole(t)
			for k, v := range tt.env {
				c.env[k] = v
			}
			c.want(exitDone, append(verb, tt.args...)...)
			got := c.factory.kube.Connection
			if have := [3]string{got.Kubeconfig, got.Context, got.Namespace}; have != tt.want {
				t.Errorf("%s, %v: got %v, want %v", name, verb, have, tt.want)
			}
		}
	}
}
