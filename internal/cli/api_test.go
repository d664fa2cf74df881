package cli

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// TestAPIHosts asserts which host gets a request of the user's own, and that no
// other gets the token, wherever a redirect or an address leads.
func TestAPIHosts(t *testing.T) {
	var asked []string
	host := func(name, redirect string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, name+" "+r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization"))
			if r.URL.Path == "/v3/away" {
				http.Redirect(w, r, redirect+"/v3/portals", http.StatusFound)
				return
			}
			_, _ = w.Write([]byte(`{}`))
		}))
		t.Cleanup(s.Close)
		return s
	}
	other := host("other", "")
	base, global := host("base", other.URL), host("global", other.URL)
	for _, row := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"get", "/v3/portals", "page[size]=2"}, exitDone, []string{"base GET /v3/portals?page%5Bsize%5D=2 Bearer x"}},
		{[]string{"get", "/v3/users/me"}, exitDone, []string{"global GET /v3/users/me Bearer x"}},
		{[]string{"delete", "/v3/teams/7"}, exitDone, []string{"global DELETE /v3/teams/7 Bearer x"}},
		{[]string{"get", global.URL + "/v3/portals"}, exitDone, []string{"global GET /v3/portals Bearer x"}},
		{[]string{"get", base.URL + "/v3/users/me?a=b"}, exitDone, []string{"base GET /v3/users/me?a=b Bearer x"}},
		{[]string{"get", "/v3/away"}, exitFailed, []string{"base GET /v3/away Bearer x"}},
		{[]string{"get", other.URL + "/v3/portals"}, exitUsage, nil},
	} {
		asked = nil
		c := newConsole(t).real()
		c.want(row.status, slices.Concat([]string{"api"}, row.args, []string{"--pat", "x", "--base-url", base.URL, "--base-auth-url", global.URL})...)
		if !slices.Equal(asked, row.want) {
			t.Errorf("%v: asked %q, want %q", row.args, asked, row.want)
		}
	}
}
