package view_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

func findings() view.Findings {
	return view.Findings{Version: "v0.1.0", Error: &view.Error{Message: "2 diagnostics", ExitCode: 4}, Diagnostics: []view.Diagnostic{
		{Code: "REF002", Severity: "error", File: "my files/a.yaml", Line: 3, Column: 5, Summary: "unknown reference", Detail: "No input declares \"x\".\nReally.", Fix: "declare it."},
		{Code: "CFG009", Severity: "warning", File: "b.yaml", Line: 1, Summary: "nothing declared"},
		{Code: "REF002", Severity: "error", File: "/abs/c.yaml", Summary: "unknown reference"},
		{Code: "SRC001", Severity: "error", Summary: "nothing found"},
	}}
}

func hostileFindings() view.Findings {
	x := testkit.HostileBytes + hostileName + "\ufffe]]>"
	return view.Findings{Version: x, Error: &view.Error{Message: x}, Diagnostics: []view.Diagnostic{{Code: x, Severity: "error", File: x, Line: 1, Summary: x, Detail: x, Fix: x}, {Code: x, Severity: "warning", Summary: x}}}
}

// The reports are what the schema of the format takes.
func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	for name, f := range map[string]view.Findings{"sarif": findings(), "sarif-clean": {Version: "v0.1.0"}, "hostile": hostileFindings()} {
		var b strings.Builder
		if err := f.WriteSARIF(&b); err != nil {
			t.Fatal(err)
		}
		if name != "hostile" {
			golden(t, name, b.String())
		}
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
		document.(map[string]any)["runs"].([]any)[0].(map[string]any)["unknown"] = true
		if schema.Validate(document) == nil {
			t.Error("the schema takes everything")
		}
	}
}

