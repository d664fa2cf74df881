package cli

import (
	"strings"
	"testing"
)

// TestVariableWithTheToken: wherever a variable that has the token of kongctl as its
// value is read, the error gives that reason, which another value of it removes.
func TestVariableWithTheToken(t *testing.T) {
	for place, text := range map[string]string{
		"a field":           "portals: [{name: a, description: !env DECK_K}]",
		"a name":            "portals: [{ref: a, name: !env DECK_K}]",
		"a selector":        "portals: [{ref: a, _external: {selector: {matchFields: {name: !env DECK_K}}}}]",
		"a lookup":          "apis: [{name: a, publications: [{portal_id: !lookup {name: !env DECK_K}}]}]",
		"a secret":          "portals: [{name: a, identity_providers: [{ref: i, type: oidc, config: {issuer_url: 'https://i.example.com', client_id: c, client_secret: !secret {source: !env DECK_K}}}]}]",
		"a file of decK":    "control_planes: [{name: cp, _deck: {files: [kong.yaml]}}]",
		"an inline gateway": "control_planes: [{name: cp, _deck: {state: {services: [{name: s, host: !env DECK_K}]}}}]",
	} {
		t.Run(place, func(t *testing.T) {
			c := newConsole(t).real()
			s := newService(t, c)
			c = s.console(c)
			c.write("a.yaml", text+"\n")
			c.write("kong.yaml", "_format_version: \"3.0\"\n_info: {select_tags: [x]}\nservices: [{name: s, host: '${{ env \"DECK_K\" }}'}]\n")
			c.env["DECK_K"] = "kpat_test"
			c.want(exitInvalid, "sync", "-f", "a.yaml", "--auto-approve", "-o", "json")
			for _, shown := range []string{c.err.String(), c.out.String()} {
				if strings.Contains(shown, "not set") || !strings.Contains(shown, "SRC020") || !strings.Contains(shown, "DECK_K, which holds the token of kongctl") {
					t.Errorf("the reason is not given:\n%s", shown)
				}
				if strings.Contains(shown, "kpat_test") {
					t.Error("the token is shown")
				}
			}
			c = s.console(c)
			c.env["DECK_K"] = "other"
			if c.run("sync", "-f", "a.yaml", "--auto-approve"); strings.Contains(c.err.String(), "SRC020") {
				t.Errorf("with another value:\n%s", c.err)
			}
		})
	}
}
