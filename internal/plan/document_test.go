package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestWriteParseWrite(t *testing.T) {
	w := testkit.New(t)
	w.Env["VALUE"] = "x"
	for name, p := range map[string]*plan.Plan{
		"empty":     w.Plan(testkit.Ask{}, "portals: []"),
		"creates":   w.Plan(testkit.Ask{}, testkit.Airlines+"\ncatalog_services: [{name: a, display_name: A, description: !env VALUE, custom_fields: {n: 1.50, big: 12345678901234567890, b: true}}]"),
		"all kinds": testkit.RichPlan(t),
	} {
		first := testkit.Text(t, p)
		again, err := plan.Parse([]byte(first))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		testkit.Equal(t, name, testkit.Text(t, again), first)
	}
}

func TestWriteLeavesTextReadable(t *testing.T) {
	p := testkit.New(t).Plan(testkit.Ask{}, "portals: [{name: a, description: 'x < y & z > \"é\"'}]")
	if !strings.Contains(testkit.Text(t, p), `x < y & z > \"é\"`) {
		t.Errorf("characters are escaped without need:\n%s", testkit.Text(t, p))
	}
}

func TestParseRefuses(t *testing.T) {
	const head = `{"metadata":{"plan_version":"1.0"}`
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", "it ends too early"},
		{"text", "portals: []", "invalid character"},
		{"a list", "[]", "the type array is not allowed here"},
		{"a key twice", head + `,"changes":[{"id":"1","fields":{"a":1,"a":2}}]}`, "changes[0].fields.a: the key is there twice"},
		{"a number that 64 bits do not hold", head + `,"changes":[{"id":"1","fields":{"a":1e999}}]}`, "changes[0].fields.a: the number is too large"},
		{"text that is not UTF-8", head + `,"x":"` + "\xff" + `"}`, "it is not UTF-8 text"},
		{"another document", `{"apis":[]}`, "this is not a plan"},
		{"null", `null`, "this is not a plan"},
		{"another major version", `{"metadata":{"plan_version":"2.0"}}`, "format version 2.0, and this program reads 1.0"},
		{"a version that only begins alike", `{"metadata":{"plan_version":"10.0"}}`, "format version 10.0"},
		{"more text after the plan", head + `} {}`, "more than one document"},
		{"a change that is null", head + `,"changes":[null]}`, "change 1 is empty"},
		{"a change without an id", head + `,"changes":[{"action":"CREATE"}]}`, "change 1 has no id"},
		{"two changes of one id", head + `,"changes":[{"id":"1:c:a:b","action":"CREATE"},{"id":"1:c:a:b","action":"CREATE"}]}`, "two changes with the id 1:c:a:b"},
		{"an action of another time", head + `,"changes":[{"id":"1:x:a:b","action":"EXPLODE"}]}`, "this program does not know the action EXPLODE"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := plan.Parse([]byte(row.text))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %s", err, row.want)
			}
		})
	}
}

func TestParseReadsLaterMinorVersions(t *testing.T) {
	p, err := plan.Parse([]byte(`{"metadata":{"plan_version":"1.7","mode":"apply","new":1},"changes":[],"later":{}}` + "\n"))
	if err != nil || p.Metadata.Mode != plan.ModeApply {
		t.Errorf("%v, %v", p, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"metadata":{"plan_version":"1.0"},"changes":[]}`))
	f.Add([]byte(`{"metadata":{"plan_version":"1.0"},"changes":[null]}`))
	f.Add([]byte(`{"metadata":{"plan_version":"2.0"}}`))
	f.Add([]byte(`{"metadata":{"plan_version":"1.0"},"changes":[{"id":"1:c:portal:a","action":"CREATE","fields":{"n":1.0,"x":null},"depends_on":["1:c:portal:a"],"references":{"a[0]":{}}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := plan.Parse(raw)
		if err != nil {
			return
		}
		if !strings.HasPrefix(p.Metadata.PlanVersion, "1") {
			t.Errorf("read a plan of version %q", p.Metadata.PlanVersion)
		}
		for _, c := range p.Changes {
			if p.Change(c.ID) != c {
				t.Errorf("%q does not lead to its change", c.ID)
			}
		}
		first, err := p.Write()
		if err != nil {
			t.Fatal(err)
		}
		again, err := plan.Parse(first)
		if err != nil {
			t.Fatalf("what was read and written cannot be read: %v", err)
		}
		second, err := again.Write()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("written twice, not the same:\n%s\n%s", first, second)
		}
	})
}

// What a plan hides is hidden in what stands there now.
func TestHideLike(t *testing.T) {
	for name, tc := range map[string]struct{ like, v, want any }{
		"a plain value":         {"a", "b", "b"},
		"a secret":              {plan.Hidden, "b", plan.Hidden},
		"of a variable":         {"[env:X]", "b", plan.Hidden},
		"nothing there":         {plan.Hidden, nil, nil},
		"one of several":        {map[string]any{"a": "[env:X]", "b": "c"}, map[string]any{"a": "x", "b": "y", "z": "w"}, map[string]any{"a": plan.Hidden, "b": "y", "z": "w"}},
		"a list":                {[]any{"a", "[env:X]"}, []any{"x"}, plan.Hidden},
		"another shape":         {map[string]any{"a": plan.Hidden}, "x", plan.Hidden},
		"a list with a mapping": {map[string]any{"l": []any{map[string]any{"a": plan.Hidden}}}, map[string]any{"l": []any{"x"}}, map[string]any{"l": plan.Hidden}},
	} {
		testkit.Equal(t, name, plan.HideLike(tc.like, tc.v), tc.want)
	}
}
