package witness

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// complaints collects what a witness says.
type complaints []string

func (c *complaints) Errorf(format string, args ...any) {
	*c = append(*c, fmt.Sprintf(format, args...))
}

const team = `{"id":"7f0aa1a4-3b5c-4d5e-8f00-000000000001","name":"crew","description":"x","system_team":false,"labels":{},"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`

// TestWitnessCanFail feeds exchanges that the document forbids, and their
// neighbours that it allows.
func TestWitnessCanFail(t *testing.T) {
	const problem = `{"status":404,"title":"x","instance":"konnect:trace:1","detail":"x"}`
	for _, row := range []struct {
		name, method, path, body string
		status                   int
		answer                   string
		want                     string // part of the complaint, none when empty
	}{
		{"a create", "POST", "/v3/teams", `{"name":"crew"}`, 201, team, ""},
		{"a body with a wrong type", "POST", "/v3/teams", `{"name":7}`, 201, team, "request of POST /v3/teams"},
		{"a body without a required field", "POST", "/v3/teams", `{}`, 201, team, `"name" is missing`},
		{"the same, refused", "POST", "/v3/teams", `{}`, 400, `{"status":400,"title":"x","instance":"x","detail":"x","invalid_parameters":[{"field":"name","reason":"x"}]}`, ""},
		{"no body where one must be", "POST", "/v3/portals", ``, 404, problem, "request of POST /v3/portals"},
		{"an answer with a wrong type", "POST", "/v3/teams", `{"name":"crew"}`, 201, strings.Replace(team, `"crew"`, `7`, 1), "answer of POST /v3/teams"},
		{"an answer with a wrong uuid", "POST", "/v3/teams", `{"name":"crew"}`, 201, strings.Replace(team, `7f0aa1a4-`, `7f0aa1a-`, 1), "answer of POST /v3/teams"},
		{"an answer with a wrong time", "POST", "/v3/teams", `{"name":"crew"}`, 201, strings.Replace(team, `2026-01-01T`, `2026-01-01 `, 1), "answer of POST /v3/teams"},
		{"a status that is not there", "POST", "/v3/teams", `{"name":"crew"}`, 200, team, "status is not supported"},
		{"an answer that is not JSON", "POST", "/v3/teams", `{"name":"crew"}`, 201, `x`, "answer of POST /v3/teams"},
		{"a list with a page", "GET", "/v3/teams?page[size]=10", ``, 200, `{"data":[` + team + `],"meta":{"page":{"number":1,"size":10,"total":1}}}`, ""},
		{"a list with a page that is no number", "GET", "/v3/teams?page[size]=ten", ``, 200, `{"data":[],"meta":{"page":{"number":1,"size":10,"total":0}}}`, "request of GET /v3/teams"},
		{"a list without its page", "GET", "/v3/teams", ``, 200, `{"data":7}`, "answer of GET /v3/teams"},
		{"null where it is a value", "GET", "/v3/apis/7f0aa1a4-3b5c-4d5e-8f00-000000000001/publications/7f0aa1a4-3b5c-4d5e-8f00-000000000002", ``, 200, `{"auto_approve_registrations":false,"auth_strategy_ids":null,"visibility":"private","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`, ""},
		{"null where it is none", "GET", "/v3/apis/7f0aa1a4-3b5c-4d5e-8f00-000000000001/publications/7f0aa1a4-3b5c-4d5e-8f00-000000000002", ``, 200, `{"auto_approve_registrations":null}`, "answer of GET /v3/apis/{apiId}/publications/{portalId}"},
		{"an enum's other value", "POST", "/v3/portals", `{"name":"x","default_api_visibility":"secret"}`, 404, problem, "request of POST /v3/portals"},
		{"a path of the document with another verb", "PUT", "/v3/teams", `{}`, 405, problem, "PUT /v3/teams"},
		{"a path that is not in the document", "GET", "/v9/teams", ``, 404, problem, "GET /v9/teams"},
		{"the embedded Konnect's own", "GET", "/__local/state", ``, 200, `{}`, ""},
	} {
		for way, send := range map[string]func(*Witness, *http.Request, http.HandlerFunc) (int, string, error){
			"transport": throughTransport, "handler": throughHandler,
		} {
			t.Run(row.name+" through a "+way, func(t *testing.T) {
				var said complaints
				var log Log
				w, err := New(&said, &log)
				if err != nil {
					t.Fatal(err)
				}
				status, body, err := send(w, newRequest(t, row.method, row.path, row.body), answer(row.status, row.answer))
				if err != nil || body != row.answer || status != row.status {
					t.Errorf("passed on %d %s, %v", status, body, err)
				}
				text := strings.Join(said, "\n")
				if (row.want == "") != (text == "") || !strings.Contains(text, row.want) {
					t.Errorf("said %q, want %q", text, row.want)
				}
				noted := len(log.Operations()) > 0
				if want := row.want == "" && row.status < 300 && !strings.HasPrefix(row.path, ownPrefix); noted != want {
					t.Errorf("noted %v, want %v", log.Operations(), want)
				}
			})
		}
	}
}

