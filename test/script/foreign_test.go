package script

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// foreign IN OUT writes a plan of kongctl the way Kong's own tool writes plans: no
// seal, no organization, nothing that is expected or was read, other names for the
// parts of secrets. What decK changes is left out.
func foreign(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: foreign IN OUT")
	}
	var doc map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	meta, _ := doc["metadata"].(map[string]any)
	doc["metadata"] = map[string]any{"version": "1.0", "generator": "kongctl/1.13.0", "generated_at": meta["generated_at"], "mode": meta["mode"]}
	changes, _ := doc["changes"].([]any)
	kept := []any{}
	for _, x := range changes {
		if c := mapping(x); c["action"] != "EXTERNAL_TOOL" && !strings.Contains(fmt.Sprint(c["references"]), "[pending-deck]") {
			kept = append(kept, foreignForm(c))
		}
	}
	doc["changes"] = kept
	for key := range doc {
		if !slices.Contains([]string{"metadata", "changes", "execution_order", "execution_groups", "summary"}, key) {
			delete(doc, key)
		}
	}
	raw, err := json.Marshal(doc)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), raw, 0o600))
}

func foreignForm(c map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range []string{"id", "resource_type", "resource_ref", "resource_id", "action", "namespace", "fields", "changed_fields", "protection", "depends_on"} {
		if v, ok := c[key]; ok {
			out[key] = v
		}
	}
	references := map[string]any{}
	for path, x := range mapping(c["references"]) {
		r := mapping(x)
		if r["parent"] == true {
			continue
		}
		references[path] = map[string]any{"ref": r["ref"], "id": r["id"], "lookup_fields": map[string]any{"name": r["ref"]}}
	}
	if parent := mapping(c["parent"]); parent != nil {
		out["parent"] = map[string]any{"ref": parent["ref"], "id": parent["id"]}
		above, _ := parent["ancestors"].([]any)
		if len(above) > 1 {
			references[top(c["resource_type"].(string))+"_id"] = map[string]any{"ref": "", "id": above[0]}
		}
	}
	out["references"] = references
	var secrets []any
	for _, list := range []any{c["secret_writes"], c["expressions"]} {
		items, _ := list.([]any)
		for _, x := range items {
			s := mapping(x)
			field, _ := s["field"].(string)
			if strings.HasPrefix(field, "/") {
				secrets = append(secrets, map[string]any{"field": field, "expression": s["expression"]})
				continue
			}
			field = "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(field)
			source := map[string]any{"kind": "env", "reference": mapping(s["expression"])["env"]}
			secrets = append(secrets, map[string]any{"field": field, "expression": map[string]any{"parts": []any{map[string]any{"source": source}}}})
		}
	}
	if secrets != nil {
		out["secret_writes"] = secrets
	}
	return out
}

// top is the kind of the root above one of two levels.
func top(kind string) string {
	for _, root := range []string{"event_gateway", "ai_gateway", "portal"} {
		if strings.HasPrefix(kind, root) {
			return root
		}
	}
	return kind
}

func mapping(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
