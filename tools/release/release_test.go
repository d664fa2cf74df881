package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

const root = "../.."

func load(t *testing.T) config.Project {
	t.Helper()
	p, err := config.Load(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestConfiguration asserts that what .goreleaser.yaml names exists, and that it
// publishes what it should.
func TestConfiguration(t *testing.T) {
	p := load(t)
	b := p.Builds[0]
	named := []string{b.Main, p.DockersV2[0].Dockerfile}
	for _, f := range p.Archives[0].Files {
		named = append(named, f.Source)
	}
	for _, c := range p.NFPMs[0].Contents {
		named = append(named, c.Source)
	}
	for _, name := range named {
		if strings.HasPrefix(name, "bin/manual/") {
			continue // make manual writes it
		}
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	version, err := os.ReadFile(filepath.Join(root, "internal/cli/version.go"))
	if err != nil {
		t.Fatal(err)
	}
	variables := regexp.MustCompile(`-X github.com/kongctl/kongctl/internal/cli\.(\w+)=`).FindAllStringSubmatch(strings.Join(b.Ldflags, " "), -1)
	for _, v := range variables {
		if !regexp.MustCompile(`(?m)^\t` + v[1] + `\s+= `).Match(version) {
			t.Errorf("internal/cli/version.go has no variable %s", v[1])
		}
	}
	if len(variables) != 3 {
		t.Errorf("the linker sets %d variables, want version, commit and date", len(variables))
	}
	if len(p.SBOMs) != 1 || len(p.Casks) != 1 {
		t.Error("no SBOM, or no Homebrew cask")
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{p.Casks[0].Completions.Bash, p.Casks[0].Completions.Zsh, p.Casks[0].Completions.Fish} {
		if !bytes.Contains(makefile, []byte("> bin/manual/"+c+"\n")) {
			t.Errorf("make manual does not write %s", c)
		}
	}
}

// TestArtifacts makes the artifacts of a program that is a text, twice.
func TestArtifacts(t *testing.T) {
	p := load(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{
		"LICENSE", "README.md", "CHANGELOG.md", "bin/manual/man/kongctl.1.gz", "bin/manual/man/kongctl-plan.1.gz",
		"bin/manual/completions/kongctl.bash", "bin/manual/completions/_kongctl", "bin/manual/completions/kongctl.fish", "bin/manual/completions/kongctl.ps1",
		"bin/manual/man/kongctl-plans.1.gz", "program",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"kongctl-1.2.3-1.x86_64.rpm", "kongctl_1.2.3_amd64.deb", "kongctl_1.2.3_linux_amd64.tar.gz", "kongctl_1.2.3_windows_amd64.zip"}
	var before [][]byte
	for range 2 {
		r := release{project: p, version: "v1.2.3", commit: "abc", date: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), dist: t.TempDir()}
		for _, err := range []error{
			r.archive(target{"linux", "amd64"}, "program"), r.archive(target{"windows", "amd64"}, "program"),
			r.packages(target{"linux", "amd64"}, "program"), r.checksums(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(r.artifactNames, names) {
			t.Fatalf("artifacts: %v, want %v", r.artifactNames, names)
		}
		var now [][]byte
		for _, name := range append([]string{"checksums.txt"}, names...) {
			raw, err := os.ReadFile(filepath.Join(r.dist, name))
			if err != nil {
				t.Fatal(err)
			}
			now = append(now, raw)
		}
		if before != nil && !slices.EqualFunc(before, now, bytes.Equal) {
			t.Error("the same input makes other artifacts")
		}
		before = now
	}
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "completions/_kongctl", "completions/kongctl.bash", "completions/kongctl.fish", "completions/kongctl.ps1", "man/man1/kongctl-plan.1.gz", "man/man1/kongctl-plans.1.gz", "man/man1/kongctl.1.gz", "program"}
	if got := tarNames(t, before[3]); !slices.Equal(got, want) {
		t.Errorf("the tarball has %v, want %v", got, want)
	}
	if got := zipNames(t, before[4]); !slices.Equal(got, want) {
		t.Errorf("the zip has %v, want %v", got, want)
	}
	if lines := bytes.Count(before[0], []byte("\n")); lines != len(names) {
		t.Errorf("checksums.txt has %d lines", lines)
	}
}

func tarNames(t *testing.T, raw []byte) []string {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for in := tar.NewReader(unpacked); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(out)
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h.Name)
	}
}

func zipNames(t *testing.T, raw []byte) []string {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range in.File {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return out
}

func TestTargets(t *testing.T) {
	r := release{project: load(t)}
	if all, err := r.targets("all"); err != nil || len(all) != 6 {
		t.Errorf("all: %v, %v", all, err)
	}
	if _, err := r.targets("plan9/amd64"); err == nil {
		t.Error("an unknown target is taken")
	}
}
