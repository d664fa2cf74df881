package language_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/guard"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// minRows is how many mistakes are worth a row at the least.
const minRows = 60

// TestWrongConfigurations reads testdata/wrong: each archive is a mistake that
// people make, with the very text that they get to read.
//
// The files of an archive are the current folder. These are not:
//
//	flags     -f, --dir, --base-dir, --require-namespace, --require-any-namespace,
//	          --write-secret, --check-external-ids
//	env       NAME=VALUE, one to a line
//	generate  FILE COUNT TEXT: a file too large for an archive
//	live      METHOD PATH BODY, one to a line: what Konnect has
//	want      the diagnostics
func TestWrongConfigurations(t *testing.T) {
	rows, err := filepath.Glob("testdata/wrong/*.txtar")
	if err != nil || len(rows) < minRows {
		t.Fatalf("%d rows, want at least %d (%v)", len(rows), minRows, err)
	}
	cat := load(t)
	for _, path := range rows {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := newMistake(t, a).diagnose(cat)
			if got == "" {
				t.Fatal("nothing is told")
			}
			if *update {
				setSection(a, "want", got)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(section(a, "want"), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		})
	}
	everyCode(t, rows)
}

var codePattern = regexp.MustCompile(`(?m)^(?:error|warning)\[([A-Z]+[0-9]+)\]`)

// families are the codes that a configuration can lead to; the others come of
// commands and have their tests there.
var families = []string{"SRC", "CFG", "REF", "VAL", "LIVE", "EXT"}

// everyCode asserts that no code exists that no mistake leads to.
func everyCode(t *testing.T, rows []string) {
	told := map[diag.Code]bool{}
	for _, path := range rows {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codePattern.FindAllStringSubmatch(section(a, "want"), -1) {
			told[diag.Code(m[1])] = true
		}
	}
	for _, code := range diag.Codes() {
		family := strings.TrimRight(string(code), "0123456789")
		if slices.Contains(families, family) && !told[code] {
			t.Errorf("no row for %s (%s)", code, diag.Summary(code))
		}
	}
}

// mistake is one row.
type mistake struct {
	*testing.T
	source  source.Options
	options language.Options
	secrets []string         // --write-secret
	ids     resource.IDCheck // --check-external-ids
	live    string           // what Konnect has
}

func newMistake(t *testing.T, a *txtar.Archive) *mistake {
	m := &mistake{T: t, live: section(a, "live")}
	m.source.WorkDir = t.TempDir()
	m.flags(section(a, "flags"))
	env := map[string]string{}
	for line := range strings.Lines(section(a, "env")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = value
	}
	m.options.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	for _, f := range a.Files {
		switch f.Name {
		case "flags", "env", "live", "want":
		case "generate":
			for line := range strings.Lines(string(f.Data)) {
				name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				count, text, _ := strings.Cut(rest, " ")
				n, err := strconv.Atoi(count)
				if err != nil {
					t.Fatal(err)
				}
				m.write(name, bytes.Repeat([]byte(text), n))
			}
		default:
			m.write(f.Name, f.Data)
		}
	}
	return m
}

func (m *mistake) flags(line string) {
	fs := flag.NewFlagSet("flags", flag.ContinueOnError)
	add := func(list *[]string) func(string) error {
		return func(s string) error { *list = append(*list, strings.Split(s, ",")...); return nil }
	}
	fs.Func("f", "", add(&m.source.Files))
	fs.Func("dir", "", add(&m.source.Dirs))
	fs.StringVar(&m.source.BaseDir, "base-dir", "", "")
	fs.Func("require-namespace", "", add(&m.options.RequireNamespaces))
	fs.Func("write-secret", "", add(&m.secrets))
	fs.BoolVar(&m.options.RequireAnyNamespace, "require-any-namespace", false, "")
	fs.BoolFunc("check-external-ids", "", func(string) error { m.ids = resource.CheckAllIDs; return nil })
	if err := fs.Parse(strings.Fields(line)); err != nil {
		m.Fatal(err)
	}
}

func (m *mistake) write(name string, data []byte) {
	writeFile(m, filepath.Join(m.source.WorkDir, filepath.FromSlash(name)), data)
}

// diagnose goes the way of every command: all that can be told without Konnect
// at once, then what exists.
func (m *mistake) diagnose(cat *catalog.Catalog) string {
	m.source.Claims = []source.Claim{gateway.Claim()}
	read, diags := source.Load(context.Background(), m.source)
	m.options.Skipped = read.Skipped
	m.options.Incomplete = read.Incomplete
	m.options.Extensions = []resource.Extension{gateway.Extension()}
	set, more := language.Build(cat, read.Documents, m.options)
	diags = append(diags, more...)
	links, more := resource.Link(set)
	diags = append(diags, more...)
	if m.live != "" && !diags.HasErrors() {
		diags = append(diags, m.look(cat, set, links)...)
	}
	var b strings.Builder
	if err := diags.Write(&b); err != nil {
		m.Fatal(err)
	}
	if strings.Contains(b.String(), "hunter2") {
		m.Error("a secret is told")
	}
	return b.String()
}

// look compares with an embedded Konnect that has what the row says.
func (m *mistake) look(cat *catalog.Catalog, set *resource.Set, links *resource.Links) diag.List {
	last := 0
	server, err := emulator.New(cat, emulator.Options{
		Clock:  func() time.Time { return time.Date(2025, 1, 24, 10, 30, 0, 0, time.UTC) },
		NewID:  func() string { last++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", last) },
		Strict: func(op, problem string) { m.Errorf("%s: %s", op, problem) },
	})
	if err != nil {
		m.Fatal(err)
	}
	transport := emulator.Transport(server)
	for line := range strings.Lines(m.live) {
		m.request(transport, strings.TrimSpace(line))
	}
	conn, err := client.New(client.Config{BaseURL: base, Token: token, Transport: transport})
	if err != nil {
		m.Fatal(err)
	}
	target := client.NewTarget(cat, conn)
	snapshot, diags, err := live.Read(context.Background(), target, live.Query{
		Catalog: cat, Set: set, Links: links, Sync: true, Prune: resource.PruneFull, CheckIDs: m.ids,
	})
	if err != nil {
		m.Fatal(err)
	}
	_, more, err := build.With(build.Input{
		Types: cat.Types(), Guards: guard.All(), Proposer: propose.For, Set: set, Links: links, Snapshot: snapshot, Mode: plan.ModeSync, Prune: resource.PruneFull,
		WriteSecrets: m.secrets, Env: m.options.Env, Dir: m.source.WorkDir,
	}, func(removed []resource.Removed) (*resource.Users, error) {
		return live.ReadUsers(context.Background(), target, cat, snapshot, removed)
	})
	if err != nil {
		m.Fatal(err)
	}
	return append(diags, more...)
}

const (
	base  = "http://127.0.0.1:1"
	token = "local"
)

func (m *mistake) request(transport http.RoundTripper, line string) {
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	r, err := http.NewRequest(method, base+path, strings.NewReader(body))
	if err != nil {
		m.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := transport.RoundTrip(r)
	if err != nil {
		m.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		m.Fatalf("%s: %s", line, answer.Status)
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setSection(a *txtar.Archive, name, text string) {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}
