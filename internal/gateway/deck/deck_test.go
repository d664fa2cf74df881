//go:build unix

package deck_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/plan"
)

const (
	none = `{"changes":{"creating":[],"updating":[],"deleting":[]},"summary":{"creating":0,"updating":0,"deleting":0,"total":0},"warnings":[],"errors":[]}`
	some = "Warning: something\n" + `{"changes":{
		"creating":[{"name":"yek05","kind":"key-auth","body":{"old":null,"new":{"id":"1","key":"hunter2-yek05","consumer":{"id":"2","username":"alice"}}}},
		            {"name":"users","kind":"service","body":{"old":null,"new":{"id":"3","name":"users"}}}],
		"updating":[{"name":"r","kind":"route","body":{"old":{"id":"4","name":"r","paths":["/a"]},"new":{"id":"4","name":"r","paths":["/b"]}}},
		            {"name":"same","kind":"route","body":{"old":{"id":"5","name":"same"},"new":{"id":"5","name":"same","created_at":1}}}],
		"deleting":[{"name":"old","kind":"service","body":{"old":null,"new":{"id":"6","name":"old"}}}]},
		"summary":{"creating":2,"updating":2,"deleting":1,"total":5},"warnings":[],"errors":[]}`
	failing = `{"changes":{"creating":[],"updating":[],"deleting":[]},"summary":{"creating":0,"updating":0,"deleting":0,"total":0},"warnings":[],"errors":["Create service users failed: hunter2-yek05 kpat_hunter2 is wrong"]}`
)

func request(mode gateway.Mode) gateway.Request {
	return gateway.Request{
		ControlPlane: gateway.ControlPlane{ID: "cp-1", Name: "prod"},
		Mode:         mode,
		Files: []gateway.File{
			{Name: "a.yaml", Content: []byte("_format_version: \"3.0\"\n_info: {select_tags: [mine]}\nservices:\n- name: users\n  path: |\n    # ${{ env }}\nconsumers:\n- username: alice\n  keyauth_credentials: [{key: hunter2-yek05}]\nplugins: [{name: acl, consumer: alice}, {name: cors}]\n")},
			{Name: "b.yaml", Content: []byte("services: [{name: orders}]\n_info: {select_tags: [mine]}\n")},
		},
		Flags: gateway.Flags{SelectTags: []string{"mine", "yours"}, Parallelism: 4},
	}
}

func wanted(deletes bool) []plan.Part {
	out := []plan.Part{
		{Kind: "service", Name: "old", Action: plan.Delete},
		{Kind: "service", Name: "users", Action: plan.Create},
		{Kind: "route", Name: "r", Action: plan.Update, ChangedFields: map[string]plan.OldNew{"paths": {Old: []any{"/a"}, New: []any{"/b"}}}},
		{Kind: "key-auth", Name: "key for consumer alice", Action: plan.Create},
	}
	if !deletes {
		return out[1:]
	}
	return out
}

func TestDiff(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: some}}})
	r := f.reconciler()
	for mode, want := range map[gateway.Mode][]plan.Part{gateway.Sync: wanted(true), gateway.Apply: wanted(false)} {
		got, err := r.Diff(t.Context(), request(mode))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, gateway.Done(got)); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
		for _, c := range got {
			if (c.Fingerprint == "") != (c.Action == plan.Create) {
				t.Errorf("%s: %+v", mode, c)
			}
		}
	}
	if n := len(f.calls("version")); n != 1 {
		t.Errorf("the version is asked %d times", n)
	}
}

func TestNewControlPlane(t *testing.T) {
	f := newFake(t, map[string][]answer{})
	q := request(gateway.Sync)
	q.ControlPlane.ID = ""
	got, err := f.reconciler().Diff(t.Context(), q)
	if err != nil || len(got) != 6 || got[0].Name != "orders" {
		t.Errorf("%v, %v", got, err)
	}
	q.Files[0].Content = []byte("servicez: []")
	if _, err := f.reconciler().Diff(t.Context(), q); err == nil || err.Error() != "checked" {
		t.Errorf("%v", err)
	}
	if len(f.calls("diff")) > 0 {
		t.Error("the binary was asked for a diff")
	}
	var missing *deck.NotFoundError
	if _, err := deck.New(deck.Options{Path: filepath.Join(t.TempDir(), "deck")}).Diff(t.Context(), q); !errors.As(err, &missing) {
		t.Errorf("without a binary: %v", err)
	}
}

