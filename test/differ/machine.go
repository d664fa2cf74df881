package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// patience bounds every command.
const patience = time.Minute

// transcript runs a case with one binary on a Konnect of its own, and returns
// what there was to see, with what differs from run to run taken out.
func (c *testCase) transcript(binary string) ([]string, error) {
	dir, err := os.MkdirTemp("", "differ-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only disk space is lost
	for name, text := range c.files {
		path := filepath.Join(dir, "work", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	m := &machine{binary: binary, dir: dir, names: map[string]string{}, seen: map[string]bool{}}
	if err := m.startServer(); err != nil {
		return nil, err
	}
	defer m.stopServer()
	var out []string
	for _, s := range c.steps {
		if err := m.setFaults(s.faults); err != nil {
			return nil, err
		}
		seen, err := m.run(s.args)
		if err != nil {
			return nil, err
		}
		out = append(out, strings.Split(seen, "\n")...)
	}
	return out, nil
}

// machine is a home, a Konnect and a binary.
type machine struct {
	binary, dir, url string
	seen             map[string]bool   // journals of finished runs
	names            map[string]string // of ids, in the order of their appearance
}

func (m *machine) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, m.binary, args...)
	cmd.Dir = filepath.Join(m.dir, "work")
	home := filepath.Join(m.dir, "home")
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "KONGCTL_KONNECT_PAT=kpat_differ", "NO_COLOR=1"}
	return cmd
}

// address is what the server says that it listens on.
var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

func (m *machine) startServer() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := m.command(ctx, "local", "start", "--addr", "127.0.0.1:0").CombinedOutput()
	m.url = address.FindString(string(out))
	if err != nil || m.url == "" {
		return fmt.Errorf("local start: %w\n%s", err, out)
	}
	return nil
}

func (m *machine) stopServer() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if out, err := m.command(ctx, "local", "stop").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "local stop: %v\n%s", err, out)
	}
}

func (m *machine) setFaults(faults string) error {
	if faults == "" {
		faults = "{}"
	}
	req, err := http.NewRequest(http.MethodPut, m.url+"/__local/faults", strings.NewReader(faults))
	if err != nil {
		return err
	}
	req.Header.Set("X-Kongctl-Local", "1")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusBadRequest {
		raw, _ := io.ReadAll(res.Body)
		return fmt.Errorf("set faults %s: %s: %s", faults, res.Status, raw)
	}
	return nil
}

// run runs one command and returns what it printed, wrote and sent.
func (m *machine) run(args []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	full := slices.Concat(args, []string{"--base-url", m.url, "--max-concurrency", "1"})
	cmd := m.command(ctx, full...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	files, err := m.files()
	if err != nil {
		return "", err
	}
	sent, err := m.sent()
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("$ kongctl %s\nexit %d\n-- stdout\n%s-- stderr\n%s%s-- sent\n%s\n", strings.Join(args, " "), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), files, sent)
	return m.neutral(text), nil
}

// files are the plan and the journals that a command left.
func (m *machine) files() (string, error) {
	var out strings.Builder
	journals, err := filepath.Glob(filepath.Join(m.dir, "home", ".local", "state", "kongctl", "journal", "*"))
	if err != nil {
		return "", err
	}
	for _, path := range append(journals, filepath.Join(m.dir, "work", "plan.json")) {
		raw, err := os.ReadFile(path)
		if err != nil || m.seen[path] {
			continue // it did not write one, or another command did and it goes in a moment
		}
		m.seen[path] = filepath.Ext(path) == ".finished"
		fmt.Fprintf(&out, "-- %s\n%s", filepath.Ext(path), raw)
	}
	return out.String(), nil
}

// sent counts the requests so far, by operation.
func (m *machine) sent() (string, error) {
	res, err := http.Get(m.url + "/__local/requests")
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return "", err
	}
	_, counts, _ := strings.Cut(string(raw), `"by_operation"`)
	counts, _, _ = strings.Cut(counts, "}")
	return counts, nil
}

// What differs from run to run.
var (
	uuid   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	digest = regexp.MustCompile(`(sha256[:-])?\b([0-9a-f]{64}|[a-z2-7]{52})\b`)
	clock  = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|20\d{6}T\d{6}Z`)
	part   = regexp.MustCompile(`\b[0-9a-f]{8,12}\b`) // of an id, in names that Konnect makes
	took   = regexp.MustCompile(`"duration_ms": ?\d+| \(\d+(\.\d+)?m?s\)|\b\d+(\.\d+)?m?s\b`)
	// What is deleted with a resource stands by id, in an order that differs.
	child  = regexp.MustCompile(`"([a-z_]+)(?:/` + uuid.String() + `)+(\\?)": `)
	quoted = regexp.MustCompile(`"(id-\d+)"`) // YAML quotes some ids and others not
)

// neutral takes out what differs from run to run. Ids keep their sameness: the
// first one that is seen becomes id-1 wherever it stands. Digests of contents
// that hold ids differ by run; that they are there is what is compared.
func (m *machine) neutral(text string) string {
	text = strings.ReplaceAll(text, m.url, "URL")
	text = strings.ReplaceAll(text, m.dir, "DIR")
	text = digest.ReplaceAllString(text, "${1}DIGEST")
	text = child.ReplaceAllString(text, `"$1/ID$2": `)
	text = uuid.ReplaceAllStringFunc(text, func(id string) string {
		if m.names[id] == "" {
			m.names[id] = fmt.Sprintf("id-%d", len(m.names)+1)
		}
		return m.names[id]
	})
	text = part.ReplaceAllString(text, "PART")
	text = clock.ReplaceAllString(text, "TIME")
	text = quoted.ReplaceAllString(text, "$1")
	return took.ReplaceAllString(text, "")
}
