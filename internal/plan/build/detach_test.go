package build_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/testkit"
)

const (
	detachUsers = "\nportals: [{ref: p, name: p, default_application_auth_strategy_id: s}]\napis: [{name: a, publications: [{ref: pub, portal_id: p, auth_strategy_ids: [s]}]}]"
	detachFrom  = "application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}]" + detachUsers
	detachTo    = "application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: openid_connect, configs: {openid-connect: {issuer: 'https://id.example.com', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}}]" + detachUsers
)

// A run that ends after some change of a replace in use is continued from there,
// whichever it is: with its results, and without them.
func TestDetachingCanBeContinued(t *testing.T) {
	for stop := range 6 {
		for _, remembered := range []bool{true, false} {
			w := testkit.New(t)
			w.Sync(detachFrom)
			p := w.Reread(w.Plan(testkit.Ask{AllowReplace: []string{"s"}}, detachTo))
			testkit.Equal(t, "changes", len(p.Changes), 6)
			w.Concurrency = 1
			n := 0
			w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
				if r.Method == http.MethodGet {
					return nil, nil
				}
				if n++; n > stop {
					return testkit.Refuse(r, http.StatusForbidden, "stopped"), nil
				}
				return nil, nil
			}
			first := w.Run(p).Report
			w.Recorder.Intercept = nil
			in := w.Execution(p)
			in.Concurrency = 1
			if remembered {
				in.Unfinished = &execute.Unfinished{Plan: p, Results: map[string]*execute.Result{}}
				for _, r := range first.Results {
					in.Unfinished.Results[r.ChangeID] = r
				}
			}
			found, err := execute.Check(t.Context(), in)
			if err != nil || len(found.Moved) > 0 {
				t.Fatalf("after %d (%v): %v %+v", stop, remembered, err, found)
			}
			in.Done = found.Done
			report, err := execute.Run(t.Context(), in, nil)
			if err != nil || report.Succeeded != 6 {
				t.Fatalf("after %d (%v): %v %+v", stop, remembered, err, report)
			}
			w.Settled(testkit.Ask{}, detachTo)
		}
	}
}

// Somebody who changes a resource that is to be detached stops the plan, and so
// does one who changes it while it is detached.
func TestDetachedResourceThatMoved(t *testing.T) {
	w := testkit.New(t)
	w.Sync(detachFrom)
	p := w.Reread(w.Plan(testkit.Ask{AllowReplace: []string{"s"}}, detachTo))
	portal, _ := w.Named("portal", "p")["id"].(string)
	look := func() []execute.Moved {
		found, err := execute.Check(t.Context(), w.Execution(p))
		if err != nil {
			t.Fatal(err)
		}
		return found.Moved
	}
	testkit.Equal(t, "before", len(look()), 0)
	w.Send(http.MethodPatch, "/v3/portals/"+portal, `{"description": "by hand"}`)
	moved := look()
	if len(moved) != 1 || moved[0].Change.ResourceType != "portal" || len(moved[0].Change.Detaches) != 1 {
		t.Errorf("changed: %+v", moved)
	}
	w.Send(http.MethodPatch, "/v3/portals/"+portal, `{"default_application_auth_strategy_id": null}`)
	moved = look()
	if len(moved) != 1 || moved[0].Change.ResourceType != "portal" || len(moved[0].Change.Detaches) != 0 {
		t.Errorf("changed and detached: %+v", moved)
	}
}

// What takes a reference from another resource by leaving it out takes the new one when
// that is renamed or replaced, and has one all the time.
func TestInheritedReferenceFollows(t *testing.T) {
	const (
		users  = "\nportals: [{ref: p, name: p, default_application_auth_strategy_id: s}]\napis: [{name: a, publications: [{ref: pub, portal_id: p}]}]\napi_packages: [{name: k, publications: [{ref: ppub, portal_id: p}]}]"
		before = "application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}]" + users
	)
	oidc := strings.TrimSuffix(detachTo, detachUsers) + users
	for name, row := range map[string]struct {
		after string
		empty bool // what is replaced cannot be there beside the new one
	}{
		"renamed":                    {after: strings.Replace(before, "name: s,", "name: other,", 1)},
		"renamed, with a new portal": {after: strings.Replace(strings.Replace(before, "name: s,", "name: other,", 1), "name: p,", "name: q,", 1)},
		"replaced":                   {after: oidc, empty: true},
		"renamed and another form":   {after: strings.Replace(oidc, "name: s,", "name: other,", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(before)
			p := w.Plan(testkit.Ask{AllowReplace: []string{"s"}}, row.after)
			if !row.empty {
				w.Recorder.Intercept = func(r *http.Request, body string) (*http.Response, error) {
					if r.Method == http.MethodPut && strings.Contains(body, `"auth_strategy_ids":null`) {
						t.Errorf("%s %s: %s", r.Method, r.URL.Path, body)
					}
					return nil, nil
				}
			}
			saved := w.Reread(p)
			found, err := execute.Check(t.Context(), w.Execution(saved))
			if err != nil || len(found.Moved)+len(found.Done) > 0 {
				t.Fatalf("a new plan is found to be done, or refused: %v %+v", err, found)
			}
			w.Succeed(w.Run(saved))
			w.Recorder.Intercept = nil
			w.Settled(testkit.Ask{}, row.after)
			for _, kind := range []string{"api_publication", "api_package_publication"} {
				for _, x := range w.State(kind) {
					if ids, _ := x["auth_strategy_ids"].([]any); len(ids) != 1 {
						t.Errorf("%s has the strategies %v", kind, x["auth_strategy_ids"])
					}
				}
			}
		})
	}
}
