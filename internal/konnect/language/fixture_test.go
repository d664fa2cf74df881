package language_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// One catalog serves all tests: nothing changes it.
var loadOnce = sync.OnceValues(catalog.Load)

func load(t testing.TB) *catalog.Catalog {
	t.Helper()
	cat, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// read loads an archive of files; text before the first is konnect.yaml.
func read(t testing.TB, archive string) *source.Result {
	t.Helper()
	dir := t.TempDir()
	a := txtar.Parse([]byte(archive))
	if len(bytes.TrimSpace(a.Comment)) > 0 {
		a.Files = append(a.Files, txtar.File{Name: "konnect.yaml", Data: a.Comment})
	}
	for _, f := range a.Files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	result, diags := source.Load(context.Background(), source.Options{WorkDir: dir, Claims: []source.Claim{gateway.Claim()}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return result
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// build makes a set of an archive that has nothing wrong with it.
func buildSet(t testing.TB, archive string, o language.Options) *resource.Set {
	t.Helper()
	o.Extensions = []resource.Extension{gateway.Extension()}
	set, diags := language.Build(load(t), read(t, archive).Documents, o)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return set
}

// lines renders resources, one to a line: kind ref (of parent, below above) fields.
func lines(set *resource.Set) []string {
	var out []string
	for _, r := range set.Resources {
		line := r.Address()
		if r.Parent != nil {
			line += " of " + r.Parent.Ref
		}
		if r.Above != nil {
			line += " below " + r.Above.Ref
		}
		out = append(out, line+" "+fields(r))
	}
	return out
}

func fields(r *resource.Resource) string {
	plain := r.Fields.Plain(func(_ value.Path, e *value.Expression) any { return tag(e) })
	raw, err := json.Marshal(plain)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func tag(e *value.Expression) string {
	s := fmt.Sprintf("!%s %s", e.Op, e.Name)
	if e.Field != "" {
		s += "#" + e.Field
	}
	for _, part := range e.Parts {
		if inner := part.Expr(); inner != nil {
			s += "{" + tag(inner) + "}"
		}
	}
	return s
}

// sorted lines do not depend on the order written.
func sorted(set *resource.Set) []string {
	out := lines(set)
	slices.Sort(out)
	return out
}

func find(t testing.TB, set *resource.Set, ref string) *resource.Resource {
	t.Helper()
	i := slices.IndexFunc(set.Resources, func(r *resource.Resource) bool { return r.Ref == ref })
	if i < 0 {
		t.Fatalf("no resource %s in\n%s", ref, strings.Join(lines(set), "\n"))
	}
	return set.Resources[i]
}
