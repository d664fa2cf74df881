package function

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// With a word in this variable the test binary is a function.
const role = "FUNCTION_TEST_ROLE"

func TestMain(m *testing.M) {
	if word := os.Getenv(role); word != "" {
		os.Exit(be(word)) //nolint:forbidigo // it stands for main
	}
	os.Exit(m.Run()) //nolint:forbidigo // it is the end of the tests
}

// be is a function that edits the text of the list.
func be(word string) int {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 9
	}
	verb, rest, _ := strings.Cut(word, ":")
	from, to, _ := strings.Cut(rest, "=>")
	switch verb {
	case "hang":
		time.Sleep(time.Hour)
	case "replace":
		input = []byte(strings.ReplaceAll(string(input), from, to))
	case "strip":
		lines := slices.DeleteFunc(strings.Split(string(input), "\n"), func(line string) bool {
			return strings.Contains(line, "annotations:") || strings.Contains(line, "config.kubernetes.io/") && !strings.HasPrefix(line, "apiVersion:")
		})
		input = []byte(strings.Replace(strings.Join(lines, "\n"), "name: b", "name: b\n    labels: {x: y}", 1))
	}
	if _, err := os.Stdout.Write(input); err != nil {
		return 9
	}
	return 0
}

func runner(t *testing.T, word string) (*Runner, Function) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Runner{Dir: t.TempDir(), Env: append(os.Environ(), role+"="+word), Stderr: io.Discard}, Function{Exec: "'" + self + "'"}
}

// folder writes files, and returns the folder with them.
func folder(t *testing.T, files map[string]string) Folder {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Folder{Path: dir, Shown: "pkg"}
}

// content reads all files of a folder.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	configA = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	configB = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n"
)

// A function that drops all annotations of ours changes no place.
func TestAFunctionThatDropsAnnotations(t *testing.T) {
	dir := folder(t, map[string]string{"x/one.yaml": configA + "---\n" + configB})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, f := runner(t, "strip")
	o := p.Eval(t.Context(), r, f)
	if o.Err != nil || o.Changed != 1 || o.Added != 0 || o.Removed != 0 {
		t.Fatalf("%+v", o)
	}
	if w, err := p.WriteBack(); err != nil || w != (Written{Files: 1}) {
		t.Fatal(w, err)
	}
	got := content(t, dir.Path)
	if diff := cmp.Diff(map[string]string{"x/one.yaml": configA + "---\n" + configB + "  labels: {x: y}\n"}, got); diff != "" {
		t.Error(diff)
	}
}

// A copy that kept the annotations of the original stands behind the others.
func TestAFunctionThatCopiesAnObject(t *testing.T) {
	dir := folder(t, map[string]string{"one.yaml": configA + "---\n" + configB})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	item := "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: "
	r, f := runner(t, "replace:items:\n"+item+"a=>items:\n"+item+"copy\n    annotations:\n      internal.config.kubernetes.io/path: one.yaml\n      internal.config.kubernetes.io/index: '1'\n"+item+"a")
	if o := p.Eval(t.Context(), r, f); o.Err != nil || o.Added != 1 || o.Changed != 0 {
		t.Fatalf("%+v", o)
	}
	if _, err := p.WriteBack(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"one.yaml": configA + "---\n" + configB + "---\n" + strings.ReplaceAll(configA, "name: a", "name: copy")}
	if diff := cmp.Diff(want, content(t, dir.Path)); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatChangeMeanwhile(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": configA, "b.yaml": configB})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, f := runner(t, "replace:name: =>name: new-")
	if o := p.Eval(t.Context(), r, f); o.Err != nil {
		t.Fatal(o.Err)
	}
	edited := configB + "# by hand\n"
	if err := os.WriteFile(filepath.Join(dir.Path, "b.yaml"), []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = p.WriteBack()
	if err == nil || !strings.Contains(err.Error(), filepath.Join("pkg", "b.yaml")+": it was changed while functions ran") {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": configA, "b.yaml": edited}, content(t, dir.Path)); diff != "" {
		t.Error(diff)
	}
}

func TestAnInterruptedFunction(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": configA})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, f := runner(t, "hang")
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	time.AfterFunc(100*time.Millisecond, func() { cancel(reason) })
	if o := p.Eval(ctx, r, f); !errors.Is(o.Err, reason) {
		t.Error(o.Err)
	}
}

// Aliases and merge keys survive where nothing changes, and mean the same where
// something does.
func TestAliases(t *testing.T) {
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: &l {app: x}\nspec:\n  selector: *l\n  more:\n    <<: *l\n    y: z\n"
	dir := folder(t, map[string]string{"a.yaml": text})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, f := runner(t, "none")
	if o := p.Eval(t.Context(), r, f); o.Err != nil || o.Changed != 0 {
		t.Fatalf("%+v", o)
	}
	r, f = runner(t, "replace:name: a=>name: b")
	if o := p.Eval(t.Context(), r, f); o.Err != nil || o.Changed != 1 {
		t.Fatalf("%+v", o)
	}
	if _, err := p.WriteBack(); err != nil {
		t.Fatal(err)
	}
	want := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels: {app: x}\nspec:\n  selector: {app: x}\n  more:\n    y: z\n    app: x\n"
	if diff := cmp.Diff(want, content(t, dir.Path)["a.yaml"]); diff != "" {
		t.Error(diff)
	}
}

// A list on standard output can be read back as the same list.
func TestListsAreRepeatable(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": configA, "b/c.yaml": "# c\n" + configB + "spec:\n    - 'x'\n"})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := p.WriteList(&first); err != nil {
		t.Fatal(err)
	}
	p, err = Read(bytes.NewReader(first.Bytes()), "input")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteList(&second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Error(diff)
	}
}
