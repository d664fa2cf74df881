package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// What a sync replaces is read twice: an answer that was wrong once deletes nothing.
func TestReplacesAreReadTwice(t *testing.T) {
	for name, row := range map[string]struct {
		declared string
		status   int
		says     string
	}{
		"it is as declared": {"dev.example.com", exitDone, "0 deleted, 2 up to date"},
		"it is another one": {"new.example.com", exitMoved, "hostname: planned from wrong.example.com, now is dev.example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			cat, err := loadCatalog()
			if err != nil {
				t.Fatal(err)
			}
			server, err := emulator.New(cat, emulator.Options{Clock: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			wrong, writes := false, 0
			ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					writes++
				}
				if !wrong || r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/custom-domain") {
					server.ServeHTTP(w, r)
					return
				}
				wrong = false
				answer := httptest.NewRecorder()
				server.ServeHTTP(answer, r)
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.WriteHeader(answer.Code)
				_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte("dev.example.com"), []byte("wrong.example.com")))
			}))
			defer ts.Close()
			c := newConsole(t).real()
			c.env["KONGCTL_KONNECT_BASE_URL"], c.env["KONGCTL_KONNECT_PAT"] = ts.URL, "kpat_test"
			declare := func(host string) {
				c.write("p.yaml", "portals: [{ref: dev, name: dev, custom_domain: {hostname: "+host+", enabled: true, ssl: {domain_verification_method: http}}}]\n")
			}
			declare("dev.example.com")
			c.want(exitDone, "sync", "-f", "p.yaml", "--auto-approve")
			declare(row.declared)
			wrong, writes = true, 0
			c = c.again().real()
			c.want(row.status, "sync", "-f", "p.yaml", "--auto-approve")
			contains(t, "standard error", c.err, row.says)
			if wrong || writes > 0 {
				t.Errorf("%d writes; a wrong answer was given: %v", writes, !wrong)
			}
			c = c.again().real()
			c.want(exitDone, "sync", "-f", "p.yaml", "--auto-approve")
		})
	}
}
