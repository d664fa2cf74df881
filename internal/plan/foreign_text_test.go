package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
)

// foreignChanged reads a plan of another program with one change.
func foreignChanged(t *testing.T, change string) (*plan.Plan, *plan.Change) {
	t.Helper()
	p, err := plan.ParseForeign(foreignDocument(change))
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	return p, p.Changes[0]
}

func TestForeignTextsStandForValues(t *testing.T) {
	env := func(field, name, part string) plan.Expression {
		e := map[string]any{"env": name}
		if part != "" {
			e["extract"] = part
		}
		return plan.Expression{Field: field, Expression: e}
	}
	for name, row := range map[string]struct {
		fields     string
		want       map[string]any
		env        []plan.Expression
		references map[string]plan.Reference
	}{
		"a variable":                 {fields: `{"a":"__ENV__:VAR"}`, want: map[string]any{"a": "[env:VAR]"}, env: []plan.Expression{env("a", "VAR", "")}},
		"a part of a variable":       {fields: `{"a":"__ENV__:VAR#x.y"}`, want: map[string]any{"a": "[env:VAR]"}, env: []plan.Expression{env("a", "VAR", "x.y")}},
		"in a mapping in a list":     {fields: `{"a":[{"b.c":"__ENV__:VAR"}]}`, want: map[string]any{"a": []any{map[string]any{"b.c": "[env:VAR]"}}}, env: []plan.Expression{env(`a[0]["b.c"]`, "VAR", "")}},
		"a reference":                {fields: `{"a":"__REF__:p"}`, want: map[string]any{"a": plan.UnknownID}, references: map[string]plan.Reference{"a": {Ref: "p"}}},
		"a reference to an id":       {fields: `{"a":"__REF__:p#id"}`, want: map[string]any{"a": plan.UnknownID}, references: map[string]plan.Reference{"a": {Ref: "p"}}},
		"a reference to a field":     {fields: `{"a":["__REF__:p#name"]}`, want: map[string]any{"a": []any{plan.UnknownID}}, references: map[string]plan.Reference{"a[0]": {Ref: "p", Field: "name"}}},
		"elsewhere than at the head": {fields: `{"a":"x__ENV__:VAR","b":" __REF__:p","c":"__init__: x"}`, want: map[string]any{"a": "x__ENV__:VAR", "b": " __REF__:p", "c": "__init__: x"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, c := foreignChanged(t, `{"id":"1","action":"CREATE","resource_type":"api","resource_ref":"r","fields":`+row.fields+`}`)
			if row.references == nil {
				row.references = map[string]plan.Reference{}
			}
			if diff := cmp.Diff(row.want, c.Fields); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(row.env, c.Expressions); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(row.references, c.References, cmp.AllowUnexported(plan.Reference{})); diff != "" {
				t.Error(diff)
			}
			if err := p.Deferred(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestForeignTextsOfAnUpdate(t *testing.T) {
	_, c := foreignChanged(t, `{"id":"1","action":"UPDATE","resource_type":"api","resource_ref":"r","resource_id":"x",
		"fields":{"a":"__ENV__:A","m":{"b":"__ENV__:B","c":"c"},"old":{"old":"1","new":"__ENV__:C"}},
		"changed_fields":{"a":{"old":"[redacted from !env]","new":"__ENV__:A"},"m":{"old":{"b":"former","c":"before"},"new":{"b":"__ENV__:B","c":"c"}}}}`)
	want := map[string]plan.OldNew{
		"a":   {Old: plan.Hidden, New: "[env:A]"},
		"m":   {Old: map[string]any{"b": plan.Hidden, "c": "before"}, New: map[string]any{"b": "[env:B]", "c": "c"}},
		"old": {Old: plan.Hidden, New: "[env:C]"},
	}
	if diff := cmp.Diff(want, c.ChangedFields); diff != "" {
		t.Error(diff)
	}
	if c.FieldChanges[0].CurrentValue != plan.Hidden || c.FieldChanges[2].CurrentValue != "1" {
		t.Errorf("what the update expects: %+v", c.FieldChanges)
	}
	var fields []string
	for _, e := range c.Expressions {
		fields = append(fields, e.Field)
	}
	if diff := cmp.Diff([]string{"a", "m.b", "old"}, fields); diff != "" {
		t.Error(diff)
	}
}

func TestForeignReferencesAreNames(t *testing.T) {
	_, c := foreignChanged(t, `{"id":"1","action":"CREATE","resource_type":"api_publication","resource_ref":"r","resource_name":"__ENV__:NAME","parent":{"ref":"__REF__:api","id":"[unknown]"},
		"fields":{"name":"__ENV__:NAME","portal_id":"__REF__:p#id"},
		"references":{"portal_id":{"ref":"__REF__:p#id","id":"uuid"},"name_of":{"ref":"__REF__:p#name","id":"uuid"},"by_id":{"id":"__REF__:q"},
		 "ids":{"refs":["__REF__:k#id","l"],"resolved_ids":["id-k","__REF__:l#id"]}}}`)
	want := map[string]plan.Reference{
		"portal_id": {Ref: "p", ID: "uuid"}, "name_of": {Ref: "p", Field: "name"}, "by_id": {Ref: "q"}, "ids[0]": {Ref: "k", ID: "id-k"}, "ids[1]": {Ref: "l"},
	}
	if diff := cmp.Diff(want, c.References, cmp.AllowUnexported(plan.Reference{})); diff != "" {
		t.Error(diff)
	}
	if c.Parent.Ref != "api" || c.ResourceName != "" {
		t.Errorf("parent %+v, name %q", c.Parent, c.ResourceName)
	}
}

func TestForeignTextsThatAreRefused(t *testing.T) {
	for name, row := range map[string]struct{ change, want string }{
		"a file":              {`"fields":{"a":{"b":["__FILE__:x"]}}`, "change 1: a.b[0]: kongctl does not know what the placeholder __FILE__: stands for"},
		"a secret":            {`"fields":{"a":"__SECRET__:eyJ"}`, "a: kongctl does not know what the placeholder __SECRET__: stands for"},
		"words with more":     {`"fields":{"a":"__KONGCTL_LITERAL__:X19"}`, "placeholder __KONGCTL_LITERAL__: "},
		"deferred":            {`"fields":{"a":"__DEFERRED__x"}`, "placeholder __DEFERRED__ "},
		"a changed field":     {`"changed_fields":{"a":{"new":"__LOOKUP__:x"}}`, "change 1: a: "},
		"no variable":         {`"fields":{"a":"__ENV__:"}`, "the placeholder __ENV__: does not say what it stands for"},
		"a text behind it":    {`"fields":{"a":"__ENV__:A is what I want"}`, "does not say"},
		"no part":             {`"fields":{"a":"__ENV__:A#"}`, "does not say"},
		"no resource":         {`"fields":{"a":"__REF__:#id"}`, "does not say"},
		"a reference":         {`"references":{"a":{"ref":"__EXTERNAL__:x"}}`, "change 1: references.a.ref: "},
		"an item":             {`"references":{"a":{"refs":["__EXTERNAL__:x"]}}`, "change 1: references.a[0].ref: "},
		"a name by variable":  {`"references":{"a":{"ref":"__ENV__:A"}}`, "references.a.ref: a resource cannot be named by a variable"},
		"an id":               {`"references":{"a":{"ref":"x","id":"__LOOKUP__:x"}}`, "references.a.id: "},
		"a parent":            {`"parent":{"ref":"__LOOKUP__:x"}`, "parent.ref: "},
		"a field of a parent": {`"parent":{"ref":"__REF__:x#name"}`, "parent.ref: a parent is referred to by its id, not by name"},
		"a resource":          {`"resource_id":"__REF__:x#id"`, "resource_id: the placeholder __REF__: may not stand here"},
		"a part of a secret":  {`"secret_writes":[{"field":"/a","expression":{"parts":[{"literal":"__ENV__:A"}]}}]`, "secret_writes./a: the placeholder __ENV__: may not stand here"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := foreignChanged(t, `{"id":"1","action":"UPDATE","resource_type":"api","resource_ref":"r",`+row.change+`}`)
			if err := p.Deferred(); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestForeignVariablesOfSecretsAreSecretWrites(t *testing.T) {
	p, c := foreignChanged(t, `{"id":"1","action":"CREATE","resource_type":"api","resource_ref":"r","fields":{"a":"__ENV__:A","m":{"token":"__ENV__:B#x"}}}`)
	p.KeepSecrets(func(_ string, fields map[string]any) map[string]any { return plan.HideByName(fields, plan.Secret) })
	if diff := cmp.Diff([]plan.Expression{{Field: "a", Expression: map[string]any{"env": "A"}}}, c.Expressions); diff != "" {
		t.Error(diff)
	}
	want := []plan.Expression{{Field: "m.token", Expression: map[string]any{"parts": []any{map[string]any{"env": "B", "extract": "x"}}}}}
	if diff := cmp.Diff(want, c.SecretWrites); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"a": "[env:A]", "m": map[string]any{}}, c.Fields); diff != "" {
		t.Error(diff)
	}
}
