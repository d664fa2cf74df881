package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRequestAndAnswer(t *testing.T) {
	type sent struct{ method, uri, auth, agent, accept, kind, body string }
	var got sent
	server := newScript(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got = sent{
			r.Method, r.RequestURI, r.Header.Get("Authorization"), r.UserAgent(),
			r.Header.Get("Accept"), r.Header.Get("Content-Type"), string(raw),
		}
		w.Header().Set("X-Answer", "yes")
		answer(201, "application/json", `{"id":"1","n":12345678901234567890}`)(w, r)
	})
	c, _ := newClient(t, server.URL+"/prefix/", func(cfg *Config) { cfg.UserAgent = "kongctl/test" })
	resp, err := c.Do(t.Context(), Request{
		Method: "POST", Path: "/v3/portals/a%2Fb",
		Query: url.Values{"page[size]": {"100"}},
		Body:  map[string]any{"name": "x", "gone": nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := sent{
		"POST", "/prefix/v3/portals/a%2Fb?page%5Bsize%5D=100", "Bearer " + canary, "kongctl/test",
		"application/json, application/problem+json", "application/json", `{"gone":null,"name":"x"}`,
	}
	if got != want {
		t.Errorf("sent %+v\nwant %+v", got, want)
	}
	wantBody := map[string]any{"id": "1", "n": json.Number("12345678901234567890")}
	if d := cmp.Diff(wantBody, resp.Body); d != "" || resp.Status != 201 || resp.Header.Get("X-Answer") != "yes" {
		t.Errorf("answer %d %v\n%s", resp.Status, resp.Header, d)
	}
}

func TestNothingToSendAndNothingReceived(t *testing.T) {
	server := newScript(t, status(204))
	c, _ := newClient(t, server.URL, func(cfg *Config) { cfg.Token = "" })
	resp, err := c.Do(t.Context(), Request{Method: "DELETE", Path: "/v3/portals/1"})
	if err != nil || resp.Status != 204 || resp.Body != nil {
		t.Fatalf("%+v, %v", resp, err)
	}
	r := server.requests()[0]
	if r.ContentLength != 0 || r.Header.Get("Content-Type") != "" || r.Header.Get("Authorization") != "" {
		t.Errorf("sent %v", r.Header)
	}
}

func TestGlobalRequestsGoToTheIdentityHost(t *testing.T) {
	regional, global := newScript(t, status(204)), newScript(t, status(204))
	c, _ := newClient(t, regional.URL, func(cfg *Config) { cfg.GlobalURL = global.URL })
	for _, g := range []bool{true, false, false} {
		if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x", Global: g}); err != nil {
			t.Fatal(err)
		}
	}
	if len(regional.requests()) != 2 || len(global.requests()) != 1 {
		t.Errorf("regional %d, global %d", len(regional.requests()), len(global.requests()))
	}
	alone, _ := newClient(t, regional.URL, nil)
	if _, err := alone.Do(t.Context(), Request{Method: "GET", Path: "/x", Global: true}); err != nil || len(regional.requests()) != 3 {
		t.Errorf("without an identity host: %v", err)
	}
}

func TestErrorBodies(t *testing.T) {
	rows := map[string]struct {
		status     int
		kind, body string
		want       APIError
		text       string
	}{
		"problem document": {
			409, "application/problem+json",
			`{"status":409,"title":"Conflict","instance":"konnect:trace:77","detail":"name in use"}`,
			APIError{Title: "Conflict", Detail: "name in use", Instance: "konnect:trace:77"},
			"409 name in use",
		},
		"problem document with parameters": {
			400, "application/problem+json",
			`{"status":400,"title":"Bad Request","detail":"Invalid Parameters","invalid_parameters":[
			  {"field":"name","rule":"min_length","minimum":1,"reason":"must have at least 1 character","source":"body"},
			  {"field":"labels.x","rule":"pattern"},{"reason":"is odd"}]}`,
			APIError{Title: "Bad Request", Detail: "Invalid Parameters", Invalid: []InvalidParameter{
				{Field: "name", Rule: "min_length", Reason: "must have at least 1 character"},
				{Field: "labels.x", Rule: "pattern"},
				{Reason: "is odd"},
			}},
			"400 Invalid Parameters: name: must have at least 1 character; labels.x: pattern; is odd",
		},
		"title alone": {
			403, "application/problem+json", `{"status":403,"title":"Forbidden"}`,
			APIError{Title: "Forbidden"},
			"403 Forbidden",
		},
		"core entity": {
			400, "application/json",
			`{"code":3,"message":"validation error","details":[{"type":"ERROR_TYPE_FIELD","field":"host","messages":["missing","too short"]},{"type":"ERROR_TYPE_ENTITY","messages":["no url"]}]}`,
			APIError{Detail: "validation error", Invalid: []InvalidParameter{
				{Field: "host", Reason: "missing"},
				{Field: "host", Reason: "too short"},
				{Reason: "no url"},
			}},
			"400 validation error: host: missing; host: too short; no url",
		},
		"bare message":         {404, "application/json", `{"message":"Not found"}`, APIError{Detail: "Not found"}, "404 Not found"},
		"nothing":              {404, "", ``, APIError{}, "404 Not Found"},
		"a page of HTML":       {400, "text/html", `<html>no</html>`, APIError{}, "400 Bad Request"},
		"a list":               {400, "application/json", `["no"]`, APIError{}, "400 Bad Request"},
		"fields of odd types":  {400, "application/json", `{"title":1,"detail":{},"invalid_parameters":{},"details":["x"]}`, APIError{}, "400 Bad Request"},
		"control characters":   {400, "application/json", `{"detail":"a\u001b[31m\nb\u202ec"}`, APIError{Detail: "a [31m b c"}, "400 a [31m b c"},
		"the token in a quote": {401, "application/json", `{"message":"bad token ` + canary + `"}`, APIError{Detail: "bad token [hidden]"}, "401 bad token [hidden]"},
		"a secret of the body": {400, "application/json", `{"detail":"bad","invalid_parameters":[{"field":"key","reason":"\"line1\\nline2\" is short"}]}`, APIError{Detail: "bad", Invalid: []InvalidParameter{{Field: "key", Reason: `"[hidden]" is short`}}}, `400 bad: key: "[hidden]" is short`},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, answer(row.status, row.kind, row.body))
			c, _ := newClient(t, server.URL, nil)
			_, err := c.Do(t.Context(), Request{
				Method: "PATCH", Path: "/v3/portals/x",
				Body: map[string]any{"key": "line1\nline2"}, Secrets: []string{"line", "line1\nline2", ""},
			})
			var got *APIError
			if !errors.As(err, &got) {
				t.Fatalf("error %#v", err)
			}
			row.want.Method, row.want.Path, row.want.Status, row.want.Attempts = "PATCH", "/v3/portals/x", row.status, 1
			if d := cmp.Diff(&row.want, got, cmpopts.IgnoreUnexported(APIError{}), cmpopts.IgnoreFields(APIError{}, "Header")); d != "" {
				t.Error(d)
			}
			if want := "PATCH /v3/portals/x: " + row.text; got.Error() != want {
				t.Errorf("text %q\nwant %q", got, want)
			}
		})
	}
}

