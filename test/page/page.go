// Package page reads the commands of documentation pages, for the tests that run
// them as a reader would paste them.
//
// In: Markdown files of this repository. Out: their command blocks as one script,
// the output that they show, and a copy of the repository to run them in. It must
// never import the program's packages: what runs is what a reader runs.
package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/creack/pty"
)

// Page is what a page asks a reader to run.
type Page struct {
	// Commands are all blocks marked as sh, in order.
	Commands string
	// Output are the lines that blocks marked as text show.
	Output []string
}

var block = regexp.MustCompile("(?ms)^```([^\n`]*)\n(.*?)^```$")

// Read reads a page. A block that is neither commands, nor output, nor YAML is an
// error: nothing would run it.
func Read(file string) (*Page, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p Page
	for _, found := range block.FindAllStringSubmatch(string(raw), -1) {
		switch language, text := found[1], found[2]; language {
		case "sh":
			p.Commands += text
		case "text":
			for line := range strings.Lines(text) {
				p.Output = append(p.Output, strings.TrimSpace(line))
			}
		case "yaml":
		default:
			return nil, fmt.Errorf("%s: a block is marked as %q: use sh, text or yaml", file, language)
		}
	}
	if p.Commands == "" {
		return nil, fmt.Errorf("%s has no command block", file)
	}
	return &p, nil
}

// Run runs a script in one shell that stops at the first error, and returns all
// that it printed.
func Run(ctx context.Context, script, dir string, env []string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-x", "-c", "set -euo pipefail\n"+script)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// RunOnTerminal is Run with a terminal, on which every question is answered with
// yes.
func RunOnTerminal(ctx context.Context, script, dir string, env []string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-x", "-c", "set -euo pipefail\n"+script)
	cmd.Dir, cmd.Env = dir, append(env, "TERM=xterm", "NO_COLOR=1")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		return "", err
	}
	defer func() { _ = terminal.Close() }() // the process has ended
	var printed strings.Builder
	buffer := make([]byte, 4096)
	for answered := 0; ; {
		n, err := terminal.Read(buffer)
		printed.Write(buffer[:n])
		for ; answered < strings.Count(printed.String(), "[y/N] "); answered++ {
			_, _ = io.WriteString(terminal, "y\n") // a process that has ended asks nothing
		}
		if err != nil {
			break // the terminal is closed when the last process that uses it ends
		}
	}
	return printed.String(), cmd.Wait()
}

// Missing are the lines of the page's output that a run did not print.
func (p *Page) Missing(printed string) []string {
	var out []string
	for _, line := range p.Output {
		if !strings.Contains(printed, line) {
			out = append(out, line)
		}
	}
	return out
}

// Copy copies the files of the repository, committed or not, into a folder.
func Copy(root, dir string) error {
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		raw, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed and not committed yet
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), raw, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
