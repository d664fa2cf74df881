package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func foreign(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer of-another")
	req.Header.Set("User-Agent", "foreign")
	return req
}

func textOf(t *testing.T, res *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRawCarriesTheRequestAsOurs(t *testing.T) {
	var body string
	server := newScript(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		answer(201, "application/json", `{"id": "1"} `)(w, r)
	})
	c, _ := newClient(t, server.URL+"/prefix", nil)
	req := foreign(t, "PUT", c.BaseURL()+"/v2/services/a%2Fb?tags=x%2Cy", `{"name":"a"}`)
	res, err := c.Raw(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if text := textOf(t, res); res.StatusCode != 201 || text != `{"id": "1"} ` {
		t.Errorf("answer %d %q", res.StatusCode, text)
	}
	got := server.requests()[0]
	if got.RequestURI != "/prefix/v2/services/a%2Fb?tags=x%2Cy" || body != `{"name":"a"}` ||
		got.Header.Get("Authorization") != "Bearer "+canary || got.UserAgent() != "kongctl" {
		t.Errorf("sent %s %q %v", got.RequestURI, body, got.Header)
	}
}

func TestRawAnswers(t *testing.T) {
	rows := map[string]struct {
		method   string
		steps    []step
		status   int // of the answer; 0 without one
		body     string
		err      string
		attempts int
	}{
		"refused":             {"PUT", []step{answer(400, "application/json", `{"message":"bad"}`)}, 400, `{"message":"bad"}`, "PUT /x: 400 bad", 1},
		"not found":           {"GET", []step{answer(404, "text/plain", `no`)}, 404, "no", "GET /x: 404 Not Found", 1},
		"too many, then good": {"PUT", []step{status(429, "Retry-After", "1"), answer(200, "text/plain", "not JSON")}, 200, "not JSON", "", 2},
		"down for good":       {"GET", []step{answer(500, "text/plain", "down")}, 500, "down", "GET /x: 500 Internal Server Error (6 attempts)", 6},
		"cut, then good":      {"PUT", []step{cut, cutBody, answer(200, "application/json", `{}`)}, 200, "{}", "", 3},
		"cut post":            {"POST", []step{cut, status(200)}, 0, "", "POST /x: ", 1},
		"delete whose first answer was lost": {
			"DELETE",
			[]step{cut, status(404)},
			204, "", "", 2,
		},
		"redirected elsewhere": {"GET", []step{status(302, "Location", "https://example.com/")}, 0, "", "GET /x: ", 1},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, row.steps...)
			c, _ := newClient(t, server.URL, nil)
			body := ""
			if row.method != "GET" {
				body = `{"password":"s3cret-canary"}`
			}
			res, err := c.Raw(t.Context(), foreign(t, row.method, server.URL+"/x", body), "s3cret-canary")
			if (err == nil) != (row.err == "") || err != nil && !strings.HasPrefix(err.Error(), row.err) {
				t.Errorf("error %v, want %q", err, row.err)
			}
			if (res == nil) != (row.status == 0) {
				t.Fatalf("answer %v", res)
			}
			if res != nil {
				defer func() { _ = res.Body.Close() }()
				if text := textOf(t, res); res.StatusCode != row.status || text != row.body {
					t.Errorf("answer %d %q", res.StatusCode, text)
				}
			}
			if n := len(server.requests()); n != row.attempts {
				t.Errorf("%d attempts, want %d", n, row.attempts)
			}
		})
	}
}

func TestRawStaysWithTheConfiguredHost(t *testing.T) {
	other := newScript(t, status(200))
	own := newScript(t, status(200))
	c, _ := newClient(t, own.URL, nil)
	res, err := c.Raw(t.Context(), foreign(t, "GET", other.URL+"/x", ""))
	var te *TransportError
	if res != nil || !errors.As(err, &te) || len(other.requests()) != 0 {
		t.Errorf("answer %v, error %v, %d requests", res, err, len(other.requests()))
	}
	if res != nil {
		_ = res.Body.Close()
	}
}

func TestRawHidesSecrets(t *testing.T) {
	server := newScript(t, answer(400, "application/json", `{"message":"s3cret-canary is short"}`))
	c, _ := newClient(t, server.URL, nil)
	res, err := c.Raw(t.Context(), foreign(t, "PUT", server.URL+"/x", `{}`), "s3cret-canary")
	if err == nil || err.Error() != "PUT /x: 400 [hidden] is short" {
		t.Errorf("error %v", err)
	}
	_ = res.Body.Close()
}