// TestSurroundings shows what the binary is given, and what it is not.
func TestSurroundings(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: some}, {Stdout: none}}, "sync": {{Stdout: none}}})
	t.Setenv("DECK_KONNECT_TOKEN", "outer")
	if _, err := f.reconciler().Run(t.Context(), request(gateway.Sync)); err != nil {
		t.Fatal(err)
	}
	calls := append(f.calls("diff"), f.calls("sync")...)
	if len(calls) != 3 {
		t.Fatalf("%d calls", len(calls))
	}
	for _, c := range calls {
		line := strings.Join(c.Args, " ")
		if strings.Contains(line, "hunter2") {
			t.Errorf("a secret is among the arguments: %s", line)
		}
		if c.Token != token {
			t.Errorf("the token is %q", c.Token)
		}
		for _, want := range []string{"--kong-addr=http://localhost:8001", "--konnect-addr=https://us.api.konghq.com", "--analytics=false", "--no-mask-deck-env-vars-value"} {
			if !slices.Contains(c.Args, want) {
				t.Errorf("%s is missing: %s", want, line)
			}
		}
		slices.Sort(c.Env)
		want := []string{
			stage + "=" + f.dir, "HOME=" + c.Dir, "HTTPS_PROXY=http://proxy:1", "PATH=/nowhere", "SSL_CERT_DIR=/certs", "SSL_CERT_FILE=/theirs",
			"TEMP=" + c.Dir, "TMP=" + c.Dir, "TMPDIR=" + c.Dir, "USERPROFILE=" + c.Dir, "no_proxy=x",
		}
		if diff := cmp.Diff(want, slices.DeleteFunc(c.Env, func(v string) bool { return strings.HasPrefix(v, "PWD=") })); diff != "" {
			t.Error(diff)
		}
		if !slices.Equal(c.Files, []string{"settings.yaml"}) || c.Settings != "" {
			t.Errorf("its folder holds %v, its settings are %q", c.Files, c.Settings)
		}
		if _, err := os.Stat(c.Dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("its folder is left: %v", err)
		}
	}
	sent := `{"_format_version":"3.0","_info":{"select_tags":["mine","yours"]},"_konnect":{"control_plane_name":"prod"},` +
		`"consumers":[{"keyauth_credentials":[{"key":"hunter2-yek05"}],"username":"alice"}],"plugins":[{"consumer":"alice","name":"acl"},{"name":"cors"}],` +
		`"services":[{"name":"users","path":"# \u0024{{ env }}\n"},{"name":"orders"}]}`
	if diff := cmp.Diff(sent, calls[0].Stdin); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(calls[0].Args, "--parallelism=1") || !slices.Contains(calls[2].Args, "--parallelism=4") {
		t.Errorf("workers: %v, %v", calls[0].Args, calls[2].Args)
	}
}

func TestFlagsThatApplyDoesNotHave(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: some}, {Stdout: strings.Replace(none, `"deleting":0`, `"deleting":7`, 1)}}, "apply": {{Stdout: "Summary:\n"}}})
	q := request(gateway.Apply)
	q.Flags.SkipConsumers = true
	r := f.reconciler()
	if _, err := r.Diff(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	got, err := r.Run(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted(false), got); diff != "" {
		t.Error(diff)
	}
	c := f.calls("apply")[0]
	if slices.Contains(c.Args, "--skip-consumers") || strings.Contains(strings.Join(c.Args, " "), "select-tag") {
		t.Errorf("%v", c.Args)
	}
	if strings.Contains(c.Stdin, "alice") || !strings.Contains(c.Stdin, `"plugins":[{"name":"cors"}]`) || !strings.Contains(c.Stdin, `"select_tags":["mine","yours"]`) {
		t.Errorf("%s", c.Stdin)
	}
	if n := len(f.calls("diff")); n != 2 {
		t.Errorf("%d diffs: what Diff found serves Run", n)
	}
}