// sarifSchema is the schema of SARIF 2.1.0, from the sources of a library that
// carries it.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	module := "github.com/owenrumney/go-sarif/v3"
	if sarif.NewReport().Version != "2.1.0" {
		t.Fatal("the library is for another version")
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value
	raw, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Trim(text, "`")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", raw); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestJUnit asserts what readers of JUnit's form rely on: well-formed XML, names, a class
// of each test, at most one outcome of it, and counts that are those of the tests.
func TestJUnit(t *testing.T) {
	for name, f := range map[string]view.Findings{"junit": findings(), "junit-clean": {}, "junit-error": {Error: &view.Error{Message: "no token"}}, "hostile": hostileFindings()} {
		var b strings.Builder
		if err := f.WriteJUnit(&b); err != nil {
			t.Fatal(err)
		}
		if name != "hostile" {
			golden(t, name, b.String())
		}
		type counts struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		var report struct {
			XMLName xml.Name `xml:"testsuites"`
			counts
			Suites []struct {
				counts
				Name  string `xml:"name,attr"`
				Cases []struct {
					Name     string     `xml:"name,attr"`
					Class    string     `xml:"classname,attr"`
					Failures []struct{} `xml:"failure"`
					Errors   []struct{} `xml:"error"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		dec := xml.NewDecoder(strings.NewReader(b.String()))
		if err := dec.Decode(&report); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, b.String())
		}
		if _, err := dec.Token(); !errors.Is(err, io.EOF) && err != nil {
			t.Errorf("%s: behind the report: %v", name, err)
		}
		var all counts
		for _, suite := range report.Suites {
			got := counts{Tests: len(suite.Cases)}
			for _, c := range suite.Cases {
				got.Failures += len(c.Failures)
				got.Errors += len(c.Errors)
				if c.Name == "" || c.Class == "" || len(c.Failures)+len(c.Errors) > 1 {
					t.Errorf("%s: %+v", name, c)
				}
			}
			if suite.Name == "" || got != suite.counts || got.Tests == 0 {
				t.Errorf("%s: suite %q counts %+v, has %+v", name, suite.Name, suite.counts, got)
			}
			all = counts{all.Tests + got.Tests, all.Failures + got.Failures, all.Errors + got.Errors}
		}
		if all != report.counts {
			t.Errorf("%s: counts %+v, has %+v", name, report.counts, all)
		}
	}
}

// TestCodeQuality asserts what GitLab requires of each finding.
func TestCodeQuality(t *testing.T) {
	twice := findings()
	twice.Diagnostics = append(twice.Diagnostics, twice.Diagnostics[0])
	for name, f := range map[string]view.Findings{"codequality": twice, "clean": {}, "error": {Error: &view.Error{Message: "no token"}}, "hostile": hostileFindings()} {
		var b strings.Builder
		if err := f.WriteCodeQuality(&b); err != nil {
			t.Fatal(err)
		}
		if name == "codequality" {
			golden(t, name, b.String())
		}
		var list []struct {
			Description string
			CheckName   string `json:"check_name"`
			Fingerprint string
			Severity    string
			Location    struct {
				Path  *string
				Lines struct{ Begin int }
			}
		}
		if err := json.Unmarshal([]byte(b.String()), &list); err != nil || list == nil {
			t.Fatalf("%s: %v\n%s", name, err, b.String())
		}
		seen := map[string]bool{}
		for _, q := range list {
			if seen[q.Fingerprint] {
				t.Errorf("%s: two findings have one fingerprint", name)
			}
			seen[q.Fingerprint] = true
			if q.Description == "" || strings.ContainsAny(q.Description, "\n\r") || q.CheckName == "" || q.Fingerprint == "" || q.Location.Path == nil || strings.HasPrefix(*q.Location.Path, "./") || q.Location.Lines.Begin < 1 {
				t.Errorf("%s: %+v", name, q)
			}
			if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, q.Severity) {
				t.Errorf("%s: severity %q", name, q.Severity)
			}
		}
	}
}

func TestAnnotations(t *testing.T) {
	var b strings.Builder
	if err := view.WriteAnnotations(&b, findings().Diagnostics, func(file string) string { return "root/" + file }); err != nil {
		t.Fatal(err)
	}
	golden(t, "annotations", b.String())
	b.Reset()
	list := hostileFindings().Diagnostics
	if err := view.WriteAnnotations(&b, list, func(file string) string { return file }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), "\n"); got != len(list) {
		t.Errorf("%d lines for %d diagnostics:\n%q", got, len(list), b.String())
	}
}

func TestPlanFindings(t *testing.T) {
	p := guardedPlan()
	p.Changes[0].Source = &plan.Source{File: "a.yaml", Line: 7, Column: 3}
	got := view.PlanFindings(diag.List{diag.Warn(diag.RefUnknown, value.Pos{File: "z.yaml", Line: 1}, "d", "f")}, p)
	var lines []string
	for _, d := range got {
		lines = append(lines, d.Severity+" "+d.Code+" "+value.Pos{File: d.File, Line: d.Line}.String()+" "+d.Detail)
	}
	want := []string{
		"warning REF002 z.yaml:1 d",
		`error blocked  delete portal "prod": it is protected`,
		"error not-planned  api: GET /v3/apis: 500 Internal Server Error",
		`warning plan-warning a.yaml:7 portal "dev": from now on it cannot be deleted`,
		"warning plan-warning  the region is new",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestEventLines(t *testing.T) {
	var b strings.Builder
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := view.NewEventLines(&b, func() time.Time { return at }, "kongctl sync", "v0.1.0")
	c := event.Change{ID: "1:c:api:a", Action: "CREATE", Kind: "api", Ref: "a", Name: "a"}
	for _, e := range []event.Event{
		event.PhaseStarted{Phase: event.Reading},
		event.PhaseFinished{Phase: event.Reading, Count: 2, Took: time.Second},
		event.Read{Objects: 3},
		event.RunStarted{Total: 2},
		event.ChangeStarted{Change: c},
		event.ChangeWaiting{Change: c},
		event.Retrying{Method: "GET", Path: "/v3/apis", Attempt: 2, Wait: time.Second, Reason: "500"},
		event.ChangeFinished{Change: c, ResourceID: "id", Took: time.Millisecond},
		event.ChangeFinished{Change: c, AlreadyDone: true},
		event.ChangeFailed{Change: c, Err: errDiskFull},
		event.ChangeFailed{Change: c, Err: unanswered{errors.New("EOF")}},
		event.ChangeFailed{Change: c, Err: execute.ErrAborted, Took: time.Second},
		event.ChangeSkipped{Change: c, Reason: "why"},
		event.ChangeSkipped{Change: c, NotStarted: true},
		event.Observed{Object: event.Object{Kind: "Pod", Name: "p"}, Status: "InProgress", Message: "soon"},
		event.Settled{Object: event.Object{Kind: "Pod", Name: "p"}},
		event.Stopping{Running: 1},
		event.Waiting{Holder: "process 1", What: "x"},
		event.Warning{Text: "careful\n"},
		event.RunFinished{Applied: 1, Failed: 1, Aborted: 1},
	} {
		l.Handle(e)
	}
	l.Plan(newPlan(plan.ModeSync), view.Place{})
	if err := l.End(view.NewReport(newPlan(plan.ModeSync), &execute.Report{Mode: plan.ModeSync})); err != nil {
		t.Fatal(err)
	}
	golden(t, "events", b.String())
	if err := l.Fail(view.Failure{Error: &view.Error{Message: "again"}}); err != nil || strings.Contains(b.String(), "again") {
		t.Error("a run ends twice")
	}
	if err := view.NewEventLines(brokenWriter{}, func() time.Time { return at }, "", "").Fail(view.Failure{Error: &view.Error{}}); !errors.Is(err, errDiskFull) {
		t.Errorf("error %v", err)
	}
	for line := range strings.Lines(b.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}
