package cli

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// guardSetting is a setting that refuses what a plan does.
type guardSetting struct {
	value string
	// saved is the exit status of a saved plan that was created without the setting, and
	// what is said then.
	saved int
	says  string
	// files reports that the setting judges a sync of files, too: fresh is its exit
	// status, and it deletes nothing.
	files bool
	fresh int
	// flag allows the saved plan where the setting does not.
	flag []string
}

// guardSettings are those settings, with a value that does not allow the plan below.
var guardSettings = map[string]guardSetting{
	settingMaxDeletes: {value: "1", files: true, fresh: exitRefused, saved: exitRefused, says: "plan deletes 3 of 4 resources, and --max-deletes 1 allows 1", flag: []string{"--max-deletes", "3"}},
	settingPrune:      {value: "none", files: true, fresh: exitDone, saved: exitRefused, says: "the plan was created with --prune full, and --prune none allows less", flag: []string{"--prune", "full"}},
	settingPolicy:     {value: "DIR/policy.yaml", files: true, fresh: exitRefused, saved: exitRefused, says: "no deletes"},
	settingVerifyKey:  {value: "DIR/ours.pub", saved: exitMoved, says: "not signed"},
	settingMaxAge:     {value: "1h", saved: exitMoved, says: "the plan was created"},
}

// noGuards are the other settings: where Konnect is, how requests are made, what is shown.
var noGuards = []string{
	"konnect.pat", "konnect.region", "konnect.base-url", "konnect.base-auth-url", settingLoginStore, settingClientID, settingAuthPath, settingTokenPath, settingRefreshPath,
	settingRetryAttempts, settingRetryFirst, settingRetryMost, settingRetryFactor, settingExitCodes, settingAnnotations, "max-concurrency",
	settingDeckMode, settingDeckPath, settingData, settingKubeconfig, settingKubeContext, settingKubeNamespace, settingLogLevel, settingLogFormat, settingLogFile,
}

// TestEveryGuardStopsSavedPlans: what a setting refuses of files it refuses of a saved
// plan, too, and a flag allows it. Every setting is a guard or is none.
func TestEveryGuardStopsSavedPlans(t *testing.T) {
	const many, few = "apis: [{name: a}, {name: b}, {name: c}, {name: d}]\n", "apis: [{name: d}]\n"
	for _, name := range knownSettings() {
		guard, isGuard := guardSettings[name]
		if isGuard == slices.Contains(noGuards, name) {
			t.Errorf("%s: say whether it is a guard", name)
		}
		if !isGuard {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := newConsole(t).real()
			next := func() *console {
				c = c.again().real()
				c.factory.world.now = func() time.Time { return testTime.Add(2 * time.Hour) } // the plan is old
				return c
			}
			c.write("policy.yaml", "rules:\n- {name: deletes, expression: 'change.action != \"DELETE\"', message: no deletes}\n")
			c.write("ours.pub", "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n")
			c.write("many.yaml", many)
			c.write("few.yaml", few)
			c.want(exitDone, "sync", "-f", "many.yaml", "--auto-approve", "--local")
			c.again().real().want(exitDone, "plan", "-f", "few.yaml", "--local", "--output-file", "plan.json")
			left := func(n int) {
				t.Helper()
				next().want(exitDone, "get", "apis", "--local", "-o", "json")
				if got := strings.Count(c.out.String(), `"name":`); got != n {
					t.Errorf("%d APIs are left, want %d", got, n)
				}
			}
			variable := "KONGCTL_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
			set := func(to string) { c.env[variable] = strings.ReplaceAll(to, "DIR", c.dir) }

			set(guard.value)
			next().want(guard.saved, "sync", "--plan", "plan.json", "--auto-approve", "--local")
			contains(t, "standard error", c.err, guard.says)
			next().want(guard.saved, "sync", "--plan", "plan.json", "--auto-approve", "--local", "--skip-blocked")
			set("")
			left(4)
			if guard.flag != nil {
				set(guard.value)
				next().want(exitDone, append([]string{"sync", "--plan", "plan.json", "--auto-approve", "--local"}, guard.flag...)...)
				set("")
				left(1)
				next().want(exitDone, "sync", "-f", "many.yaml", "--auto-approve", "--local")
			}
			if !guard.files {
				return
			}
			set(guard.value)
			next().want(guard.fresh, "sync", "-f", "few.yaml", "--auto-approve", "--local")
			set("")
			left(4)
		})
	}
}
