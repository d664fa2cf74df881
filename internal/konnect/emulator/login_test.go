package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// TestDeviceGrant asserts the steps of the grant that a good client does not meet.
func TestDeviceGrant(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)
	srv, err := emulator.New(cat, emulator.Options{Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path string, form url.Values, header ...string) (int, string, []*http.Cookie) {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(form.Encode()))
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		res := w.Result()
		raw, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(raw), res.Cookies()
	}
	begin := func() map[string]any {
		t.Helper()
		status, body, _ := send("POST", "/v3/internal/oauth/device/authorize", url.Values{"client_id": {"me"}})
		var out map[string]any
		if err := json.Unmarshal([]byte(body), &out); err != nil || status != 200 {
			t.Fatal(status, body, err)
		}
		return out
	}
	poll := func(device any, client string) string {
		t.Helper()
		now = now.Add(time.Second)
		_, body, _ := send("POST", "/v3/internal/oauth/device/token", url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {device.(string)}, "client_id": {client}})
		return body
	}
	has := func(body, part string) {
		t.Helper()
		if !strings.Contains(body, part) {
			t.Errorf("%s lacks %s", body, part)
		}
	}
	if status, _, _ := send("POST", "/v3/internal/oauth/device/authorize", nil); status != 400 {
		t.Error("a program without id may log in")
	}
	g := begin()
	has(poll(g["device_code"], "another"), "invalid_grant")
	has(poll(g["device_code"], "me"), "authorization_pending")
	now = now.Add(-time.Second)
	has(poll(g["device_code"], "me"), "slow_down")

	code := g["user_code"].(string)
	_, page, _ := send("GET", "/__local/login?code="+code, nil)
	has(page, "Does the terminal show this code?")
	_, page, _ = send("GET", "/__local/login?code=%3Cb%3E", nil)
	has(page, "No login waits for this code")
	if strings.Contains(page, "<b>") || strings.Contains(page, "<B>") {
		t.Error("the code is not escaped")
	}
	answer := url.Values{"code": {code}, "action": {"approve"}}
	for _, from := range [][]string{nil, {"Origin", "https://evil.example.com"}, {"Sec-Fetch-Site", "cross-site"}} {
		if status, _, _ := send("POST", "/__local/login", answer, from...); status != 403 {
			t.Errorf("%v may approve a login", from)
		}
	}
	has(poll(g["device_code"], "me"), "authorization_pending")
	_, page, _ = send("POST", "/__local/login", answer, "Sec-Fetch-Site", "same-origin")
	has(page, "The login is approved")
	_, page, _ = send("POST", "/__local/login", answer, "Sec-Fetch-Site", "same-origin")
	has(page, "No login waits for this code")
	var token map[string]any
	if err := json.Unmarshal([]byte(poll(g["device_code"], "me")), &token); err != nil {
		t.Fatal(err)
	}
	has(poll(g["device_code"], "me"), "invalid_grant") // it is used up

	me := func(token any) int {
		status, _, _ := send("GET", "/v3/users/me", nil, "Authorization", "Bearer "+token.(string))
		return status
	}
	if me(token["access_token"]) != 200 || me("kpat_any") != 200 || me("klogin_forged") != 401 {
		t.Error("the wrong tokens are accepted")
	}
	now = now.Add(2 * time.Hour)
	if me(token["access_token"]) != 401 {
		t.Error("an expired token is accepted")
	}
	cookie := "konnectrefreshtoken=" + token["refresh_token"].(string)
	status, _, cookies := send("POST", "/kauth/api/v1/refresh", nil, "Cookie", cookie)
	if status != 200 || len(cookies) != 2 {
		t.Error(status, cookies)
	}
	if status, _, _ := send("POST", "/kauth/api/v1/refresh", nil, "Cookie", cookie); status != 401 {
		t.Error("a refresh token works twice")
	}
	// Nothing of this is in the log, or on the page of a request.
	_, log, _ := send("GET", "/__local/requests", nil)
	for n := range 20 {
		_, page, _ := send("GET", "/__local/request?n="+string(rune('0'+n%10)), nil)
		log += page
	}
	has(log, "POST /kauth/api/v1/refresh")
	for _, secret := range []any{token["access_token"], token["refresh_token"], g["device_code"]} {
		if strings.Contains(log, secret.(string)) {
			t.Errorf("the log has %v", secret)
		}
	}
	g = begin()
	_, page, _ = send("POST", "/__local/login", url.Values{"code": {g["user_code"].(string)}, "action": {"deny"}}, "Sec-Fetch-Site", "same-origin")
	has(page, "The login is denied")
	has(poll(g["device_code"], "me"), "access_denied")
	g = begin()
	now = now.Add(11 * time.Minute)
	has(poll(g["device_code"], "me"), "expired_token")
}
