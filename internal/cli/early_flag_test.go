package cli

import (
	"strings"
	"testing"
)

func TestFlagsBeforeTheCommand(t *testing.T) {
	for line, want := range map[string]string{
		"--local get portals":                "--local=true get portals",
		"-o json --local get portals":        "-o json --local=true get portals",
		"--pat x --no-color plan -f a --yes": "--pat x --no-color=true plan -f a --yes",
		"--yes sync -f a":                    "--yes=true sync -f a",
		"-R plan -f a":                       "--recursive=true plan -f a",
		"api --local get /v3/portals":        "api --local=true get /v3/portals",
		"--local=false get portals":          "--local=false get portals",
		"delete pat x --local":               "delete pat x --local",
		"--nothing get portals":              "--nothing get portals",
		"-- get portals":                     "-- get portals",
		"--local":                            "--local=true",
		"":                                   "",
	} {
		t.Run(line, func(t *testing.T) {
			got := strings.Join(earlyFlags(newRootCmd(&factory{world: &world{streams: &streams{}}}), strings.Fields(line)), " ")
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
