package function

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for command, want := range map[string][]string{
		`fn`:                   {"fn"},
		`  fn  a	b `:           {"fn", "a", "b"},
		`fn 'a b' "c d"`:       {"fn", "a b", "c d"},
		`fn a\ b`:              {"fn", "a b"},
		`fn "say \"x\" \n \\"`: {"fn", `say "x" \n \`},
		`fn 'as \ is' ""`:      {"fn", `as \ is`, ""},
		`fn --x="a b"c`:        {"fn", "--x=a bc"},
		`fn $HOME ~ *`:         {"fn", "$HOME", "~", "*"},
		`fn 'open`:             nil,
		`fn end\`:              nil,
		``:                     nil,
		`''`:                   nil,
	} {
		got, err := words(command)
		if (err != nil) != (want == nil) {
			t.Errorf("%s: %v", command, err)
		}
		if diff := cmp.Diff(want, got); diff != "" && want != nil {
			t.Errorf("%s: %s", command, diff)
		}
	}
}

func TestTail(t *testing.T) {
	w := &tail{limit: 5}
	for _, s := range []string{"ab", "cde", "f", "0123456789"} {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := string(w.data); got != "56789" {
		t.Error(got)
	}
}

func TestReconcile(t *testing.T) {
	for name, c := range map[string]struct {
		sent, current, old, want string
		refused                  bool
	}{
		"both as sent":            {sent: "a", current: "a", old: "a", want: "a"},
		"both dropped":            {sent: "a", want: "a"},
		"an old function moves":   {sent: "a", current: "a", old: "b", want: "b"},
		"a new function moves":    {sent: "a", current: "b", old: "a", want: "b"},
		"the old one is dropped":  {sent: "a", current: "b", want: "b"},
		"both move alike":         {sent: "a", current: "b", old: "b", want: "b"},
		"a new object":            {old: "b", want: "b"},
		"a new object without":    {want: ""},
		"they disagree":           {sent: "a", current: "b", old: "c", refused: true},
		"they disagree, new":      {current: "b", old: "c", refused: true},
		"only the old one stands": {sent: "a", old: "a", want: "a"},
	} {
		got, ok := reconcile(c.sent, c.current, c.old)
		if got != c.want || ok == c.refused {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}

func TestLocalPath(t *testing.T) {
	for name, want := range map[string]string{
		"a.yaml": "sub/a.yaml", "b/../a.yml": "sub/a.yml", "./a.YAML": "sub/a.YAML", "Kptfile": "sub/Kptfile", ".a.yaml": "sub/.a.yaml", "..a/b.yaml": "",
		"../a.yaml": "", "a/../../a.yaml": "", "/a.yaml": "", "": "", ".": "", "a": "", "a.json": "", ".git/a.yaml": "", "a.yaml/..": "", "b/Kptfile.sh": "",
	} {
		got, err := localPath("sub", name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func TestDefaultPath(t *testing.T) {
	for text, want := range map[string]string{
		"{kind: Service, metadata: {name: web, namespace: prod}}": "prod/service_web.yaml",
		"{kind: ClusterRole, metadata: {name: 'system:x/../y'}}":  "clusterrole_system_x_.._y.yaml",
		"{kind: Kustomization}":                                   "kustomization.yaml",
		"{kind: X, metadata: {name: n, namespace: ../..}}":        "_../x_n.yaml",
	} {
		got := defaultPath(node(t, text))
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
		if _, err := localPath("", got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}
