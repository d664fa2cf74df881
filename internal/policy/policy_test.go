package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/policy"
	"github.com/kongctl/kongctl/internal/value"
)

const document = `{
 "metadata": {"mode": "sync"},
 "summary": {"total_changes": 4, "by_action": {"CREATE": 1, "UPDATE": 2, "DELETE": 1}},
 "texts": {"k": "a long text"},
 "changes": [
  {"resource_type": "api", "resource_ref": "new", "action": "CREATE", "fields": {"name": "new", "labels": {"team": "x"}, "content": "[text:k]", "visibility": "[env:VIS]", "other": "[env:UNSET]", "written": "[env:HOME]"},
   "expressions": [{"field": "visibility", "expression": {"env": "VIS"}}, {"field": "other", "expression": {"env": "UNSET"}}],
   "source": {"file": "apis.yaml", "line": 3, "column": 5}},
  {"resource_type": "api", "resource_ref": "old", "action": "UPDATE", "current_state": {"description": null, "name": "old", "labels": {"owner": "me", "team": "x"}},
   "fields": {"labels": {"team": null}}, "changed_fields": {"labels.team": {"old": "x", "new": null}}},
  {"resource_type": "portal", "resource_ref": "whole", "action": "UPDATE", "current_state": {"config": {"a": 1, "b": 2}},
   "fields": {"config": {"a": 3}}, "changed_fields": {"config.a": {"old": 1, "new": 3}, "config.b": {"old": 2, "new": null}}},
  {"resource_type": "portal", "resource_ref": "gone", "action": "DELETE", "current_state": {"name": "gone", "public": true},
   "takes_along": {"portal_page": 2, "portal_team": 1}, "expect": {"fingerprint": "f", "along": {"portal_page/p1": "x", "portal_page/p1/p2": "y", "api_publication/a1/u1": "z"}},
   "cascades": [{"type": "api_publication", "id": "u1", "name": "flights"}]}
 ]
}`