func TestDelete(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: some}, {Stdout: none}}, "sync": {{Stdout: none}}})
	r := f.reconciler()
	if _, err := r.Run(t.Context(), request(gateway.Delete)); err != nil {
		t.Fatal(err)
	}
	want := `{"_format_version":"3.0","_info":{"select_tags":["mine","yours"]},"_konnect":{"control_plane_name":"prod"}}`
	if diff := cmp.Diff(want, f.calls("sync")[0].Stdin); diff != "" {
		t.Error(diff)
	}
	q := request(gateway.Delete)
	q.Flags.SelectTags = nil
	if _, err := r.Run(t.Context(), q); !errors.Is(err, gateway.ErrNoTags) {
		t.Errorf("without tags: %v", err)
	}
}

func TestFailures(t *testing.T) {
	left := strings.Replace(none, `"creating":[]`, `"creating":[{"kind":"service","body":{"new":{"name":"users"}}}]`, 1)
	left = strings.Replace(left, `"creating":0`, `"creating":1`, 1)
	lost := strings.Replace(none, `"updating":0`, `"updating":2`, 1)
	rows := []struct {
		name   string
		mode   gateway.Mode
		script map[string][]answer
		want   string
		done   int
	}{
		{
			"the exit status tells", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: some}, {Stdout: some}}, "sync": {{Stderr: "Error: bad hunter2-yek05 for kpat_hunter2\n", Exit: 1}}},
			"deck sync failed for a.yaml, b.yaml (exit 1): bad [hidden] for [hidden]", 0,
		},
		{
			"the report tells, the exit status does not", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: some}, {Stdout: left}}, "sync": {{Stdout: failing}}},
			"deck sync failed for a.yaml, b.yaml: Create service users failed: [hidden] [hidden] is wrong", 3,
		},
		{
			"neither tells", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: some}, {Stdout: left}}, "sync": {{Stdout: none}}},
			"deck sync failed for a.yaml, b.yaml: these are still to be made: create service users", 3,
		},
		{
			"apply", gateway.Apply,
			map[string][]answer{"diff": {{Stdout: some}, {Stdout: some}}, "apply": {{Stderr: "Error: no", Exit: 1}}},
			"deck apply failed for a.yaml, b.yaml (exit 1): no", 0,
		},
		{
			"the diff", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: "settings are wrong\n", Exit: 1}}},
			"deck diff failed for a.yaml, b.yaml (exit 1): settings are wrong", 0,
		},
		{
			"the diff's report", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: failing}}},
			"deck diff failed for a.yaml, b.yaml: Create service users failed: [hidden] [hidden] is wrong", 0,
		},
		{
			"a report that lost entries", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: lost}}},
			"deck diff failed for a.yaml, b.yaml: the binary's report has 0 entities, and its summary 2", 0,
		},
		{
			"no report", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: "Summary:"}}},
			"deck diff failed for a.yaml, b.yaml: the binary printed no report", 0,
		},
		{
			"too old", gateway.Sync,
			map[string][]answer{"version": {{Stdout: "decK v1.39.2 (x) \n"}}},
			"is decK 1.39.2; supported are 1.40 and later, below 2", 0,
		},
		{
			"too new", gateway.Sync,
			map[string][]answer{"version": {{Stdout: "decK v2.0.0 (x) \n"}}},
			"is decK 2.0.0; supported are 1.40 and later, below 2", 0,
		},
		{
			"something else", gateway.Sync,
			map[string][]answer{"version": {{Stdout: "cards 1.50.0\n"}}},
			"does not say which version of decK it is", 0,
		},
		{
			"something else that does not know the command", gateway.Sync,
			map[string][]answer{"version": {{Stderr: "usage\n", Exit: 2}}},
			"does not say which version of decK it is", 0,
		},
		{
			"the end of a key", gateway.Sync,
			map[string][]answer{"diff": {{Stdout: some}, {Stdout: some}}, "sync": {{Stderr: "Error: 2 errors occurred:\n\twhile processing event: Create key-auth yek05 for consumer alice failed: no\n\tmore\n\n", Exit: 1}}},
			"(exit 1): 2 errors occurred:; while processing event: Create key-auth key for consumer alice failed: no; more", 0,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			done, err := newFake(t, row.script).reconciler().Run(t.Context(), request(row.mode))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("%v\nwant %s", err, row.want)
			}
			var failed *gateway.Error
			if !errors.As(err, &failed) {
				t.Errorf("%T", err)
			}
			if len(done) != row.done {
				t.Errorf("done: %v", done)
			}
			var version *deck.VersionError
			if errors.As(err, &version) != (row.script["version"][0].Stdout != printedVersion) {
				t.Errorf("a wrong version: %v", version)
			}
		})
	}
}

