//go:build real

package real

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// story is a configuration that ties an API to a service of a gateway, and the
// decK file that makes the service.
const (
	storyKonnect = `
control_planes: [{ref: cp, name: edge}]
portals: [{ref: dev-portal, name: dev}]
apis:
  - ref: users-api
    name: Users
    implementations:
      - {ref: users-api-impl, service: {id: users-service, control_plane_id: cp}}
`
	storyExternal = storyKonnect + `
external_resources:
  - {ref: users-service, resource_type: ce_service, control_plane: cp, selector: {matchFields: {name: users}}}
`
	storyDeck = storyKonnect + `
gateway_services:
  - {ref: users-service, control_plane: cp, _external: {deck: {file: kong.yaml, service: users}}}
`
	storyFile = `
_format_version: "3.0"
_info: {select_tags: [users]}
services:
  - {name: users, url: "http://users.internal:8080", routes: [{name: users, paths: [/users], protocols: [http, https]}]}
`
)

// Three ways lead to the same end: ignore and isolate around a run of decK,
// pending around a run of decK, and one command that runs decK itself, in
// process or with its binary.
func TestOptionsOfTheStory(t *testing.T) {
	for name, option := range map[string]struct {
		konnect string
		steps   [][]string // of kongctl, or of decK
	}{
		"A, ignore and isolate": {storyExternal, [][]string{
			{"kongctl", "sync", "--ignore-refs", "users-api-impl"},
			{"deck", "gateway", "sync", "kong.yaml"},
			{"kongctl", "sync", "--isolate-refs", "users-api-impl"},
		}},
		"B, pending": {storyExternal, [][]string{
			{"kongctl", "sync", "--allow-pending-external"},
			{"deck", "gateway", "sync", "kong.yaml"},
			{"kongctl", "sync", "--allow-pending-external"},
		}},
		"C, native": {storyDeck, [][]string{{"kongctl", "sync"}}},
		"C, cli":    {storyDeck, [][]string{{"kongctl", "sync", "--deck-mode", "cli", "--deck-path", deckBinary(t)}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDeck(t)
			m := newMachine(t)
			m.root = d.dir
			for file, text := range map[string]string{"konnect.yaml": option.konnect, "kong.yaml": storyFile} {
				if err := os.WriteFile(filepath.Join(d.dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			kongctl := func(args ...string) string {
				return m.run(t, append(args, "-f", "konnect.yaml", "--base-url", d.address, "--auto-approve")...)
			}
			for _, step := range option.steps {
				if step[0] == "deck" {
					d.run(t, append(step[1:], "--konnect-control-plane-name", "edge")...)
				} else {
					kongctl(step[1:]...)
				}
			}
			// The end: everything is there, nothing is left to do, and decK agrees.
			if out := kongctl("sync"); !strings.Contains(out, "No changes") {
				t.Errorf("kongctl finds something to do:\n%s", out)
			}
			plane{d, "edge"}.expect(t, changed{}, "sync", "kong.yaml")
			if got := string(d.send(t, http.MethodGet, "/v3/api-implementations", "")); strings.Count(got, `"service":`) != 1 {
				t.Errorf("implementations: %s", got)
			}
		})
	}
}
