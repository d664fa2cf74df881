package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// openapi is a document with one type: what can be written of it and
// what is returned.
func openapi(written, returned string) []byte {
	return []byte(`
openapi: 3.1.0
paths:
  /v1/things:
    post:
      operationId: create-thing
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: ` + written + `}}}}
      responses:
        '201': {content: {application/json: {schema: {type: object, properties: ` + returned + `}}}}
components: {schemas: {}}
`)
}

// secrets are the fields that the facts call secret.
func secrets(t *testing.T, facts []byte) []string {
	t.Helper()
	var f struct {
		Operations []struct {
			Body struct {
				Properties map[string]struct {
					Secret bool `json:"secret"`
				} `json:"properties"`
			} `json:"body"`
		} `json:"ops"`
	}
	if err := json.Unmarshal(facts, &f); err != nil {
		t.Fatal(err)
	}
	var out []string
	for name, p := range f.Operations[0].Body.Properties {
		if p.Secret {
			out = append(out, name)
		}
	}
	return out
}

func TestWhatIsSecret(t *testing.T) {
	for _, row := range []struct {
		name, written, returned string
		secret                  bool
	}{
		{"what the document calls sensitive", "{x: {type: string, x-sensitive: true}}", "{x: {type: string}}", true},
		{"what the document calls encrypted", "{x: {type: string, x-encrypted: true}}", "{}", true},
		{"write-only and never returned", "{x: {type: string, writeOnly: true}}", "{}", true},
		{"write-only and returned", "{x: {type: string, writeOnly: true}}", "{x: {type: string}}", false},
		{"an ordinary field", "{x: {type: string}}", "{x: {type: string}}", false},
		{"read-only", "{x: {type: string, readOnly: true, x-sensitive: true}}", "{}", false},
		{"an entry of the table, unmarked in the document", "{custom_private_key: {type: string}}", "{custom_private_key: {type: string}}", true},
		{"an entry of the table that takes away", "{max_tokens: {type: integer, writeOnly: true}}", "{}", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			facts, err := Facts(openapi(row.written, row.returned))
			if err != nil {
				t.Fatal(err)
			}
			if got := secrets(t, facts); (len(got) == 1) != row.secret {
				t.Errorf("secret: %v", got)
			}
		})
	}
}

// A field whose name looks secret and that nothing decides about stops the
// generator: a person must look at it.
func TestUnclassifiedFieldsFail(t *testing.T) {
	for _, name := range []string{"webhook_secret", "password", "apiToken", "private_key_pem", "x_api_key"} {
		field := "{" + name + ": {type: string}}"
		_, err := Facts(openapi(field, field))
		if err == nil || !strings.Contains(err.Error(), "POST /v1/things."+name) || !strings.Contains(err.Error(), "secret.go") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Branches of a union may each have the field: all of them are marked.
func TestEveryBranchIsMarked(t *testing.T) {
	const union = "{x: {oneOf: [{type: object, properties: {key: {type: string, x-sensitive: true}}}, {type: object, properties: {key: {type: string, x-sensitive: true}, other: {type: string}}}]}}"
	facts, err := Facts(openapi(union, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(facts), `"secret":true`); n != 2 {
		t.Errorf("%d of 2 branches are marked: %s", n, facts)
	}
}

func TestTheTableHasNoDeadEntries(t *testing.T) {
	f := pinnedFile(t)
	used := map[string]bool{}
	for name := range f.candidates() {
		best := ""
		for _, r := range reviewed {
			if strings.HasSuffix(name, r.end) && len(r.end) > len(best) {
				best = r.end
			}
		}
		used[best] = true
	}
	seen := map[string]bool{}
	for _, r := range reviewed {
		switch {
		case !used[r.end]:
			t.Errorf("%s decides about no field of the document", r.end)
		case r.why == "":
			t.Errorf("%s has no reason", r.end)
		case seen[r.end]:
			t.Errorf("%s is there twice", r.end)
		}
		seen[r.end] = true
	}
}

// Facts are facts: no prose comes along.
func TestProseIsLeftOut(t *testing.T) {
	const field = "{x: {type: string, description: some prose, title: some title, example: some example, x-whatever: some more}}"
	facts, err := Facts(openapi(field, field))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(facts), "some") {
		t.Errorf("prose: %s", facts)
	}
}
