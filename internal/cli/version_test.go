package cli

import (
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	recorded := &debug.BuildInfo{
		Main:     debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-16T12:00:00Z"}},
	}
	for _, row := range []struct {
		name   string
		linked build
		info   *debug.BuildInfo
		want   string
	}{
		{"a release", build{Version: "v1.0.0", Commit: "abc", Date: "2026-11-01T00:00:00Z"}, recorded, "kongctl v1.0.0 (commit abc of 2026-11-01, "},
		{"installed as a module", build{Version: devVersion}, recorded, "kongctl v1.2.3 (commit 0123456789ab of 2026-11-16, "},
		{"built in a folder", build{Version: devVersion}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "kongctl v0.1.0-dev (unknown commit, "},
		{"without a record", build{Version: devVersion}, nil, "kongctl v0.1.0-dev (unknown commit, "},
	} {
		b := describeBuild(row.linked, row.info)
		if got, want := versionText(b), row.want+b.Go+")"; got != want {
			t.Errorf("%s: %q, want %q", row.name, got, want)
		}
	}
}