func newRequest(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if status >= 400 {
			w.Header().Set("Content-Type", "application/problem+json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the test reads it
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func throughTransport(w *Witness, r *http.Request, h http.HandlerFunc) (int, string, error) {
	res, err := w.Transport(roundTrip(func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		h(rec, r)
		return rec.Result(), nil
	})).RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

func throughHandler(w *Witness, r *http.Request, h http.HandlerFunc) (int, string, error) {
	rec := httptest.NewRecorder()
	w.Handler(h).ServeHTTP(rec, r)
	return rec.Code, rec.Body.String(), nil
}

// TestDocument: it must be the whole document, in the words of 3.0.
func TestDocument(t *testing.T) {
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Paths.Len(); n < 400 {
		t.Errorf("the document has %d paths", n)
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaPatternValidation(), openapi3.DisableSchemaDefaultsValidation()); err != nil {
		t.Errorf("the document itself: %v", err)
	}
}

// A witness of refusals judges their form, whatever was asked, and nothing else.
func TestRefusals(t *testing.T) {
	const known = `{"status":400,"title":"x","instance":"x","detail":"x","invalid_parameters":[{"field":"name","reason":"x","rule":"invalid"}]}`
	for _, row := range []struct {
		name, path string
		status     int
		answer     string
		want       string
	}{
		{"one that names a parameter", "/v3/teams", 400, known, ""},
		{"one that names none", "/v3/teams", 400, `{"status":400,"title":"x","instance":"x","detail":"x"}`, `"invalid_parameters" is missing`},
		{"one with a rule that is not there", "/v3/teams", 400, strings.Replace(known, `"invalid"`, `"duplicate"`, 1), "refusal of POST /v3/teams"},
		{"one that is not JSON", "/v3/teams", 400, `x`, "refusal of POST /v3/teams"},
		{"a status that is not there", "/v3/teams", 418, `{}`, ""},
		{"a path that is not there", "/v9/teams", 404, `{}`, ""},
		{"an answer that does not refuse", "/v3/teams", 201, `{}`, ""},
		{"the embedded Konnect's own", "/__local/state", 400, `{}`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var said complaints
			var log Log
			w, err := New(&said, &log)
			if err != nil {
				t.Fatal(err)
			}
			h := w.Refusals(http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
				to.Header().Set("Content-Type", "application/problem+json")
				to.WriteHeader(row.status)
				_, _ = io.WriteString(to, row.answer)
			}))
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, row.path, strings.NewReader(`{"odd":1}`)))
			if got := strings.Join(said, "\n"); row.want == "" && got != "" || !strings.Contains(got, row.want) {
				t.Errorf("it says %q, want %q", got, row.want)
			}
		})
	}
}
