// Command release builds archives, packages and checksums as .goreleaser.yaml
// says, without publishing them. It runs in the root of the repository, after
// make manual.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	r := release{}
	root := flag.String("root", ".", "root of the repository")
	targets := flag.String("targets", runtime.GOOS+"/"+runtime.GOARCH, "comma-separated OS/ARCH, or all")
	flag.StringVar(&r.version, "version", "v0.1.0-dev", "version, with v")
	flag.StringVar(&r.commit, "commit", "unknown", "commit, short")
	date := flag.String("date", "1970-01-01T00:00:00Z", "time of the commit, which files in archives have")
	flag.StringVar(&r.dist, "dist", "dist", "folder to write to; it is emptied")
	flag.Parse()
	if err := r.run(*root, *targets, *date); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is what all artifacts have in common.
type release struct {
	project       config.Project
	version       string
	commit        string
	date          time.Time
	dist          string
	artifactNames []string
}

func (r *release) run(root, targets, date string) (err error) {
	if r.date, err = time.Parse(time.RFC3339, date); err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	r.date = r.date.UTC()
	if err := os.Chdir(root); err != nil {
		return err
	}
	if r.project, err = config.Load(".goreleaser.yaml"); err != nil {
		return fmt.Errorf("read .goreleaser.yaml: %w", err)
	}
	list, err := r.targets(targets)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	for _, t := range list {
		if err := r.build(t); err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
	}
	return r.checksums()
}

// target is what a program is built for.
type target struct{ os, arch string }

func (r *release) targets(text string) ([]target, error) {
	b := r.project.Builds[0]
	var all, out []target
	for _, goos := range b.Goos {
		for _, arch := range b.Goarch {
			all = append(all, target{goos, arch})
		}
	}
	if text == "all" {
		return all, nil
	}
	for _, name := range strings.Split(text, ",") {
		goos, arch, _ := strings.Cut(strings.TrimSpace(name), "/")
		if !slices.Contains(all, target{goos, arch}) {
			return nil, fmt.Errorf("unknown target %q: use all, or some of %v", name, all)
		}
		out = append(out, target{goos, arch})
	}
	return out, nil
}

// build makes the program for a target, its archive and its packages.
func (r *release) build(t target) error {
	b := r.project.Builds[0]
	binary := filepath.Join(r.dist, t.os+"_"+t.arch, b.Binary)
	if t.os == "windows" {
		binary += ".exe"
	}
	ldflags, err := r.expand(strings.Join(b.Ldflags, " "), t)
	if err != nil {
		return err
	}
	args := append([]string{"build"}, b.Flags...)
	cmd := exec.Command("go", append(args, "-ldflags", ldflags, "-o", binary, b.Main)...)
	cmd.Env = append(append(os.Environ(), b.Env...), "GOOS="+t.os, "GOARCH="+t.arch)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	if err := r.archive(t, binary); err != nil {
		return err
	}
	if t.os != "linux" {
		return nil
	}
	return r.packages(t, binary)
}

// expand fills in the fields that a template of .goreleaser.yaml uses here.
func (r *release) expand(text string, t target) (string, error) {
	form, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = form.Execute(&b, map[string]string{
		"ProjectName": r.project.ProjectName, "Version": strings.TrimPrefix(r.version, "v"), "Os": t.os, "Arch": t.arch,
		"ShortCommit": r.commit, "CommitDate": r.date.Format(time.RFC3339),
	})
	return b.String(), err
}

// artifact makes a file of the release.
func (r *release) artifact(name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(r.dist, name))
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	if err := write(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.artifactNames = append(r.artifactNames, name)
	return nil
}

func (r *release) checksums() error {
	slices.Sort(r.artifactNames)
	var b strings.Builder
	for _, name := range r.artifactNames {
		raw, err := os.ReadFile(filepath.Join(r.dist, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(raw), name)
		fmt.Printf("%9d  %s\n", len(raw), filepath.Join(r.dist, name))
	}
	return os.WriteFile(filepath.Join(r.dist, r.project.Checksum.NameTemplate), []byte(b.String()), 0o644)
}
