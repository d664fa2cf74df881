package build_test

import (
	"fmt"
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

// served is what a test has of services that are attached to control planes.
type served struct {
	// apart: each service has a control plane of its own.
	apart bool
	// api declares the API that uses a service, by the numbers of both and of the control
	// plane; "" for none: others have it then.
	api string
	// parts is what becomes of a service, made says that the attachment is known to make it.
	parts func(name, id string) []plan.Part
	made  bool
	mode  plan.Mode
	// blocks, refuses and changes say what the plan has.
	blocks, refuses, changes bool
}

const servedAPI = "- {ref: a%[1]d, name: api %[1]d, description: x, implementations: [{service: {id: s%[1]d, control_plane_id: cp%[2]d}}]}\n"

// plane is the number of the control plane of a service.
func (s served) plane(service int) int {
	if s.apart {
		return service
	}
	return 0
}

// text declares services and what uses them.
func (s served) text(api string, services int) string {
	planes, entities, apis := "control_planes:\n", "gateway_services:\n", "apis:\n"
	for i := range services {
		at := s.plane(i)
		if at == i {
			planes += fmt.Sprintf("- {ref: cp%[1]d, name: cp%[1]d}\n", at)
		}
		entities += fmt.Sprintf("- {ref: s%[1]d, control_plane: cp%[2]d, _external: {selector: {matchFields: {name: service-%[1]d}}}}\n", i, at)
		apis += fmt.Sprintf(api, i, at)
	}
	if api == "" {
		return planes
	}
	return planes + entities + apis
}

// attach says what becomes of the services, and counts how often the attachments are asked.
func (s served) attach(w *testkit.World, in *build.Input, ids []string, calls *int) {
	for _, r := range in.Set.Resources {
		if r.Type.Kind != "control_plane" {
			continue
		}
		j := &build.Attachment{
			Type: deck.Type(), On: r, From: "d.yaml",
			Holds:    func(string) bool { *calls++; return true },
			Says:     func(string) map[string]any { *calls++; return nil },
			Depends:  func(*resource.Resource) plan.Dependency { *calls++; return plan.Dependency{} },
			PartType: func(kind string) *resource.Type { *calls++; return deck.PartType(w.Catalog.Types(), kind) },
		}
		for i, id := range ids {
			if fmt.Sprintf("cp%d", s.plane(i)) == r.Ref {
				j.Parts = append(j.Parts, s.parts(fmt.Sprintf("service-%d", i), id)...)
			}
		}
		for _, x := range in.Set.Children(r) {
			if x.External != nil && s.made {
				x.External.Made = deck.NewMade(deck.SourceFile{Name: "d.yaml"}, x.External.Wanted("name"), x.External.Pos)
				j.Makes = append(j.Makes, x)
			}
		}
		in.Attached = append(in.Attached, j)
	}
}

// A plan with what is attached to control planes asks for three more services, and for
// those that refer to them, as often as for the three before: no part is held against all
// parts, resources or attachments.
func TestAttachedPlansAreLinear(t *testing.T) {
	const step = 3
	part := func(name, id string, action plan.Action) plan.Part {
		return plan.Part{Kind: deck.KindService, Name: name, Action: action, ID: id, ChangedFields: map[string]plan.OldNew{"host": {Old: "h", New: "g"}}}
	}
	lost := func(name, id string) []plan.Part { return []plan.Part{part(name, id, plan.Delete)} }
	again := func(name, id string) []plan.Part {
		return []plan.Part{part(name, id, plan.Delete), part(name, "", plan.Create)}
	}
	update := func(name, id string) []plan.Part { return []plan.Part{part(name, id, plan.Update)} }
	nothing := func(string, string) []plan.Part { return nil }
	without := strings.Replace(servedAPI, "implementations: [{service: {id: s%[1]d, control_plane_id: cp%[2]d}}]", "implementations: []", 1)
	taking := strings.Replace(servedAPI, "description: x", "description: !ref s%[1]d#host", 1)
	for name, row := range map[string]served{
		"deleted and declared as used":      {api: servedAPI, parts: lost, mode: plan.ModeSync, refuses: true, changes: true},
		"deleted with what uses it":         {api: without, parts: lost, mode: plan.ModeSync, changes: true},
		"deleted and used by others":        {parts: lost, mode: plan.ModeApply, blocks: true},
		"deleted with all that is declared": {api: servedAPI, parts: lost, mode: plan.ModeDelete, changes: true},
		"made again":                        {api: servedAPI, parts: again, made: true, mode: plan.ModeSync, changes: true},
		"changed, and a field is taken":     {api: taking, parts: update, mode: plan.ModeSync, changes: true},
		"as it is":                          {api: servedAPI, parts: nothing, mode: plan.ModeSync},
	} {
		for _, apart := range []bool{false, true} {
			row.apart = apart
			t.Run(fmt.Sprintf("%s, apart %t", name, apart), func(t *testing.T) {
				w := testkit.New(t)
				var ids []string
				var asked, called []int
				for n := step; n <= 3*step; n += step {
					w.Apply(row.text("", n))
					for i := len(ids); i < n; i++ {
						plane := w.Named("control_plane", fmt.Sprintf("cp%d", row.plane(i)))["id"]
						ids = append(ids, fmt.Sprint(w.Send("POST", fmt.Sprintf("/v2/control-planes/%v/core-entities/services", plane), fmt.Sprintf(`{"name":"service-%d","host":"h"}`, i))["id"]))
					}
					w.Apply(row.text(servedAPI, n))
					in, diags := input(t, w, row.text(row.api, n), way{mode: row.mode})
					if diags.HasErrors() {
						t.Fatal(diags)
					}
					calls, state := 0, &testkit.Counted{State: in.Snapshot}
					row.attach(w, &in, ids, &calls)
					in.Snapshot = state
					p, found, err := build.With(in, func(removed []resource.Removed) (*resource.Users, error) {
						return live.ReadUsers(t.Context(), w.Target, w.Catalog, nil, removed)
					})
					if err != nil {
						t.Fatal(err)
					}
					if len(p.Blocked) > 0 != row.blocks || len(p.Changes) > 0 != row.changes || (diagnosed(found, diag.LiveInUse) == n) != row.refuses {
						t.Fatalf("%v %v %v", p.Blocked, testkit.Lines(p), found)
					}
					asked, called = append(asked, state.Asked+state.Seen), append(called, calls)
				}
				testkit.Linear(t, "it asks for what exists", asked)
				testkit.Linear(t, "it asks attachments", called)
			})
		}
	}
}

// diagnosed counts the diagnostics of a code.
func diagnosed(list diag.List, code diag.Code) int {
	n := 0
	for _, c := range codes(list) {
		if c == code {
			n++
		}
	}
	return n
}
