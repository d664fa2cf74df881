package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kongctl/kongctl/internal/plan"
)

// written is a plan with one change of every kind of part that documents write in
// their own form.
func written() *plan.Plan {
	p := &plan.Plan{
		Metadata: plan.Metadata{PlanVersion: plan.Version, VersionAlias: plan.Version, Mode: plan.ModeSync},
		Changes: []*plan.Change{{
			ID: "1:c:thing:a", ResourceType: "thing", ResourceRef: "a", ResourceName: "a", Action: plan.Create, DependsOn: []string{}, Protection: true,
			Fields: map[string]any{"labels": map[string]any{"team": "x<y", "KONGCTL-namespace": "default"}},
			Parent: &plan.ParentRef{Ref: "p", Type: "portal", ID: "id-p", Lookup: plan.Named("Portal")},
			References: map[string]plan.Reference{
				"policies[0]":    {Ref: "one", Type: "policy", ID: "id-1", Lookup: plan.Named("One")},
				`labels["a.b"]`:  {Ref: "two", Type: "policy", ID: "id-2"},
				"owner.id":       {Ref: "three", Type: "policy", ID: "id-3"},
				"numbers.0.text": {Ref: "four", Type: "policy", ID: "id-4"},
			},
			SecretWrites: []plan.Expression{
				{Field: "config.keys[1].secret", Expression: map[string]any{"source": map[string]any{"env": "KEY", "extract": "a.b"}}},
				{Field: `config["a/b~c"]`, Expression: map[string]any{"parts": []any{map[string]any{"text": "Bearer "}, map[string]any{"file": "token", "base": "."}}}},
			},
		}},
		ExecutionOrder: []string{"1:c:thing:a"}, ExecutionGroups: [][]string{{"1:c:thing:a"}},
	}
	p.Summarize()
	return p
}

func TestWrittenFormOfChanges(t *testing.T) {
	raw, err := written().Write()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Summary struct {
			Protection map[string]int `json:"protection_changes"`
		} `json:"summary"`
		Changes []struct {
			Fields     map[string]any            `json:"fields"`
			Marks      map[string]any            `json:"marks"`
			References map[string]map[string]any `json:"references"`
			Secrets    []struct {
				Field      string `json:"field"`
				Expression struct {
					Parts []map[string]any `json:"parts"`
				} `json:"expression"`
			} `json:"secret_writes"`
		} `json:"changes"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Changes[0]
	for name, x := range map[string]struct{ got, want any }{
		"labels":    {c.Fields["labels"], map[string]any{"team": "x<y"}},
		"marks":     {c.Marks, map[string]any{"KONGCTL-namespace": "default"}},
		"parent":    {c.References["portal_id"]["lookup_fields"], map[string]any{"name": "Portal"}},
		"item":      {c.References["policies.0"]["lookup_fields"], map[string]any{"name": "One"}},
		"below":     {c.References["owner.id"]["ref"], "three"},
		"number":    {c.References[`numbers["0"].text`]["ref"], "four"},
		"dot":       {c.References[`labels["a.b"]`]["ref"], "two"},
		"pointer":   {c.Secrets[0].Field, "/config/keys/1/secret"},
		"variable":  {c.Secrets[0].Expression.Parts, []map[string]any{{"source": map[string]any{"kind": "env", "reference": "KEY", "extract": "a.b"}}}},
		"escaped":   {c.Secrets[1].Field, "/config/a~1b~0c"},
		"literal":   {c.Secrets[1].Expression.Parts[0], map[string]any{"literal": "Bearer "}},
		"protected": {doc.Summary.Protection, map[string]int{"protecting": 1, "unprotecting": 0}},
	} {
		if d := cmp.Diff(x.want, x.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestReadGivesWhatWasWritten(t *testing.T) {
	want := written()
	raw, err := want.Write()
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Changes, got.Changes); d != "" {
		t.Errorf("changes (-written +read):\n%s", d)
	}
}

// Documents of earlier programs have the forms that this program works with.
func TestEarlierFormOfChanges(t *testing.T) {
	raw := `{"metadata": {"plan_version": "1.0", "version": "1.0", "mode": "sync"}, "changes": [{
		"id": "1:c:thing:a", "resource_type": "thing", "resource_ref": "a", "action": "CREATE", "depends_on": [],
		"fields": {"labels": {"KONGCTL-namespace": "default", "2026": "x"}},
		"parent": {"ref": "p", "type": "portal", "id": "id-p"},
		"references": {"policies[0]": {"ref": "one", "type": "policy", "id": "id-1"}, "labels.2026": {"ref": "two", "type": "policy", "id": "id-2"}},
		"secret_writes": [{"field": "config.keys[1].secret", "expression": {"source": {"env": "KEY"}}}]}]}`
	p, err := plan.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := p.Changes[0]
	for name, x := range map[string]struct{ got, want any }{
		"fields":     {c.Fields, map[string]any{"labels": map[string]any{"KONGCTL-namespace": "default", "2026": "x"}}},
		"references": {c.References, map[string]plan.Reference{"policies[0]": {Ref: "one", Type: "policy", ID: "id-1"}, "labels.2026": {Ref: "two", Type: "policy", ID: "id-2"}}},
		"secrets":    {c.SecretWrites, []plan.Expression{{Field: "config.keys[1].secret", Expression: map[string]any{"source": map[string]any{"env": "KEY"}}}}},
	} {
		if d := cmp.Diff(x.want, x.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	again, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(again), `"policies.0"`) {
		t.Errorf("the form of earlier programs is written:\n%s", again)
	}
}

// What a document says of the parent twice must be the same.
func TestParentAmongReferencesIsTheParent(t *testing.T) {
	raw, err := written().Write()
	if err != nil {
		t.Fatal(err)
	}
	for _, lie := range []struct{ old, now string }{{`"id": "id-p",\n          "lookup`, `"id": "other",\n          "lookup`}, {`"ref": "p",\n          "type": "portal",\n          "id": "id-p",\n          "lookup`, `"ref": "q",\n          "type": "portal",\n          "id": "id-p",\n          "lookup`}} {
		old, now := strings.ReplaceAll(lie.old, `\n`, "\n"), strings.ReplaceAll(lie.now, `\n`, "\n")
		forged := strings.Replace(string(raw), old, now, 1)
		if forged == string(raw) {
			t.Fatalf("the document does not hold %s:\n%s", old, raw)
		}
		p, err := plan.Parse([]byte(forged))
		if err != nil {
			t.Fatal(err)
		}
		if _, kept := p.Changes[0].References["portal_id"]; !kept {
			t.Errorf("%s: nothing is left to refuse", now)
		}
	}
}

// Marks that stand among the labels and beside them are left for the checks.
func TestMarksTwice(t *testing.T) {
	raw := `{"metadata": {"plan_version": "1.0", "version": "1.0", "mode": "sync"}, "changes": [{
		"id": "1:c:thing:a", "resource_type": "thing", "resource_ref": "a", "action": "CREATE", "depends_on": [],
		"fields": {"labels": {"KONGCTL-namespace": "theirs"}}, "marks": {"KONGCTL-namespace": "default"}}]}`
	p, err := plan.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Changes[0]; len(c.OwnLabels) == 0 {
		t.Errorf("labels are %v, and nothing is left to refuse", c.Fields["labels"])
	}
}