// The binary tells by its words alone whether the file is at fault.
func TestWhoIsAtFault(t *testing.T) {
	rows := map[string]bool{
		"Error: 1 errors occurred:\n\treading file STDIN: validating file content: 1 errors occurred:\n\tvalidation error: object=[], err=(root): Additional property x is not allowed\n": true,
		"Error: building state: consumer nope for plugin cors: entity not found":                                                                                                          true,
		`Error: building state: creating defaulter: Get "https://us.api.konghq.com/x": dial tcp: no such host`:                                                                            false,
		"Error: building state: creating defaulter: HTTP status 500 (message: \"no\")":                                                                                                    false,
		`Error: authenticating with Konnect: making HTTP request: Get "https://global.api.konghq.com/v2": no such host`:                                                                   false,
		"Error: inserting service into state: inserting service a: entity already exists":                                                                                                 true,
		"Error: control plane not found: prod": false,
		"Segmentation fault":                   false,
	}
	for said, file := range rows {
		_, err := newFake(t, map[string][]answer{"diff": {{Stderr: said, Exit: 1}}}).reconciler().Diff(t.Context(), request(gateway.Sync))
		var failed *gateway.Error
		if !errors.As(err, &failed) || failed.File != file {
			t.Errorf("%s: %+v", said, failed)
		}
	}
	q := request(gateway.Sync)
	q.Files[0].Content = []byte("{")
	_, err := newFake(t, map[string][]answer{}).reconciler().Diff(t.Context(), q)
	var failed *gateway.Error
	if !errors.As(err, &failed) || !failed.File {
		t.Errorf("no YAML: %v", err)
	}
}

// A first call that was stopped while the binary was asked for its version does
// not spoil those after it.
func TestStoppedAtTheVersion(t *testing.T) {
	f := newFake(t, map[string][]answer{"version": {{Hang: true}, {Stdout: printedVersion}}, "diff": {{Stdout: none}}})
	r := f.reconciler()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(f.calls("version")) == 0 && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := r.Diff(ctx, request(gateway.Sync)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	for range 2 {
		if _, err := r.Diff(t.Context(), request(gateway.Sync)); err != nil {
			t.Error(err)
		}
	}
	if n := len(f.calls("version")); n != 2 {
		t.Errorf("asked %d times for the version", n)
	}
}

// A file for apply may refer to what is only in the control plane, and decK's
// diff is one for sync.
func TestApplyRefersToWhatIsThere(t *testing.T) {
	there := `{"services":[{"id":"s1","name":"users","host":"live"},{"id":"s2","name":"bills","plugins":[{"name":"x"}],"routes":[{"id":"r1","name":"pay"}]}],` +
		`"consumers":[{"id":"c1","username":"bob","keyauth_credentials":[{"key":"k"}]}]}`
	f := newFake(t, map[string][]answer{"diff": {{Stderr: "Error: no service bills", Exit: 1}, {Stdout: some}}, "dump": {{Stdout: there}}})
	q := request(gateway.Apply)
	q.Files = []gateway.File{{Name: "a.yaml", Content: []byte(`{"services":[{"name":"users"}],"plugins":[{"name":"cors","service":"bills"}]}`)}}
	got, err := f.reconciler().Diff(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted(false), gateway.Done(got)); diff != "" {
		t.Error(diff)
	}
	want := `{"_format_version":"3.0","_info":{"select_tags":["mine","yours"]},"_konnect":{"control_plane_name":"prod"},"consumers":[{"id":"c1","username":"bob"}],` +
		`"plugins":[{"name":"cors","service":"bills"}],"routes":[{"id":"r1","name":"pay","service":{"id":"s2"}}],"services":[{"name":"users"},{"id":"s2","name":"bills"}]}`
	if diff := cmp.Diff(want, f.calls("diff")[1].Stdin); diff != "" {
		t.Error(diff)
	}
	dump := f.calls("dump")[0].Args
	if !slices.Contains(dump, "--select-tag=mine") || !slices.Contains(dump, "--konnect-control-plane-name=prod") {
		t.Errorf("%v", dump)
	}
}

func TestNothingToDo(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: none}}})
	if done, err := f.reconciler().Run(t.Context(), request(gateway.Sync)); err != nil || len(done) > 0 {
		t.Errorf("%v, %v", done, err)
	}
}

