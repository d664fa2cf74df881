package drive_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

const twoDomains = `portals:
  - {name: dev, custom_domain: {hostname: dev.HOST, enabled: true, ssl: {domain_verification_method: http}}}
  - {name: web, custom_domain: {hostname: web.HOST, enabled: true, ssl: {domain_verification_method: http}}}
`

// A run that is interrupted while it deletes for a replace still creates.
func TestAnInterruptedReplaceIsFinished(t *testing.T) {
	w := serial(t)
	w.Sync(strings.ReplaceAll(twoDomains, "HOST", "example.com"))
	ctx, cancel := context.WithCancel(t.Context())
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if r.Method == http.MethodDelete {
			cancel()
		}
		return nil, nil
	}
	out, err := w.TryRun(ctx, w.Plan(whole, strings.ReplaceAll(twoDomains, "HOST", "example.org")), w.Target)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 4",
		"start 1:d:portal_custom_domain:dev-custom-domain", "done 1:d:portal_custom_domain:dev-custom-domain",
		"start 3:c:portal_custom_domain:dev-custom-domain", "done 3:c:portal_custom_domain:dev-custom-domain",
		"skip 2:d:portal_custom_domain:web-custom-domain: the run was interrupted",
		"skip 4:c:portal_custom_domain:web-custom-domain: the run was interrupted",
		"end 2 applied, 0 failed, 2 skipped, interrupted",
	})
	if got := w.State("portal_custom_domain"); len(got) != 2 {
		t.Errorf("custom domains: %v", got)
	}
}

// A value that only an earlier change makes known is checked before the delete.
func TestReplaceWithAValueThatTurnsOutWrong(t *testing.T) {
	w := serial(t)
	const domain = "portals: [{name: dev, custom_domain: {hostname: HOST, enabled: true, ssl: {domain_verification_method: http}}}]\n"
	w.Sync(strings.Replace(domain, "HOST", "dev.example.com", 1))
	out := w.Run(w.Plan(whole, strings.Replace(domain, "HOST", "!ref a#slug", 1)+"apis: [{ref: a, name: no_host}]"))
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 3",
		"start 1:c:api:a", "done 1:c:api:a",
		"start 2:d:portal_custom_domain:dev-custom-domain", "fail 2:d:portal_custom_domain:dev-custom-domain",
		"skip 3:c:portal_custom_domain:dev-custom-domain: waits for portal_custom_domain dev-custom-domain, which failed",
		"end 1 applied, 1 failed, 1 skipped",
	})
	equal(t, "error", out.Report.Results[1].Error, "hostname: the value of the reference a (slug) must be a host name")
	equal(t, "the old domain", w.State("portal_custom_domain")[0]["hostname"], any("dev.example.com"))
}
