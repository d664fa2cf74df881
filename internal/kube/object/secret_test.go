package object

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func TestHideFields(t *testing.T) {
	container := func(env any) any { return map[string]any{"image": "nginx", "env": env} }
	fields := map[string]any{
		"data":       map[string]any{"a": "1", "tls.key": "canary"},
		"containers": []any{container([]any{map[string]any{"name": "P", "value": "canary"}}), container([]any{"x"}), map[string]any{}},
	}
	paths := []value.Path{{"data", "tls.key"}, value.ParsePath("containers[1].env[0].value"), value.ParsePath("gone.away")}
	HideFields(fields, paths, "H")
	want := map[string]any{
		"data":       map[string]any{"a": "1", "tls.key": "H"},
		"containers": []any{container("H"), container("H"), map[string]any{}},
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	for path, hidden := range map[string]bool{
		`data["tls.key"]`: true, "data": true, "data.a": false, "containers[0].env": true, "containers[2].env[4].value": true, "containers": true, "containers[0].image": false,
	} {
		if got := Touches(value.ParsePath(path), paths); got != hidden {
			t.Errorf("%s: %v", path, got)
		}
	}
}