func TestNotFound(t *testing.T) {
	dir := t.TempDir()
	rows := []struct {
		options deck.Options
		want    string
	}{
		{deck.Options{Env: func(string) (string, bool) { return dir + ":.", true }}, "deck binary not found on PATH"},
		{deck.Options{Path: filepath.Join(dir, "deck")}, "deck binary not found at " + filepath.Join(dir, "deck")},
	}
	for _, row := range rows {
		row.options.Address = "https://us.api.konghq.com"
		_, err := deck.New(row.options).Diff(t.Context(), request(gateway.Sync))
		var missing *deck.NotFoundError
		if !errors.As(err, &missing) || missing.Error() != row.want {
			t.Errorf("%v, want %s", err, row.want)
		}
	}
}

// The binary authenticates at Konnect's own host: a token for another is not
// for it.
func TestOtherHost(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"https://konnect.example", "http://us.api.konghq.com", "http://127.0.0.1:8080", "https://evilkonghq.com", ""} {
		_, err := deck.New(deck.Options{Path: self, Address: address, Token: always(token)}).Diff(t.Context(), request(gateway.Sync))
		if err == nil || !strings.Contains(err.Error(), "use --deck-mode native") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// What nobody may do is known by the error, whoever told of it.
func TestAuth(t *testing.T) {
	for text, auth := range map[string]bool{
		`services: HTTP status 401 (message: "no")`: true,
		`Create route r failed: HTTP status 400 (message: "x"); Create route s failed: HTTP status 403 (message: "no")`: true,
		`services: HTTP status 400 (message: "401")`: false,
	} {
		f := newFake(t, map[string][]answer{"diff": {{Stderr: "Error: " + text, Exit: 1}}})
		if _, err := f.reconciler().Diff(t.Context(), request(gateway.Sync)); client.IsAuth(err) != auth {
			t.Errorf("%s: %v", text, err)
		}
		report := strings.Replace(none, `"errors":[]`, `"errors":[`+strconv.Quote(text)+`]`, 1)
		f = newFake(t, map[string][]answer{"diff": {{Stdout: some}}, "sync": {{Stdout: report}}})
		if _, err := f.reconciler().Run(t.Context(), request(gateway.Sync)); client.IsAuth(err) != auth {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A service that cannot answer now is known by the error, so that the rest can
// be planned.
func TestUnanswered(t *testing.T) {
	for text, status := range map[string]int{
		`consumers: HTTP status 503 (message: "")`: 503,
		`consumers: HTTP status 429 (message: "")`: 429,
		`services: HTTP status 400 (message: "x")`: 0,
	} {
		f := newFake(t, map[string][]answer{"diff": {{Stderr: "Error: " + text, Exit: 1}}})
		_, err := f.reconciler().Diff(t.Context(), request(gateway.Sync))
		var refused *client.APIError
		got := 0
		if errors.As(err, &refused) {
			got = refused.Status
		}
		if err == nil || got != status {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
}
