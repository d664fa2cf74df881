package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	deck "github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

const (
	usedPlane   = "control_planes: [{ref: cp, name: cp}]\n"
	usedService = "gateway_services: [{ref: s, control_plane: cp, _external: {selector: {matchFields: {name: users}}}}]\n"
	user        = "apis: [{ref: b, name: bee, implementations: [{ref: impl, service: {id: s, control_plane_id: cp}}]}]\n"
)

// lostService is a plan of a configuration whose control plane loses a service by an
// attached change, which also does more.
func lostService(t *testing.T, w *testkit.World, text string, how way, allow []string, more ...plan.Part) (*plan.Plan, diag.List) {
	t.Helper()
	in, diags := input(t, w, text, how)
	in.AllowCascade = allow
	lost := plan.Part{Kind: deck.KindService, Name: "users", Action: plan.Delete, ID: fmt.Sprint(w.Named("gateway_service", "users")["id"])}
	for _, r := range in.Set.Resources {
		if r.Type.Kind == "control_plane" {
			in.Attached = []*build.Attachment{{
				Type: deck.Type(), On: r, From: "d.yaml", Parts: append([]plan.Part{lost}, more...), Holds: func(string) bool { return false },
				PartType: func(kind string) *resource.Type { return deck.PartType(w.Catalog.Types(), kind) },
			}}
		}
	}
	p, found, err := build.With(in, func(removed []resource.Removed) (*resource.Users, error) {
		return live.ReadUsers(t.Context(), unreadable{w.Target, how.unread, how.withheld}, w.Catalog, nil, removed)
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, append(diags, found...)
}

// What an attached change deletes is not referred to afterwards, unless somebody allows
// that.
func TestAttachedDeleteOfWhatIsUsed(t *testing.T) {
	const others = "_defaults: {kongctl: {namespace: a}}\n" + usedPlane
	again := plan.Part{Kind: deck.KindService, Name: "users", Action: plan.Create}
	for name, row := range map[string]struct {
		text          string
		unread        string
		withheld      bool
		allow         []string
		more          []plan.Part
		want, blocked string // a part of the diagnostic, and of what is blocked
		changes       []string
		warned        bool
		removes       string
	}{
		"an external finds it":              {text: usedPlane + usedService + user, want: `deletes the gateway service "users", but the API implementation "impl" uses it in service.id.`},
		"its id is written":                 {text: usedPlane + strings.Replace(user, "id: s,", "id: ID,", 1), want: `"impl" uses it in service.id.`},
		"it is looked up":                   {text: usedPlane + strings.Replace(user, "id: s,", "id: !lookup {name: users},", 1), want: `"impl" uses it in service.id.`},
		"a field of it is taken":            {text: usedPlane + usedService + "apis: [{ref: b, name: bee, description: !ref s#host, implementations: []}]\n", want: `the API "b" uses it in description.`},
		"the user goes first":               {text: usedPlane + usedService + "apis: [{ref: b, name: bee, implementations: []}]\n", changes: []string{"1 DELETE api_implementation s-cp", "2 EXTERNAL_TOOL _deck cp < 1"}, removes: "gateway_service true users 0 unread []"},
		"it is made again":                  {text: usedPlane + usedService + user, more: []plan.Part{again}, changes: []string{"1 EXTERNAL_TOOL _deck cp"}},
		"another namespace uses it":         {text: others, blocked: `the API implementation of the API "bee" (namespace default) uses in service.id. The API implementation is not part of this plan and would refer to a service that no longer exists. Allow it with --allow-cascade cp.`},
		"another namespace, allowed":        {text: others, allow: []string{"cp"}, warned: true, changes: []string{"1 EXTERNAL_TOOL _deck cp"}, removes: "gateway_service true users 1 unread []"},
		"the users cannot be read":          {text: others, unread: "api_implementation"},
		"the users are not for this token":  {text: others, unread: "api_implementation", withheld: true, changes: []string{"1 EXTERNAL_TOOL _deck cp"}, removes: "gateway_service true users 0 unread [api_implementation]"},
		"the users cannot be read, allowed": {text: others, unread: "api_implementation", allow: []string{"cp"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(usedPlane)
			plane := fmt.Sprint(w.Named("control_plane", "cp")["id"])
			service := w.Send("POST", "/v2/control-planes/"+plane+"/core-entities/services", `{"name":"users","host":"h"}`)
			w.Apply(usedPlane + usedService + user)
			if strings.Contains(row.text, "namespace: a") {
				w.Send("PATCH", "/v2/control-planes/"+plane, `{"labels":{"KONGCTL-namespace":"a"}}`)
			}
			p, diags := lostService(t, w, strings.ReplaceAll(row.text, "ID", fmt.Sprint(service["id"])), way{mode: plan.ModeSync, unread: row.unread, withheld: row.withheld}, row.allow, row.more...)
			switch {
			case row.want != "":
				if len(diags) != 1 || diags[0].Code != diag.LiveInUse || !strings.Contains(diags[0].Detail, row.want) || diags[0].Pos.Line == 0 || !strings.Contains(diags[0].Fix, "d.yaml") {
					t.Fatalf("%v", diags)
				}
				return
			case diags.HasErrors():
				t.Fatal(diags)
			case row.blocked != "":
				if len(p.Blocked) != 1 || !strings.Contains(p.Blocked[0].Message, row.blocked) {
					t.Fatalf("%v", p.Blocked)
				}
			case row.unread != "" && (len(p.Errors) == 0) != row.withheld:
				t.Fatal(p.Errors)
			}
			testkit.Expect(t, p, row.changes...)
			if got := removals(p, fmt.Sprint(service["id"])); got != row.removes {
				t.Errorf("removes %q, want %q", got, row.removes)
			}
			for text, want := range map[string]bool{
				"leaves a reference to a deleted service":                                           row.warned,
				"API implementations, which may use what this plan deletes, could not be read: 403": row.withheld,
			} {
				if warned := slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool { return strings.Contains(x.Message, text) }); warned != want {
					t.Errorf("%s: %v", text, p.Warnings)
				}
			}
		})
	}
}

// removals says what a plan removes as parts, who keeps using that, and what the plan
// could not read.
func removals(p *plan.Plan, id string) string {
	out := ""
	for _, c := range p.Changes {
		for _, x := range c.GatewayChanges {
			if x.Removes != nil {
				out += fmt.Sprintf("%s %t users %d unread %v", x.Removes.Type, x.Removes.ID == id, len(x.Removes.Users), x.Removes.Unread)
			}
		}
	}
	return out
}

// What may refer to parts is read only where a plan deletes one that others can refer
// to, for good.
func TestUsersAreReadOnlyForLostParts(t *testing.T) {
	for name, row := range map[string]struct {
		parts []plan.Part
		reads bool
	}{
		"nothing":                           {},
		"an update":                         {parts: []plan.Part{{Kind: deck.KindService, Name: "users", Action: plan.Update, ID: "1"}}},
		"a delete of what nothing uses":     {parts: []plan.Part{{Kind: "route", Name: "r", Action: plan.Delete, ID: "1"}}},
		"a delete and a create of the same": {parts: []plan.Part{{Kind: deck.KindService, Name: "users", Action: plan.Delete, ID: "1"}, {Kind: deck.KindService, Name: "users", Action: plan.Create}}},
		"a delete":                          {parts: []plan.Part{{Kind: deck.KindService, Name: "users", Action: plan.Delete, ID: "1"}}, reads: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(usedPlane)
			in, _ := input(t, w, usedPlane, way{mode: plan.ModeSync})
			in.Attached = []*build.Attachment{{
				Type: deck.Type(), On: in.Set.Resources[0], Parts: row.parts, Holds: func(string) bool { return false },
				PartType: func(kind string) *resource.Type { return deck.PartType(w.Catalog.Types(), kind) },
			}}
			reads := false
			_, diags, err := build.With(in, func([]resource.Removed) (*resource.Users, error) { reads = true; return &resource.Users{}, nil })
			if err != nil || diags.HasErrors() || reads != row.reads {
				t.Errorf("reads %v, want %v: %v %v", reads, row.reads, err, diags)
			}
		})
	}
}
