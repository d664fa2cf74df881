package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// back is what the loader makes of an encoded value.
func back(t *testing.T, v value.Value) value.Value {
	t.Helper()
	var b bytes.Buffer
	if _, err := encode(&b, value.MapAt(value.Pos{}, value.Entry{Key: "x", Value: v})); err != nil {
		t.Fatal(err)
	}
	loaded, diags := source.Load(t.Context(), source.Options{Files: []string{"-"}, Stdin: &b, WorkDir: "/"})
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags.Err(), b.String())
	}
	return loaded.Documents[0].Root.Field("x")
}

// The values that are counted when a document is written are those that count when it
// is read.
func TestValuesAreCounted(t *testing.T) {
	v := value.From(value.Pos{}, map[string]any{"a": []any{1, "x", map[string]any{"b": nil, "c": []any{}}}, "d": map[string]any{}})
	secret := value.ExprAt(value.Pos{}, value.Expression{Op: value.OpSecret, Parts: []value.Value{value.ExprAt(value.Pos{}, value.Expression{Op: value.OpEnv, Name: "X"})}})
	v = v.With(value.Entry{Key: "e", Value: secret}).With(value.Entry{Key: "f", Value: value.ExprAt(value.Pos{}, value.Expression{Op: value.OpRef, Name: "r", Field: "id"})})
	var b bytes.Buffer
	n, err := encode(&b, v)
	if err != nil {
		t.Fatal(err)
	}
	for most, fits := range map[int]bool{n: true, n - 1: false, n / 2: false} {
		_, diags := source.Load(t.Context(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(b.String()), WorkDir: "/", Limits: source.Limits{Bytes: b.Len(), Values: most}})
		if diags.HasErrors() == fits {
			t.Errorf("%d values were written, and a limit of %d says %v\n%s", n, most, diags.Err(), b.String())
		}
	}
}

var hardTexts = []string{
	"", " ", "a", "null", "~", "true", "Yes", "no", "on", "1", "1.0", "0x1f", "1e3", "2026-01-01", "=", "<<", ".inf",
	"# not a comment", "a # b", "a: b", "- a", "? a", "&a", "*a", "!ref a", "%a", "@a", "`a`", "{a}", "[a]", "'a'", `"a"`, `\`, "a\tb", "\ta",
	"two\nlines", "two\nlines\n", "two\nlines\n\n\n", "\nbegins empty", "  indented\nless", "ends with blanks  \nx", "windows\r\nlines\r\n", "tab\n\tindented\n",
	"\n", "\n\n", " \n ", "---\nfront: matter\n---\n# x\n", "...\n", "unicode é 漢字 🛫\nx", "line\u2028separator\nx", "next\u0085line\nx", "bom\ufeff\nx",
	"bell\a", "nul\x00", "del\x7f", "a\n#b\n", "key: |\n  x\n", "plain words here", "/path/to", "a,b", "(x)", "very " + strings.Repeat("long ", 100),
}

func TestTextsComeBack(t *testing.T) {
	for _, s := range hardTexts {
		got, ok := back(t, value.StringAt(value.Pos{}, s)).Text()
		if !ok || got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, s := range hardTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		if got, ok := back(t, value.StringAt(value.Pos{}, s)).Text(); !ok || got != s {
			t.Errorf("%q came back as %q", s, got)
		}
		if got := back(t, value.MapAt(value.Pos{}, value.Entry{Key: s, Value: value.BoolAt(value.Pos{}, true)})).Keys(); len(got) != 1 || got[0] != s {
			t.Errorf("the key %q came back as %q", s, got)
		}
	})
}

func TestValuesComeBack(t *testing.T) {
	data := map[string]any{
		"none": nil, "yes": true, "number": value.From(value.Pos{}, 1.5).Plain(nil), "list": []any{}, "map": map[string]any{},
		"deep": []any{map[string]any{"a": []any{"b", nil}}, []any{[]any{"c"}}},
	}
	if diff := cmp.Diff(any(data), back(t, value.From(value.Pos{}, data)).Plain(nil)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestExpressionsComeBack(t *testing.T) {
	env := value.ExprAt(value.Pos{}, value.Expression{Op: value.OpEnv, Name: "A_B"})
	for _, e := range []value.Expression{
		{Op: value.OpRef, Name: "dev.portal", Field: "id"},
		{Op: value.OpSecret, Parts: []value.Value{env}},
	} {
		got := back(t, value.ExprAt(value.Pos{}, e)).Expr()
		if got == nil || got.Op != e.Op || got.Name != e.Name || got.Field != e.Field || len(got.Parts) != len(e.Parts) {
			t.Errorf("%+v came back as %+v", e, got)
			continue
		}
		if len(e.Parts) > 0 && got.Parts[0].Expr().Name != "A_B" {
			t.Errorf("the secret came back as %+v", got.Parts)
		}
	}
}
