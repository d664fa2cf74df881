package live

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/value"
)

// liveObject is an object that the manager applied; owned is its entry of
// managed fields, extra what others wrote besides.
func liveObject(t *testing.T, spec, owned string) *unstructured.Unstructured {
	t.Helper()
	text := `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","uid":"u","annotations":{"x":"y"},
	  "managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":` + owned + `}]},"spec":` + spec + `}`
	return parse(t, text)
}

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(text), u); err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUnchanged(t *testing.T) {
	const meta = `"f:metadata":{"f:annotations":{"f:x":{}}}`
	for _, tc := range []struct {
		name, spec, owned, manifest string
		want                        bool
	}{
		{"the same", `{"a":1}`, `{` + meta + `,"f:spec":{"f:a":{}}}`, `{"a":1}`, true},
		{"a default of the server", `{"a":1,"b":2}`, `{` + meta + `,"f:spec":{"f:a":{}}}`, `{"a":1}`, true},
		{"another value", `{"a":1}`, `{` + meta + `,"f:spec":{"f:a":{}}}`, `{"a":2}`, false},
		{"a field that is not there", `{"a":1}`, `{` + meta + `,"f:spec":{"f:a":{}}}`, `{"a":1,"b":2}`, false},
		{"a field that was dropped", `{"a":1,"b":2}`, `{` + meta + `,"f:spec":{"f:a":{},"f:b":{}}}`, `{"a":1}`, false},
		{"a field that is somebody else's", `{"a":1,"b":2}`, `{` + meta + `,"f:spec":{"f:a":{}}}`, `{"a":1,"b":2}`, false},
		{"items by key", `{"l":[{"name":"x","v":1}]}`, `{` + meta + `,"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:v":{}}}}}`, `{"l":[{"name":"x","v":1}]}`, true},
		{"an item that is somebody else's", `{"l":[{"name":"x"},{"name":"y"}]}`, `{` + meta + `,"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`, `{"l":[{"name":"x"},{"name":"y"}]}`, false},
		{"a dropped field of an item", `{"l":[{"name":"x","v":1}]}`, `{` + meta + `,"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:v":{}}}}}`, `{"l":[{"name":"x"}]}`, false},
		{"a list as a whole", `{"l":[1,2]}`, `{` + meta + `,"f:spec":{"f:l":{}}}`, `{"l":[1,2]}`, true},
		{"a longer list", `{"l":[1,2,3]}`, `{` + meta + `,"f:spec":{"f:l":{}}}`, `{"l":[1,2]}`, false},
		{"items by value", `{"l":["a"]}`, `{` + meta + `,"f:spec":{"f:l":{"v:\"a\"":{}}}}`, `{"l":["a"]}`, true},
		{"nothing applied", `{"a":1}`, `{}`, `{"a":1}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","annotations":{"x":"y"}},"spec":`+tc.manifest+`}`)
			if got := unchanged(liveObject(t, tc.spec, tc.owned), m, "m"); got != tc.want {
				t.Errorf("got %v", got)
			}
			if unchanged(liveObject(t, tc.spec, tc.owned), m, "other") {
				t.Error("unchanged for a manager that applied nothing")
			}
		})
	}
}

// A manager that lost a field to others does not manage the object alone any
// more; another value of a field that it owns does not matter.
func TestManages(t *testing.T) {
	const meta = `"f:metadata":{"f:annotations":{"f:x":{}}}`
	for _, tc := range []struct {
		name, owned string
		want        bool
	}{
		{"all fields are its own", `{` + meta + `,"f:spec":{"f:a":{},"f:b":{}}}`, true},
		{"one is somebody else's", `{` + meta + `,"f:spec":{"f:a":{}}}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := Found{
				Live:     liveObject(t, `{"a":1,"b":2}`, tc.owned),
				Manifest: parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","annotations":{"x":"y"}},"spec":{"a":1,"b":3}}`),
			}
			if got := f.Manages("m"); got != tc.want {
				t.Errorf("got %v", got)
			}
			if f.Manages("other") {
				t.Error("a manager that applied nothing")
			}
		})
	}
}

// What was applied and is not in the manifest any more is found, but for items of
// lists.
func TestDropped(t *testing.T) {
	f := Found{
		Live: liveObject(t, `{"a":1,"b":{"c":2,"d":3},"l":[{"name":"x"}]}`,
			`{"f:spec":{"f:a":{},"f:b":{"f:c":{},"f:d":{}},"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`),
		Manifest: parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a"},"spec":{"a":1,"b":{"c":2}}}`),
	}
	if diff := cmp.Diff([]value.Path{{"spec", "b", "d"}}, f.Dropped("m")); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
