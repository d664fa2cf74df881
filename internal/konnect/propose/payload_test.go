package propose

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// What was is sent again without what only answers say, and without nulls that a
// request does not take, also inside of lists.
func TestFormerValuesAreWhatRequestsTake(t *testing.T) {
	text := func() *contract.Schema { return &contract.Schema{Type: "string"} }
	item := &contract.Schema{Type: "object", Required: []string{"must"}, Properties: map[string]*contract.Schema{
		"name": text(), "none": text(),
		"maybe": {Type: "string", Nullable: true},
		"must":  {Type: "string", Nullable: true},
		"key":   {Type: "string", Secret: true},
		"made":  {Type: "string", ReadOnly: true},
	}}
	list := &contract.Schema{Type: "array", Items: item}
	had := func() map[string]any {
		return map[string]any{"id": "7", "name": "a", "none": nil, "maybe": nil, "must": nil, "key": "in clear", "made": "x"}
	}
	for name, row := range map[string]struct {
		got, want any
	}{
		"an item of an update": {strip(list, []any{had()}), []any{map[string]any{"name": "a", "maybe": nil, "must": nil}}},
		"a mapping of a create": {
			dropNulls(item, strip(item, had())),
			map[string]any{"name": "a", "must": nil},
		},
		"an item of a create": {
			dropNulls(list, strip(list, []any{had()})),
			[]any{map[string]any{"name": "a", "maybe": nil, "must": nil}},
		},
		"a place of a secret": {strip(item, map[string]any{"key": nil}), map[string]any{"key": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, row.got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A PUT says null of what has no value where the form that it sends requires the field,
// and of nothing else.
func TestRequiredNullsAreSent(t *testing.T) {
	body := &contract.Schema{Type: "object", Required: []string{"name", "must", "made", "key"}, Properties: map[string]*contract.Schema{
		"name":  {Type: "string", Nullable: true},
		"must":  {Type: "string", Nullable: true},
		"maybe": {Type: "string", Nullable: true},
		"made":  {Type: "string", Nullable: true, ReadOnly: true},
		"key":   {Type: "string", Nullable: true, Secret: true},
	}}
	out := map[string]any{"name": "a"}
	keepNulls(body.Object(out), out, map[string]any{"name": nil, "must": nil, "maybe": nil, "made": nil, "key": nil, "other": nil})
	if diff := cmp.Diff(map[string]any{"name": "a", "must": nil}, out); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A form of a union may be a union: values of its forms differ, too.
func TestFormsOfAFormDiffer(t *testing.T) {
	form := func(kind string) *contract.Schema {
		return &contract.Schema{Type: "object", Required: []string{"kind"}, Properties: map[string]*contract.Schema{"kind": {Type: "string", Enum: []any{kind}}}}
	}
	union := &contract.Schema{OneOf: []*contract.Schema{{OneOf: []*contract.Schema{form("a"), form("b")}}}}
	a, b := map[string]any{"kind": "a"}, map[string]any{"kind": "b"}
	if picksAnother(union, a, a) || !picksAnother(union, a, b) {
		t.Error("the forms of a form are not told apart")
	}
}
