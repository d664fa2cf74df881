package script

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// id VARIABLE PATH FIELD=VALUE sets a variable to the id of what a list of the
// embedded Konnect holds with this value.
func id(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: id VARIABLE PATH FIELD=VALUE")
	}
	field, want, _ := strings.Cut(args[2], "=")
	var answer any
	ts.Check(json.Unmarshal(request(ts, http.MethodGet, args[1], ""), &answer))
	found := find(answer, field, want)
	if found == "" {
		ts.Fatalf("%s holds nothing with %s", args[1], args[2])
	}
	ts.Setenv(args[0], found)
}

func find(data any, field, want string) string {
	switch x := data.(type) {
	case map[string]any:
		if s, ok := x["id"].(string); ok && x[field] == want {
			return s
		}
		for _, inner := range x {
			if s := find(inner, field, want); s != "" {
				return s
			}
		}
	case []any:
		for _, inner := range x {
			if s := find(inner, field, want); s != "" {
				return s
			}
		}
	}
	return ""
}
