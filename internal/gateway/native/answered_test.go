//go:build !nonative

package native_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
)

// A list that is not there is no empty list, whichever it is.
func TestEmptyAnswersAreErrors(t *testing.T) {
	text := `
services: [{name: a, host: h, routes: [{name: r, paths: [/a]}]}]
upstreams: [{name: u, targets: [{target: "h:1"}]}]
consumer_groups: [{name: g}]
consumers:
- {username: c, groups: [{name: g}], keyauth_credentials: [{key: abcdefgh}], basicauth_credentials: [{username: b, password: p}], acls: [{group: x}]}
plugins: [{name: cors}]
`
	p := newPlane(t)
	p.settle(text)
	p.recorder.reset()
	if left := p.diff(p.ask(gateway.Sync, text)); len(left) > 0 {
		t.Fatalf("not settled: %v", short(left))
	}
	var paths []string
	for _, line := range p.reads() {
		if path, _, _ := strings.Cut(line, "?"); !strings.Contains(path, "/schemas/") && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if len(paths) < 20 {
		t.Fatalf("reads: %v", paths)
	}
	for _, path := range paths {
		for _, body := range []string{`{}`, `{"data":null}`, `null`, `[]`, `{"data":[null]}`, `{"data":{}}`} {
			var lied atomic.Bool
			p.recorder.intercept = func(r *http.Request) *http.Response {
				if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/core-entities"+path) {
					return nil
				}
				lied.Store(true)
				return &http.Response{
					StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
					Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
				}
			}
			changes, err := p.Diff(t.Context(), p.ask(gateway.Sync, text))
			switch {
			case !lied.Load():
				t.Errorf("GET %s is not read", path)
			case err == nil:
				t.Errorf("GET %s answered with %s: no error, changes %v", path, body, short(changes))
			case !strings.Contains(err.Error(), "incomplete list") && !strings.Contains(err.Error(), "without an object"):
				t.Errorf("GET %s answered with %s: %v", path, body, err)
			}
		}
	}
}
