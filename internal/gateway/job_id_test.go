package gateway

import (
	"testing"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// A state makes what has an id where it says that id for an entity of the type, at any
// depth, or does not say it yet.
func TestMakesID(t *testing.T) {
	const id = "12345678-1234-4234-8234-123456789012"
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"DECK_ID": id, "DECK_OTHER": "12345678-1234-4234-8234-000000000000"}[name]
		return v, ok
	}
	item := func(key string, id value.Value) value.Value {
		at := value.Pos{}
		return value.ListAt(at, []value.Value{value.MapAt(at, value.Entry{Key: "id", Value: id}, value.Entry{Key: "name", Value: value.StringAt(at, key)})})
	}
	state := func(key string, list value.Value) *Job {
		return &Job{State: value.MapAt(value.Pos{}, value.Entry{Key: key, Value: list}), env: env}
	}
	text := value.StringAt(value.Pos{}, id)
	variable := func(name string) value.Value {
		return value.ExprAt(value.Pos{}, value.Expression{Op: value.OpEnv, Name: name})
	}
	file := func(content string) *Job {
		d, diags := Read("kong.yaml", []byte("_format_version: \"3.0\"\n"+content), env)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		return &Job{documents: []*Document{d}, env: env}
	}
	skipped := file("consumers: [{id: " + id + ", username: c}]")
	skipped.Flags.SkipConsumers = true
	for name, row := range map[string]struct {
		job  *Job
		kind string
		want bool
	}{
		"a state":                       {state("services", item("x", text)), "service", true},
		"another kind":                  {state("routes", item("x", text)), "service", false},
		"a variable":                    {state("services", item("x", variable("DECK_ID"))), "service", true},
		"a variable with another id":    {state("services", item("x", variable("DECK_OTHER"))), "service", false},
		"a secret of which nobody says": {state("services", item("x", value.ExprAt(value.Pos{}, value.Expression{Op: value.OpSecret}))), "service", true},
		"no state":                      {&Job{env: env}, "service", false},
		"a file":                        {file("services: [{id: " + id + ", name: x, host: h}]"), "service", true},
		"another id in a file":          {file("services: [{id: ABCD5678-1234-4234-8234-123456789012, name: x, host: h}]"), "service", false},
		"nested in a file":              {file("services: [{name: x, host: h, routes: [{id: " + id + ", name: r, paths: [/r]}]}]"), "route", true},
		"a template of a file":          {file("services: [{id: '${{ env \"DECK_ID\" }}', name: x, host: h}]"), "service", true},
		"no id":                         {file("services: [{name: x, host: h}]"), "service", false},
		"a consumer":                    {file("consumers: [{id: " + id + ", username: c}]"), "consumer", true},
		"a consumer that is skipped":    {skipped, "consumer", false},
	} {
		if got := row.job.MakesID(&resource.Type{Kind: TargetName + "_" + row.kind}, id); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
