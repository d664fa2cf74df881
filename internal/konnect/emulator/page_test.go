package emulator_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// sheet is the page, taken apart.
type sheet struct {
	status int
	header http.Header
	text   string            // all text, joined by spaces
	links  map[string]string // text -> address
	inputs map[string]string // name -> value
	tags   map[string]int
}

// read parses the page; what does not fit together fails the test.
func read(t *testing.T, h http.Handler, req *http.Request) sheet {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	s := sheet{status: w.Code, header: w.Header(), links: map[string]string{}, inputs: map[string]string{}, tags: map[string]int{}}
	dec := xml.NewDecoder(w.Body)
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	href := ""
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page does not parse: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			open = append(open, x.Name.Local)
			s.tags[x.Name.Local]++
			href = ""
			attrs := map[string]string{}
			for _, a := range x.Attr {
				attrs[a.Name.Local] = a.Value
			}
			if x.Name.Local == "a" {
				href = attrs["href"]
			}
			if attrs["name"] != "" {
				s.inputs[attrs["name"]] = attrs["value"]
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != x.Name.Local {
				t.Fatalf("</%s> ends %v", x.Name.Local, open)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			text := strings.TrimSpace(string(x))
			if s.text += text + " "; href != "" && text != "" {
				s.links[text] = href
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("%v is not closed", open)
	}
	return s
}

func pageRequest(t *testing.T, method, path string, form url.Values, header ...string) *http.Request {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:8787"+path, strings.NewReader(form.Encode()))
	req.RemoteAddr = "127.0.0.1:1"
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return req
}

func TestPageShowsWhatIsStored(t *testing.T) {
	w := newWorld(t)
	bad := `<script>alert("1")</script> & 'more'`
	portal := w.create("/v3/portals", object{"name": "dev", "labels": object{"a": "b"}})
	team := w.create("/v3/teams", object{"name": bad})
	page := w.create("/v3/portals/"+portal+"/pages", object{"slug": "start", "content": "x"})
	api := w.create("/v3/apis", object{"name": "a"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+portal, object{})
	w.must(http.StatusNotFound, http.MethodGet, "/v3/none", nil)

	got := read(t, w.srv, pageRequest(t, http.MethodGet, "/", nil))
	if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
		t.Fatalf("%d %v", got.status, got.header)
	}
	for _, want := range []string{"dev", "start", portal, page, api + "/" + portal, bad, "organization-admin", "404", "/v3/none", "portal page", "API publication", "test · organization local · region eu"} {
		if !strings.Contains(got.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got.tags["script"] != 0 {
		t.Error("a name became a script")
	}
	if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	for name, id := range map[string]string{"dev": portal, bad: team, "start": page, "portal dev": api + "/" + portal} {
		link := read(t, w.srv, pageRequest(t, http.MethodGet, got.links[name], nil)).links["as JSON"]
		r := w.local(http.MethodGet, link)
		if r.status != http.StatusOK || (r.text("id") != id) {
			t.Errorf("%s leads by %q to %d %s", name, link, r.status, show(r.body))
		}
	}
	if r := w.local(http.MethodGet, "/__local/resource?kind=portal@eu&id=none"); r.status != http.StatusNotFound {
		t.Errorf("a resource that is not there: %d", r.status)
	}
	if r := w.local(http.MethodDelete, "/"); r.status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", r.status)
	}
	if got := read(t, w.srv, pageRequest(t, http.MethodGet, "/?refresh=1", nil)); got.tags["meta"] != 3 {
		t.Errorf("%d meta tags with refresh", got.tags["meta"])
	}
}

// Rows are in the order of their names, a tree below its root; a search leaves what
// has the text, and says who owns it.
func TestPageSearches(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "Zoo", "labels": object{"KONGCTL-namespace": "air", "KONGCTL-protected": "true"}})
	w.create("/v3/portals", object{"name": "ant"})
	w.create("/v3/portals", object{"name": "Bee"})
	guides := w.create("/v3/portals/"+portal+"/pages", object{"slug": "guides", "content": "x"})
	w.create("/v3/portals/"+portal+"/pages", object{"slug": "home", "content": "x"})
	w.create("/v3/portals/"+portal+"/pages", object{"slug": "first", "content": "x", "parent_page_id": guides})
	in := func(text string, want ...string) {
		t.Helper()
		at := 0
		for _, word := range want {
			i := strings.Index(text[at:], word)
			if i < 0 {
				t.Errorf("%q is not where it should be in %s", word, text)
				return
			}
			at += i + len(word)
		}
	}
	got := read(t, w.srv, pageRequest(t, http.MethodGet, "/", nil))
	in(got.text, "ant", "not managed", "Bee", "Zoo", "air", "protected", "guides", "guides / first", "home")
	got = read(t, w.srv, pageRequest(t, http.MethodGet, "/?q=ZOO", nil))
	if got.inputs["q"] != "ZOO" || got.links["ant"] != "" || got.links["Zoo"] == "" || !strings.Contains(got.text, "guides / first") {
		t.Errorf("the search shows %s", got.text)
	}
	bad := `"><script>x</script>`
	got = read(t, w.srv, pageRequest(t, http.MethodGet, "/?"+url.Values{"q": {bad}}.Encode(), nil))
	if got.tags["script"] != 0 || got.inputs["q"] != bad || !strings.Contains(got.text, "Nothing is stored") {
		t.Errorf("a hostile search shows %s", got.text)
	}
}

func TestPageShowsManyInParts(t *testing.T) {
	w := newWorld(t)
	const many = 530
	for i := range many {
		w.create("/v3/apis", object{"name": fmt.Sprintf("api-%03d", i)})
	}
	got := read(t, w.srv, pageRequest(t, http.MethodGet, "/", nil))
	if !strings.Contains(got.text, "api-019") || strings.Contains(got.text, "api-020") {
		t.Error("not the first twenty")
	}
	rows := 0
	for next := got.links["510 more"]; next != ""; {
		got = read(t, w.srv, pageRequest(t, http.MethodGet, next, nil))
		rows += strings.Count(got.text, "api-")
		next = got.links["30 more"]
	}
	if rows != many || !strings.Contains(got.text, "api-529") {
		t.Errorf("%d were shown in parts", rows)
	}
}

func TestPageSwitchesFaults(t *testing.T) {
	b := newBench(t, emulator.Faults{})
	form := url.Values{"latency": {"1ms"}, "fault": {"500:1"}, "rate": {"9/s"}, "lag": {"2ms"}, "seed": {"5"}, "on": {"POST /v3/apis\r\n\r\nGET /v3/apis"}, "action": {"set"}}
	post := func(form url.Values, header ...string) sheet {
		t.Helper()
		return read(t, b.srv, pageRequest(t, http.MethodPost, "/", form, header...))
	}
	for name, header := range map[string][]string{
		"from nowhere":            nil,
		"from another site":       {"Sec-Fetch-Site", "cross-site", "Origin", "http://127.0.0.1:8787"},
		"from another port":       {"Sec-Fetch-Site", "same-site"},
		"from another origin":     {"Origin", "http://evil.example"},
		"from a hidden origin":    {"Origin", "null"},
		"from another local port": {"Origin", "http://127.0.0.1:1"},
	} {
		if got := post(form, header...); got.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	far := pageRequest(t, http.MethodPost, "/", form, "Sec-Fetch-Site", "same-origin")
	far.RemoteAddr = "192.0.2.1:1"
	if got := read(t, b.srv, far); got.status != http.StatusForbidden {
		t.Errorf("from another machine: %d", got.status)
	}
	if len(b.srv.Faults().On) > 0 {
		t.Fatal("a form that was refused has switched faults")
	}
	if got := post(form, "Origin", "http://127.0.0.1:8787"); got.status != http.StatusSeeOther || got.header.Get("Location") != "/" {
		t.Errorf("set: %d %v", got.status, got.header)
	}
	if b.status(http.MethodPost, "/v3/apis", `{"name":"a"}`) != http.StatusInternalServerError || b.status(http.MethodGet, "/v3/portals", "") != http.StatusOK {
		t.Error("the faults are not made, or not only where they should")
	}
	got := read(t, b.srv, pageRequest(t, http.MethodGet, "/", nil))
	for name, want := range map[string]string{"latency": "1ms", "fault": "500:1", "rate": "9/s", "lag": "2ms", "seed": "5"} {
		if got.inputs[name] != want {
			t.Errorf("%s shows %q, want %q", name, got.inputs[name], want)
		}
	}
	if !strings.Contains(got.text, "POST /v3/apis\nGET /v3/apis") || !strings.Contains(got.text, "Made so far: 500 1") {
		t.Errorf("operations or counts are missing: %s", got.text)
	}
	for field, wrong := range map[string]string{"fault": "<b>:1", "seed": "x", "on": "nothing"} {
		bad := url.Values{"latency": {"7ms"}}
		bad.Set(field, wrong)
		got := post(bad, "Sec-Fetch-Site", "same-origin")
		if got.status != http.StatusBadRequest || !strings.Contains(got.text, strings.TrimSuffix(wrong, ":1")) || got.inputs["latency"] != "7ms" {
			t.Errorf("%s %q: %d", field, wrong, got.status)
		}
	}
	if b.srv.Faults().Fault != "500:1" {
		t.Error("what was refused took the place of what was set")
	}
	if got := post(url.Values{"action": {"clear"}, "fault": {"500:1"}}, "Sec-Fetch-Site", "same-origin"); got.status != http.StatusSeeOther {
		t.Errorf("clear: %d", got.status)
	}
	if b.status(http.MethodPost, "/v3/apis", `{"name":"a"}`) != http.StatusCreated {
		t.Error("faults that were cleared are made")
	}
}

// A name that someone else lets lead to this machine gets no answer.
func TestServeKnowsItsNames(t *testing.T) {
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- emulator.Serve(ctx, ln, newWorld(t).srv) }()
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost:1": http.StatusOK, "127.0.0.1": http.StatusOK, "[::1]:80": http.StatusOK, "us.api.konghq.com": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "127.0.0.1.evil.example": http.StatusMisdirectedRequest, "konghq.com.evil.example": http.StatusMisdirectedRequest, "192.0.2.1": http.StatusMisdirectedRequest,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ln.Addr().String()+"/__local/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q: %d, want %d", host, resp.StatusCode, want)
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
