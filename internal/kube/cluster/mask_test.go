package cluster

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestMask(t *testing.T) {
	secrets := Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}}
	password := `pa"ss` + "\nword"
	data := map[string]any{
		"data":       map[string]any{"password": base64.StdEncoding.EncodeToString([]byte(password))},
		"stringData": map[string]any{"pin": int64(42), "user": "ab", "url": "https://u:p@host"},
	}
	tests := []struct {
		name, text, want string
		kind             Kind
		values           []string
	}{
		{name: "as it was sent", text: "got " + base64.StdEncoding.EncodeToString([]byte(password)), kind: secrets, want: "got [hidden]"},
		{name: "decoded", text: "got " + password, kind: secrets, want: "got [hidden]"},
		{name: "quoted", text: `got "pa\"ss\nword"`, kind: secrets, want: `got "[hidden]"`},
		{name: "in one line", text: `got pa"ss word`, kind: secrets, want: `got [hidden]`},
		{name: "a number", text: "Value:42, not 4242", kind: secrets, want: "Value:[hidden], not 4242"},
		{name: "a short text, alone", text: `"ab" is not label`, kind: secrets, want: `"[hidden]" is not label`},
		{name: "another kind", text: `"ab" 42`, kind: configMaps, want: `"ab" 42`},
		{name: "values of the caller", text: `env: Invalid value: "hush-hush"`, kind: configMaps, values: []string{"hush-hush"}, want: `env: Invalid value: "[hidden]"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := maskOf(test.kind, data, test.values).text(test.text); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestMaskedAnswer asserts that the error of the library, which can be reached
// through ours, holds no values either.
func TestMaskedAnswer(t *testing.T) {
	server := newAnswers(t, answer(422, `{"kind":"Status","status":"Failure","code":422,"reason":"Invalid","message":"hush-hush is bad",
		"details":{"causes":[{"reason":"FieldValueInvalid","field":"spec.x","message":"Invalid value: \"hush-hush\""}]}}`))
	_, err := server.open(t).Apply(t.Context(), configMaps, object(t, oneConfigMap), ApplyOptions{Manager: "m", Hide: []string{"hush-hush"}})
	if want := `apply ConfigMap n/a: spec.x: Invalid value: "[hidden]"`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if inner := errors.Unwrap(err); inner == nil || strings.Contains(inner.Error(), "hush") {
		t.Errorf("%v", inner)
	}
}