// Services quote what they refuse in many forms, and what an earlier request brought.
func TestSecretsAreHiddenInAllForms(t *testing.T) {
	const secret = "pw&\"CANARY<é>/x\n"
	body := func(said string) string {
		raw, err := json.Marshal(map[string]any{"detail": "refused: " + said})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, said := range value.Quoted(secret) {
		server := newScript(t, answer(200, "application/json", `{}`), answer(400, "application/json", body(said)), answer(400, "application/json", body("short is in shortage")))
		c, _ := newClient(t, server.URL, nil)
		if _, err := c.Do(t.Context(), Request{Method: "PATCH", Path: "/x", Body: map[string]any{}, Secrets: []string{secret, "short"}}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Do(t.Context(), Request{Method: "PATCH", Path: "/y", Body: map[string]any{}, Secrets: []string{"another"}})
		if err == nil || strings.Contains(err.Error(), "CANARY") || !strings.Contains(err.Error(), "400 refused: [hidden]") {
			t.Errorf("%q is quoted, and the error is %v", said, err)
		}
		if _, err = c.Do(t.Context(), Request{Method: "PATCH", Path: "/y", Body: map[string]any{}}); err == nil || !strings.HasSuffix(err.Error(), "short is in shortage") {
			t.Errorf("a short secret of another request hides words: %v", err)
		}
	}
}

func TestLongErrorTextIsCut(t *testing.T) {
	server := newScript(t, answer(400, "application/json", `{"message":"`+strings.Repeat("ä", 5000)+`"}`))
	c, _ := newClient(t, server.URL, nil)
	_, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x"})
	if n := len(err.Error()); n > maxTextSize+100 || !strings.HasSuffix(err.Error(), "ä…") {
		t.Errorf("text of %d bytes ends in %q", n, err.Error()[n-10:])
	}
}

func TestErrorTellsAttemptsAndRequestID(t *testing.T) {
	server := newScript(t, status(503, "X-Kong-Request-Id", "abc"))
	c, _ := newClient(t, server.URL, nil)
	_, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x"})
	var ae *APIError
	if !errors.As(err, &ae) || ae.RequestID != "abc" || ae.Error() != "GET /x: 503 Service Unavailable (6 attempts)" {
		t.Errorf("error %#v", err)
	}
}

func TestPredicates(t *testing.T) {
	rows := []struct {
		name                                  string
		err                                   error
		notFound, conflict, auth, unreachable bool
	}{
		{name: "401", err: &APIError{Status: 401}, auth: true},
		{name: "403 wrapped", err: fmt.Errorf("delete portal: %w", &APIError{Status: 403}), auth: true},
		{name: "404", err: &APIError{Status: 404}, notFound: true},
		{name: "409", err: &APIError{Status: 409}, conflict: true},
		{name: "503", err: &APIError{Status: 503}},
		{name: "no answer", err: fmt.Errorf("x: %w", &TransportError{Err: io.EOF}), unreachable: true},
		{name: "caller gave up", err: &TransportError{interrupted: true}},
		{name: "bad answer", err: &AnswerError{Status: 404}},
		{name: "nil"},
	}
	for _, r := range rows {
		got := [4]bool{IsNotFound(r.err), resource.Taken(r.err), IsAuth(r.err), Unreachable(r.err)}
		if want := [4]bool{r.notFound, r.conflict, r.auth, r.unreachable}; got != want {
			t.Errorf("%s: not found, conflict, auth, unreachable = %v, want %v", r.name, got, want)
		}
	}
}

func TestUnusableAnswers(t *testing.T) {
	rows := map[string]struct {
		step step
		want string
	}{
		"a page of HTML":          {answer(200, "text/html; charset=utf-8", "<html>"), "answered 200, but with text/html; charset=utf-8 that is not JSON"},
		"half a document":         {answer(201, "application/json", `{"id":`), "answered 201, but with application/json that is not JSON"},
		"two documents":           {answer(200, "application/json", `{} {}`), "that is not JSON"},
		"more than the limit":     {answer(200, "application/json", `"`+strings.Repeat("x", 2<<20)+`"`), "with more than 1 MiB"},
		"redirect without target": {status(304), "answered 304, but without a place to go to"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, row.step)
			c, _ := newClient(t, server.URL, nil)
			c.maxBody = 1 << 20
			_, err := c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals"})
			var ae *AnswerError
			if !errors.As(err, &ae) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want %q", err, row.want)
			}
			if got := len(server.requests()); got != 1 {
				t.Errorf("server saw %d requests", got)
			}
		})
	}
}

