// Command picture draws the pictures of README.md from the real program: a plan
// on a terminal (SVG), the same plan in a browser (PNG), and the packages (SVG).
//
// In: a binary, Chromium, the import graph in docs/architecture.md. Out: files in
// docs/pictures. It must never import the program's packages: what it shows is
// what a user sees.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	program := flag.String("program", "bin/kongctl", "binary to show")
	browser := flag.String("chromium", "chromium", "browser for the HTML view")
	out := flag.String("out", "docs/pictures", "folder to write to")
	flag.Parse()
	if err := draw(*program, *browser, *out); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "picture:", err) // there is nowhere else to report it
		os.Exit(1)                                      //nolint:forbidigo // this is a main
	}
}

// maxBytes is how large a picture may be: people load it with README.md.
const maxBytes = 150_000

func draw(program, browser, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	demo, err := newDemo(program)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(demo.dir) }() // it is below the folder for temporary files
	text, err := demo.kongctl("plan", "-f", "after.yaml", "--local", "-o", "text")
	if err != nil {
		return err
	}
	command := "$ kongctl plan -f portal.yaml --local\n"
	if err := save(filepath.Join(out, "plan.svg"), terminalSVG(command+demo.plain(text))); err != nil {
		return err
	}
	page, err := demo.kongctl("plan", "-f", "after.yaml", "--local", "-o", "html")
	if err != nil {
		return err
	}
	png, err := demo.photograph(browser, demo.plain(page))
	if err != nil {
		return err
	}
	if err := save(filepath.Join(out, "plan-html.png"), png); err != nil {
		return err
	}
	raw, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		return err
	}
	house, err := houseSVG(string(raw))
	if err != nil {
		return err
	}
	return save(filepath.Join(out, "architecture.svg"), house)
}

func save(file string, data []byte) error {
	if len(data) > maxBytes {
		return fmt.Errorf("%s has %d bytes, more than %d", file, len(data), maxBytes)
	}
	return os.WriteFile(file, data, 0o644)
}

// demo is a folder with a configuration that was applied, and a changed one.
type demo struct{ program, dir string }

const before = `
portals:
  - ref: developers
    name: developers
    display_name: Developer Portal
    pages:
      - slug: home
        title: Welcome
        content: |
          # Welcome
          Find our APIs here.
          Ask us anything.
      - {slug: old-news, content: Old news}
apis:
  - ref: timetable
    name: timetable
    description: Departures and arrivals
`

const after = `
portals:
  - ref: developers
    name: developers
    display_name: Kong Airlines for developers
    pages:
      - slug: home
        title: Welcome
        content: |
          # Welcome
          Find our APIs here, and try them.
          Ask us anything.
apis:
  - ref: timetable
    name: timetable
    description: Departures, arrivals and delays
    publications:
      - {portal: developers, visibility: public}
  - ref: bookings
    name: bookings
    versions:
      - version: 1.0.0
    publications:
      - portal: developers
`

func newDemo(program string) (*demo, error) {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	d := &demo{program: program, dir: dir}
	for name, text := range map[string]string{"before.yaml": before, "after.yaml": after} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	_, err = d.kongctl("apply", "-f", "before.yaml", "--local", "--auto-approve")
	return d, err
}

// kongctl runs a command in the folder, with colour, and returns what it printed.
func (d *demo) kongctl(args ...string) (string, error) {
	cmd := exec.Command(d.program, args...)
	cmd.Dir = d.dir
	cmd.Env = []string{"HOME=" + d.dir, "FORCE_COLOR=1", "KONGCTL_LOCAL_DATA=" + filepath.Join(d.dir, "konnect")}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("kongctl %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// plain takes the folder of this run out of a text.
func (d *demo) plain(text string) string {
	text = strings.ReplaceAll(text, d.dir, "~")
	return strings.ReplaceAll(text, "after.yaml", "portal.yaml")
}

// photograph shows a page in a browser.
func (d *demo) photograph(browser, page string) ([]byte, error) {
	file, png := filepath.Join(d.dir, "plan.html"), filepath.Join(d.dir, "plan.png")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(d.dir, "browser"), "--window-size=1160,1060", "--screenshot="+png, "file://"+file)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", browser, err, text)
	}
	return os.ReadFile(png)
}
