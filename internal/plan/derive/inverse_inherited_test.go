package derive_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/testkit"
)

const (
	inheritedStrategy = "{ref: s, name: s, display_name: S, strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}"
	inheriting        = "\nportals: [{ref: p, name: p, default_application_auth_strategy_id: s}]\napis: [{ref: a, name: a, publications: [{ref: pub, portal_id: p}]}]\napi_packages: [{ref: k, name: k, publications: [{ref: ppub, portal_id: p}]}]"
	inherited         = "application_auth_strategies: [" + inheritedStrategy + "]" + inheriting
)

// TestInverseOfInheritedReferences: what takes a reference from another resource by
// leaving it out has the former one again, whatever became of that one.
func TestInverseOfInheritedReferences(t *testing.T) {
	const (
		a, users = inherited, inheriting
		first    = inheritedStrategy
		oidc     = "application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: openid_connect, configs: {openid-connect: {issuer: 'https://id.example.com', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}}]" + users
	)
	renamed := func(text string) string { return strings.Replace(text, "name: s,", "name: other,", 1) }
	for name, b := range map[string]string{
		"renamed":                      renamed(a),
		"renamed and another form":     renamed(oidc),
		"replaced":                     oidc,
		"renamed, with a new portal":   strings.Replace(renamed(a), "name: p,", "name: q,", 1),
		"another one beside it":        strings.Replace(strings.Replace(a, first, first+", "+strings.NewReplacer("ref: s,", "ref: o,", "name: s,", "name: o,").Replace(first), 1), "id: s}", "id: o}", 1),
		"none":                         strings.Replace(a, ", default_application_auth_strategy_id: s", "", 1),
		"none, and it is deleted":      "application_auth_strategies: []" + strings.Replace(users, ", default_application_auth_strategy_id: s", "", 1),
		"deleted with what uses it":    "application_auth_strategies: []\nportals: [{ref: p, name: p}]\napis: [{ref: a, name: a, publications: []}]\napi_packages: [{ref: k, name: k, publications: []}]",
		"one of its users declares it": strings.Replace(renamed(a), "{ref: pub, portal_id: p}", "{ref: pub, portal_id: p, auth_strategy_ids: [s]}", 1),
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(a)
			var ask testkit.Ask
			if strings.Contains(b, "ref: s,") {
				ask.AllowReplace = []string{"s"}
			}
			p := w.Plan(ask, b)
			w.Succeed(w.Run(w.Reread(p)))
			w.Settled(testkit.Ask{}, b)
			back := w.Reread(undoing(t, w, p, nil, "s"))
			for _, m := range messages(back) {
				if m != "cannot undo: what belonged to it comes back only where the plan deleted it by itself" {
					t.Errorf("warning: %s", m)
				}
			}
			found, err := execute.Check(t.Context(), w.Execution(back))
			if err != nil || len(found.Moved) > 0 || len(back.Blocked) > 0 {
				t.Fatalf("the plan is refused: %v %+v %+v", err, found, back.Blocked)
			}
			w.Succeed(w.Run(back))
			w.Settled(testkit.Ask{}, a)
			for _, kind := range []string{"api_publication", "api_package_publication"} {
				for _, x := range w.State(kind) {
					if ids, _ := x["auth_strategy_ids"].([]any); len(ids) != 1 || ids[0] != w.Named("application_auth_strategy", "s")["id"] {
						t.Errorf("%s has the strategies %v", kind, x["auth_strategy_ids"])
					}
				}
			}
			if again := undoing(t, w, p, nil, "s"); !again.Empty() {
				t.Errorf("undone twice: %q", testkit.Lines(again))
			}
		})
	}
}

// TestInverseOfInheritedReferenceThatMoved: what somebody changed since stays, whether
// the plan held what it gave or not.
func TestInverseOfInheritedReferenceThatMoved(t *testing.T) {
	w := testkit.New(t)
	w.Sync(inherited)
	p := w.Sync(strings.Replace(inherited, "name: s,", "name: other,", 1))
	theirs := w.Send(http.MethodPost, "/v2/application-auth-strategies", `{"name":"theirs","display_name":"T","strategy_type":"key_auth","configs":{"key-auth":{"key_names":["t"]}}}`)["id"].(string)
	api, portal := w.Named("api", "a")["id"].(string), w.Named("portal", "p")["id"].(string)
	w.Send(http.MethodPut, "/v3/apis/"+api+"/publications/"+portal, `{"auth_strategy_ids":["`+theirs+`"]}`)
	w.Send(http.MethodPatch, "/v3/portals/"+portal, `{"default_application_auth_strategy_id":"`+theirs+`"}`)
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back, "1 CREATE application_auth_strategy s", "2 UPDATE api_package_publication ppub < 1", "3 DELETE application_auth_strategy s < 2")
	for _, want := range []string{
		`cannot undo: API publication "pub": auth_strategy_ids was changed again since`,
		`cannot undo: portal "p": default_application_auth_strategy_id was changed again since`,
	} {
		if !slices.Contains(messages(back), want) {
			t.Errorf("%q does not say %q", messages(back), want)
		}
	}
	w.Succeed(w.Run(back))
}
