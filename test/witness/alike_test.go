package witness

import (
	"net/http"
	"strings"
	"testing"
)

// TestMark: ids and times alone make no difference, and everything else does.
func TestMark(t *testing.T) {
	const (
		one  = "7f0aa1a4-3b5c-4d5e-8f00-000000000001"
		two  = "7f0aa1a4-3b5c-4d5e-8f00-000000000002"
		path = "/v3/apis/" + one + "/publications/" + two
		sent = `{"id":"` + one + `","at":"2026-01-01T00:00:00Z","portal":"` + two + `"}`
		got  = `{"name":"a","ids":["` + one + `","` + two + `"]}`
	)
	of := func(method, path, sent string, status int, got string, header ...string) mark {
		t.Helper()
		x := exchange{request: newRequest(t, method, path, sent), sent: []byte(sent), status: status, received: []byte(got), header: http.Header{}}
		for _, h := range header {
			x.header.Set(h, "x")
		}
		return x.mark()
	}
	first := of("PUT", path, sent, 200, got)
	other := func(s string) string {
		s = strings.NewReplacer(one, "0d3e9b10-aaaa-4bbb-9ccc-dddddddddddd", two, "1d3e9b10-aaaa-4bbb-9ccc-dddddddddddd").Replace(s)
		return strings.ReplaceAll(strings.ReplaceAll(s, "2026-01-01T", "2027-12-31T"), "-9ccc-", "-8ccc-")
	}
	if of("PUT", other(path), other(sent), 200, other(got)) != first {
		t.Error("ids and times make a difference")
	}
	for name, m := range map[string]mark{
		"a method":              of("PATCH", path, sent, 200, got),
		"a path":                of("PUT", strings.Replace(path, "apis", "api", 1), sent, 200, got),
		"a query":               of("PUT", path+"?page[size]=1", sent, 200, got),
		"a body":                of("PUT", path, strings.Replace(sent, "portal", "portals", 1), 200, got),
		"a status":              of("PUT", path, sent, 201, got),
		"an answer":             of("PUT", path, sent, 200, strings.Replace(got, "a", "b", 1)),
		"a header of an answer": of("PUT", path, sent, 200, got, "Link"),
		"one id twice":          of("PUT", path, sent, 200, strings.Replace(got, two, one, 1)),
		"ids changed about":     of("PUT", path, sent, 200, `{"name":"a","ids":["`+two+`","`+one+`"]}`),
		"an id's version":       of("PUT", path, sent, 200, strings.Replace(got, "-4d5e-", "-0d5e-", 1)),
		"an id's variant":       of("PUT", path, sent, 200, strings.Replace(got, "-8f00-", "-0f00-", 1)),
		"an id in capitals":     of("PUT", path, sent, 200, strings.Replace(got, "7f0aa1a4", "7F0AA1A4", 1)),
		"an id that is longer":  of("PUT", path, sent, 200, strings.Replace(got, one, one+"0", 1)),
		"an id that is shorter": of("PUT", path, sent, 200, strings.Replace(got, one, one[1:], 1)),
		"a time of no day":      of("PUT", path, strings.Replace(sent, "01-01T", "02-30T", 1), 200, got),
		"a time of no zone":     of("PUT", path, strings.Replace(sent, "00Z", "00", 1), 200, got),
	} {
		if m == first {
			t.Errorf("%s makes no difference", name)
		}
	}
}

// TestUnsoundIsNeverKept judges what the document forbids each time, and what it
// allows but once.
func TestUnsoundIsNeverKept(t *testing.T) {
	for _, row := range []struct {
		answer string
		kept   bool
	}{
		{strings.Replace(team, `"crew"`, `"kept"`, 1), true},
		{strings.Replace(team, `"crew"`, `7`, 1), false},
	} {
		for range 3 {
			var said complaints
			var log Log
			w, err := New(&said, &log)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := throughHandler(w, newRequest(t, "GET", "/v3/teams/7f0aa1a4-3b5c-4d5e-8f00-000000000001", ""), answer(200, row.answer)); err != nil {
				t.Fatal(err)
			}
			if (len(said) == 0) != row.kept || (len(log.Operations()) == 1) != row.kept {
				t.Errorf("%s: said %q, noted %v", row.answer, said, log.Operations())
			}
		}
		again := strings.NewReplacer("7f0aa1a4", "00000000")
		x := exchange{request: newRequest(t, "GET", again.Replace("/v3/teams/7f0aa1a4-3b5c-4d5e-8f00-000000000001"), ""), status: 200, received: []byte(again.Replace(row.answer)), header: http.Header{"Content-Type": {"application/json"}}}
		if _, ok := judged.of(x.mark()); ok != row.kept {
			t.Errorf("%s: kept %v", row.answer, ok)
		}
	}
}