// judge asks one rule about the document.
func judge(t *testing.T, expression, severity string) diag.List {
	t.Helper()
	text, err := json.Marshal(map[string]any{"rules": []any{map[string]any{"name": "r", "expression": expression, "message": "It must.", "severity": severity}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Load(policy.File{Name: "p.yaml", Content: text})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Judge([]byte(document), func(name string) (string, bool) { return "public", name != "UNSET" })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What expressions see.
func TestJudge(t *testing.T) {
	for expression, broken := range map[string]int{
		`plan.metadata.mode == "sync"`:                                            0,
		`plan.summary.by_action.DELETE <= 1`:                                      0,
		`plan.summary.by_action.DELETE < 1`:                                       1,
		`changes.filter(c, c.action == "DELETE").size() <= 5`:                     0,
		`changes.exists(c, c.resource_ref == "nobody")`:                           1,
		`change.action != "DELETE"`:                                               1,
		`change.action in ["CREATE"]`:                                             3,
		`change.resource_type != "api" || change.after.?labels.?owner.hasValue()`: 1,
		`change.resource_ref != "old" || (change.before.labels.team == "x" && !has(change.after.labels.team))`: 0,
		`change.resource_ref != "old" || change.after.name == "old"`:                                           0,
		`change.resource_ref != "whole" || change.after.config == {"a": 3}`:                                    0,
		`change.resource_ref != "gone" || (change.before.public && size(change.after) == 0)`:                   0,
		`change.resource_ref != "new" || change.after.content.startsWith("a long")`:                            0,
		`change.resource_ref != "new" || change.after.visibility == "private"`:                                 1,
		`change.resource_ref != "new" || change.after.other == "[env:UNSET]"`:                                  0,
		`change.resource_ref != "old" || has(change.after.description)`:                                        1,
		`change.gateway_changes.size() == 0 && plan.summary.gateway.deleting == 0`:                             0,
		`plan.summary.taken_along == 0 && plan.summary.cascaded == 0`:                                          0,
		`change.resource_ref == "gone" || change.also_deletes.size() == 0`:                                     0,
		`change.resource_ref != "gone" || change.also_deletes.map(x, x.resource_type + "/" + x.resource_id + "/" + x.resource_name) ==
			["api_publication/u1/flights", "portal_page/p1/", "portal_page/p2/", "portal_team//"]`: 0,
		`change.also_deletes.all(x, x.resource_type != "portal_page")`: 1,
		`change.resource_ref.lowerAscii().matches("^[a-z]+$")`:         0,
	} {
		list := judge(t, expression, "")
		if len(list) != broken {
			t.Errorf("%s: %d broken, want %d: %v", expression, len(list), broken, list)
		}
		for _, d := range list {
			if d.Code != diag.PolicyRefused || d.Severity != diag.Error || !strings.HasSuffix(d.Detail, ": It must.") {
				t.Errorf("%s: %+v", expression, d)
			}
		}
	}
}

// A change is named with its place; a rule about the whole has its own.
func TestPlaces(t *testing.T) {
	list := judge(t, `change.resource_ref != "new" && change.resource_ref != "gone"`, "warning")
	if len(list) != 2 || list.HasErrors() {
		t.Fatal(list)
	}
	if got := list[0]; got.Pos.String() != "apis.yaml:3:5" || !strings.Contains(got.Detail, `the create of api "new"`) {
		t.Errorf("%+v", got)
	}
	if got := list[1]; got.Pos.File != "p.yaml" || got.Pos.Line != 1 {
		t.Errorf("%+v", got)
	}
}

// What cannot be answered refuses the plan, whatever the severity of the rule.
func TestUnanswered(t *testing.T) {
	for _, expression := range []string{`change.after.labels.owner == "me"`, `plan.nothing`, `changes[99].action == ""`, `plan.metadata.mode`} {
		list := judge(t, expression, "warning")
		if !list.HasErrors() || list[0].Code != diag.PolicyUnanswered {
			t.Errorf("%s: %v", expression, list)
		}
	}
}

// Values of variables are in no message, and only those that a plan takes are read.
func TestVariablesAreHidden(t *testing.T) {
	list := judge(t, `change.resource_ref != "new" || {"a": 1}[change.after.visibility] == 1`, "")
	if len(list) != 1 || list[0].Code != diag.PolicyUnanswered || strings.Contains(list[0].Detail, "public") {
		t.Error(list)
	}
	if list := judge(t, `change.resource_ref != "new" || change.after.written == "[env:HOME]"`, ""); len(list) > 0 {
		t.Error(list)
	}
}

// An expression does not run forever.
func TestCost(t *testing.T) {
	numbers := "[" + strings.TrimSuffix(strings.Repeat("1,", 400), ",") + "]"
	list := judge(t, numbers+".all(a, "+numbers+".all(b, "+numbers+".all(c, a == b && b == c)))", "")
	if len(list) != 1 || list[0].Code != diag.PolicyUnanswered || !strings.Contains(list[0].Detail, "cost") || !strings.HasPrefix(list[0].Fix, "make the expression cheaper") {
		t.Error(list)
	}
}

// Wrong files, with their places.
func TestWrongFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "no list of rules",
		"rules: []":                "no list of rules",
		"[1]":                      "not a mapping",
		"rules: [1]":               "not a mapping",
		"a: [":                     "not YAML",
		"rule: []":                 `"rule" is not known`,
		"rules: []\n---\nrules: 1": "more than one document",
		"rules:\n- name: a\n  expression: 'true'\n":                                                        "has no message",
		"rules:\n- name: a\n  message: m\n":                                                                "has no expression",
		"rules:\n- {name: a, message: m, expression: 'true', severity: fatal}":                             `severity "fatal"`,
		"rules:\n- {name: a, message: m, expression: 'true', level: 1}":                                    `"level" is not known`,
		"rules:\n- {name: [a], message: m, expression: 'true'}":                                            `"name" is not a text`,
		"rules:\n- {name: a, message: m, expression: '1 +'}":                                               "line 1, column",
		"rules:\n- {name: a, message: m, expression: 'chnge.action == 1'}":                                 "undeclared reference to 'chnge'",
		"rules:\n- {name: a, message: m, expression: '1 + 1'}":                                             "gives int, not true or false",
		"rules:\n- {name: a, message: m, expression: 'true'}\n- {name: a, message: m, expression: 'true'}": `another rule "a"`,
		"rules:\n- {name: a, name: b, message: m, expression: 'true'}":                                     "twice",
	} {
		_, err := policy.Load(policy.File{Name: "p.yaml", Content: []byte(text)})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "POL001") || !strings.Contains(err.Error(), "p.yaml") {
			t.Errorf("%q: %v", text, err)
		}
		var found *diag.ListError
		if !errors.As(err, &found) || found.List[0].Fix[:1] != strings.ToLower(found.List[0].Fix[:1]) {
			t.Errorf("%q: the fix does not begin as fixes do: %v", text, err)
		}
	}
}

// What to write depends on why a rule cannot be answered.
func TestFixOfUnanswered(t *testing.T) {
	for expression, fix := range map[string]string{
		`change.after.labels.owner == "me"`: "test for what may be absent",
		`plan.summary.total_changes < "4"`:  "compare values of one type",
		`int(change.resource_ref) > 1`:      "compare values of one type",
		`plan.metadata.mode`:                "make the expression a comparison",
	} {
		if list := judge(t, expression, ""); len(list) == 0 || !strings.HasPrefix(list[0].Fix, fix) {
			t.Errorf("%s: %v", expression, list)
		}
	}
}

// People read the first ten of a rule, and how many more there are.
func TestFew(t *testing.T) {
	var list diag.List
	for i := range 1500 {
		list.Add(diag.PolicyRefused, value.Pos{Line: i}, fmt.Sprintf("Rule %q is broken by change %d: no.", "a b", i), "")
	}
	list.Add(diag.PolicyRefused, value.Pos{}, `Rule "other" is broken by the plan: no.`, "")
	list.Add(diag.CfgUnknownKey, value.Pos{}, "Something else.", "")
	got := policy.Few(list)
	if len(got) != 12 || !strings.HasSuffix(got[9].Detail, "change 9: no.\nRule \"a b\": 1490 more changes, which -o json and -o sarif list.") || len(list) != 1502 {
		t.Errorf("%d: %v", len(got), got[9:])
	}
	if again := policy.Few(list[:10]); len(again) != 10 || strings.Contains(again[9].Detail, "more changes") {
		t.Errorf("ten are few: %v", again[9])
	}
}
