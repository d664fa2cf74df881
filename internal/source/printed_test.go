package source

import (
	"context"
	"testing"
	"time"
)

type printedPlace struct {
	Organization *struct {
		ID      string `json:"id"`
		BaseURL string `json:"base_url"`
		Region  string `json:"region,omitempty"`
	} `json:"organization,omitempty"`
}

// printedDrift is a document that says where it was made.
type printedDrift struct {
	printedPlace
	Namespaces []string  `json:"namespaces,omitempty"`
	RemoteOnly []string  `json:"remote_only"`
	Made       time.Time `json:"made,omitzero"`
	Teams      []string  `json:"teams,omitempty"`
	Hidden     string    `json:"-"`
}

// printedFailure is a document with nothing but forms.
type printedFailure struct {
	Error struct {
		Message  string `json:"message"`
		ExitCode int    `json:"exit_code"`
	} `json:"error"`
	Diagnostics []string `json:"diagnostics"`
}

func printedForms() []Form { return []Form{FormOf(printedDrift{}), FormOf(&printedFailure{})} }

func TestPrintedDocuments(t *testing.T) {
	const drift = "remote_only: [&at organization]\n"
	for _, tc := range []struct {
		name, text string
		printed    bool
	}{
		{"drift", drift + "organization: {id: x, base_url: https://x}\n", true},
		{"without a place", drift, true},
		{"in another order", "organization: {id: x, base_url: https://x}\n" + drift, true},
		{"a key too many", drift + "portals: []\n", false},
		{"a key that only looks known", drift + "Organization: {}\n", false},
		{"a key is missing", "organization: {id: x, base_url: https://x}\n", false},
		{"a key of the place is missing", drift + "organization: {base_url: https://x}\n", false},
		{"a key that may be missing", drift + "namespaces: [x]\nmade: 2026-01-01\n", true},
		{"a key that is never printed", drift + "hidden: x\n", false},
		{"a printed key that declares something", drift + "teams: []\n", false},
		{"the place alone", "organization: {base_url: https://x}\n", false},
		{"teams at the place", drift + "organization: {id: x, base_url: https://x, teams: []}\n", false},
		{"teams merged into the place", drift + "organization: {id: x, base_url: https://x, <<: {teams: []}}\n", false},
		{"teams under an alias at the place", drift + "namespaces: [&k teams]\norganization: {id: x, base_url: https://x, *k : []}\n", false},
		{"the place merged in", drift + "<<: {organization: {teams: []}}\n", false},
		{"the place merged in, from a list", drift + "<<: [{namespaces: []}, {organization: {teams: []}}]\n", false},
		{"the place as an alias", drift + "namespaces: [&o {teams: []}]\norganization: *o\n", false},
		{"the place under an alias", drift + "*at : {teams: []}\n", false},
		{"the place twice", drift + "organization: {id: x, base_url: https://x}\norganization: {teams: []}\n", false},
		{"the place in a file", drift + "organization: !file teams.yaml\n", false},
		{"the place in a file, with its own keys", drift + "organization: !file {path: teams.yaml}\n", false},
		{"the place as a list", drift + "organization: [{teams: []}]\n", false},
		{"an object of Kubernetes", "apiVersion: v1\nkind: ConfigMap\nmetadata: {plan_version: x}\nremote_only: []\n", false},
		{"an error", "error: {message: x, exit_code: 4}\ndiagnostics: []\n", true},
		{"an error of another tool", "error: {message: x}\ndiagnostics: []\n", false},
		{"a list", "- error\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			work := folder(t, "-- a.yaml --\napis: []\n-- b.yaml --\n"+tc.text+"-- teams.yaml --\nteams: []\n")
			r, _ := load(context.Background(), Options{WorkDir: work, Printed: printedForms(), Declares: func(key string) bool { return key == "teams" || key == "organization" }})
			printed := false
			for _, s := range r.Skipped {
				printed = printed || s.File == "b.yaml" && s.Why == "printed by kongctl"
			}
			if printed != tc.printed {
				t.Errorf("left out as printed: %v, want %v", printed, tc.printed)
			}
		})
	}
}
