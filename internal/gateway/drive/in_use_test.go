package drive_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	gatewaydrive "github.com/kongctl/kongctl/internal/gateway/drive"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// unlisted is a target that does not list API implementations.
type unlisted struct {
	remote.Target
	err error
}

func (u unlisted) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	if u.err != nil && s.Type.Kind == "api_implementation" {
		return nil, u.err
	}
	return u.Target.List(ctx, s)
}

// withheldError is an answer to a token that may not read something.
type withheldError struct{}

func (withheldError) Error() string  { return "403" }
func (withheldError) Withheld() bool { return true }

// A plan that decK carries out is refused where something refers to what it deletes and
// the plan does not know that.
func TestDeckDeletesWhatIsInUse(t *testing.T) {
	const (
		base = "control_planes: [{ref: cp, name: cp}]\n"
		uses = base + "apis: [{ref: a, name: ay, implementations: [{service: {id: SERVICE, control_plane_id: cp}}]}]\n"
		more = base + "apis: [{ref: a, name: ay, implementations: [{service: {id: SERVICE, control_plane_id: cp}}]}, {ref: b, name: bee, implementations: [{service: {id: SERVICE, control_plane_id: cp}}]}]\n"
	)
	other := plan.Part{Kind: "route", Name: "r", Action: plan.Delete, ID: "3"}
	for name, row := range map[string]struct {
		planned, now string // what there is when the plan is made, and when it is carried out
		unread       []string
		again, gone  bool
		err          error
		moved, fails string
	}{
		"nothing uses it":                       {planned: base, now: base},
		"something uses it":                     {planned: base, now: uses, moved: `this change would affect resources that are not as planned: API implementation of the API "ay" uses the service "users" now`},
		"the plan knows":                        {planned: uses, now: uses},
		"the plan knows one":                    {planned: uses, now: more, moved: `planned: API implementation of the API "bee" uses the service "users" now`},
		"the plan knows another owner":          {planned: uses, now: strings.Replace(uses, "name: ay", "name: ay, kongctl: {namespace: them}", 1), moved: `API implementation of the API "ay" was changed`},
		"nothing refers to it any more":         {planned: uses, now: base + "apis: [{ref: a, name: ay, implementations: []}]"},
		"it is gone, and something else is not": {planned: base, now: uses, gone: true},
		"it was made again":                     {planned: base, now: base, again: true, moved: "service users, which the plan is to delete, was deleted and created again"},
		"users cannot be read":                  {planned: base, now: base, err: errors.New("502"), fails: "502"},
		"users are not for this token":          {planned: base, now: base, err: withheldError{}, fails: "403"},
		"nor were they when it was planned":     {planned: base, now: base, err: withheldError{}, unread: []string{"api_implementation"}},
		"nor were they, and there is an outage": {planned: base, now: base, err: errors.New("502"), unread: []string{"api_implementation"}, fails: "502"},
		"they are readable now, and one uses it": {
			planned: base, now: uses, unread: []string{"api_implementation"}, moved: `uses the service "users" now`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(base)
			plane := fmt.Sprint(w.Named("control_plane", "cp")["id"])
			id := fmt.Sprint(w.Send("POST", "/v2/control-planes/"+plane+"/core-entities/services", `{"name":"users","host":"h"}`)["id"])
			lost := plan.Part{Kind: gateway.KindService, Name: "users", Action: plan.Delete, ID: id}
			w.Sync(strings.ReplaceAll(row.planned, "SERVICE", id))
			removes := &plan.Removal{Type: "gateway_service", ID: id, Unread: row.unread}
			users, err := live.ReadUsers(t.Context(), w.Target, w.Catalog, nil, []resource.Removed{{Kind: removes.Type, ID: id}})
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range users.Of(removes.Type, id) {
				removes.Know(u)
			}
			p := deckPlan("cp")
			p.Changes, p.ExecutionGroups = p.Changes[:1], p.ExecutionGroups[:1]
			p.Changes[0].Parent.ID, p.Changes[0].Parent.Ancestors = plane, []string{plane}
			planned := lost
			planned.Removes = removes
			p.Changes[0].GatewayChanges = []plan.Part{planned, other}

			if strings.Contains(row.now, "them") {
				w.Send("PATCH", "/v3/apis/"+fmt.Sprint(w.Named("api", "ay")["id"]), `{"labels":{"KONGCTL-namespace":"them"}}`)
			} else {
				w.Sync(strings.ReplaceAll(row.now, "SERVICE", id))
			}
			if row.again {
				lost.ID = "00000000-0000-4000-8000-000000000000"
			}
			now := []plan.Part{lost, other}
			if row.gone {
				now = now[1:]
			}
			konnect := drive.New(drive.Config{Catalog: w.Catalog, Target: unlisted{w.Target, row.err}, Now: time.Now})
			deck := gatewaydrive.New(gatewaydrive.Config{Sources: gatewaydrive.Sources{Types: w.Catalog.Types()}, Reconciler: &fakeDeck{diff: now}, Konnect: konnect})
			finding, err := execute.Check(t.Context(), execute.Input{Plan: p, Driver: func(string) execute.Driver { return deck }, Now: time.Now})
			if row.fails != "" {
				if err == nil || !strings.Contains(err.Error(), row.fails) {
					t.Errorf("%v, want %s", err, row.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			why := ""
			for _, m := range finding.Moved {
				why += m.Why
			}
			if (why == "") != (row.moved == "") || !strings.Contains(why, row.moved) {
				t.Errorf("%q, want %q", why, row.moved)
			}
		})
	}
}