func TestBodyWithoutJSONForm(t *testing.T) {
	c, _ := newClient(t, "http://localhost", nil)
	_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/x", Body: map[string]any{"secret": json.Number("hush")}})
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("error %v", err)
	}
}

func TestPathsThatLeadAstray(t *testing.T) {
	server := newScript(t, status(204))
	c, _ := newClient(t, server.URL, nil)
	for _, path := range []string{
		"", "v3/portals", "/", "/v3/portals/", "/v3//pages", "/v3/portals/..", "/v3/portals/%2e%2E/x",
		"/v3/./x", "/v3/portals?force=true", "/v3/portals#x", "/v3/%zz", "//elsewhere.example/x", "@elsewhere.example/x", "/a b\n",
	} {
		if _, err := c.Do(t.Context(), Request{Method: "DELETE", Path: path}); err == nil {
			t.Errorf("path %q was sent", path)
		}
	}
	for _, r := range server.requests() {
		t.Errorf("server saw %s", r.RequestURI)
	}
}

func TestConfigErrors(t *testing.T) {
	rows := map[string]struct {
		cfg  Config
		want string
	}{
		"no base URL":              {Config{}, "base URL: missing"},
		"no scheme":                {Config{BaseURL: "us.api.konghq.com"}, `base URL: "us.api.konghq.com" is not of the form https://host`},
		"other scheme":             {Config{BaseURL: "ftp://x"}, `base URL: "ftp://x" is not of the form https://host`},
		"no host":                  {Config{BaseURL: "https://"}, `base URL: "https://" is not of the form https://host`},
		"not a URL":                {Config{BaseURL: "https://x:port"}, `base URL: "https://x:port" is not a URL`},
		"plain http":               {Config{BaseURL: "http://us.api.konghq.com"}, `base URL: "http://us.api.konghq.com": plain http is only allowed for loopback addresses; use https`},
		"plain http to identity":   {Config{BaseURL: "https://x", GlobalURL: "http://10.0.0.1"}, `identity URL: "http://10.0.0.1": plain http is only allowed for loopback addresses; use https`},
		"password":                 {Config{BaseURL: "https://me:hush@x"}, "base URL: must not carry a user or password"},
		"password in a broken URL": {Config{BaseURL: "https://me:hush@x:port"}, "base URL: must not carry a user or password"},
		"query":                    {Config{BaseURL: "https://x?a=b"}, `base URL: "https://x?a=b" must end with host or path`},
		"token with a line break":  {Config{BaseURL: "https://x", Token: "hush\nhush"}, "token: has characters that a header cannot carry"},
		"negative concurrency":     {Config{BaseURL: "https://x", MaxConcurrency: -1}, "client: concurrency, attempts and times must not be negative"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			_, err := New(row.cfg)
			if err == nil || err.Error() != row.want {
				t.Errorf("error %v\nwant  %s", err, row.want)
			}
		})
	}
	for _, base := range []string{"https://us.api.konghq.com", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:1/x/"} {
		if _, err := New(Config{BaseURL: base, Token: " " + canary + "\n"}); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestTokenIsInNoLogAndNoPrintedForm(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("Authorization"))
		answer(500, "application/json", `{"message":"`+r.Header.Get("Authorization")+`"}`)(w, r)
	}
	good := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("Authorization"))
		answer(200, "application/json", `{}`)(w, r)
	}
	server := newScript(t, echo, cut, good, echo)
	var log bytes.Buffer
	var cfg Config
	c, _ := newClient(t, server.URL, func(c *Config) {
		c.Log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.OnRetry = func(i RetryInfo) { fmt.Fprintf(&log, "%v %+v\n", i, i) }
		cfg = *c
	})
	if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals", Query: url.Values{"q": {"x"}}}); err != nil {
		t.Fatal(err)
	}
	_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/v3/apis", Body: map[string]any{"name": "body-canary"}})
	text := log.String() + fmt.Sprintf("%v %+v %#v %v %+v %#v", err, cfg, cfg, cfg, c, c)
	for _, secret := range []string{canary, "body-canary"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in:\n%s", secret, text)
		}
	}
	for _, word := range []string{`"method":"GET"`, `"path":"/v3/portals"`, `"attempt":3`, `"status":200`, `"status":500`, `"duration":`, `"request_id":"Bearer [hidden]"`} {
		if !strings.Contains(log.String(), word) {
			t.Errorf("%s is not in the log:\n%s", word, log.String())
		}
	}
}

// Unreachable reports whether no answer came, and not because the caller gave up.
func Unreachable(err error) bool {
	_, ok := resource.Unreachable(err)
	return ok
}
