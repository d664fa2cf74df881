package value_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func TestPathText(t *testing.T) {
	for _, row := range []struct {
		name string
		path value.Path
		want string
	}{
		{"nothing", nil, ""},
		{"one key", value.Path{"name"}, "name"},
		{"keys are joined by dots", value.Path{"ssl", "skip_ca_check"}, "ssl.skip_ca_check"},
		{"a place in a list", value.Path{"auth_strategy_ids"}.Index(0), "auth_strategy_ids[0]"},
		{"a key below a place", value.Path{"proxy_urls"}.Index(12).Child("host"), "proxy_urls[12].host"},
		{"a list in a list", value.Path{}.Index(0).Index(1), "[0][1]"},
		{"a dot in a key", value.Path{"labels", "a.b"}, `labels["a.b"]`},
		{"a bracket in a key", value.Path{"labels", "a[0]"}, `labels["a[0]"]`},
		{"a quote in a key", value.Path{`say "hi"`, "x"}, `["say \"hi\""].x`},
		{"an empty key", value.Path{"", "x"}, `[""].x`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.path.String(); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			if got := value.ParsePath(row.want); !slices.Equal(got, row.path) {
				t.Errorf("read back as %q, want %q", got, row.path)
			}
		})
	}
}

// FuzzPath makes a path of the lines of a text and asks for the same path back;
// and reads the text itself as a path, which must have one meaning.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"", "name", "ssl\nskip_ca_check", "labels\na.b", "list\n[0]\nhost", "[x\n]", "a..b", `["a`, `["a"x`, "[]", "[01]\n[-1]\n[+2]", "\xff\n\"", "\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := value.Path(strings.Split(text, "\n"))
		if got := value.ParsePath(p.String()); !slices.Equal(got, p) {
			t.Errorf("%q is written %s and read as %q", p, p, got)
		}
		q := value.ParsePath(text)
		if got := value.ParsePath(q.String()); !slices.Equal(got, q) {
			t.Errorf("%s is read as %q, written %s and read as %q", text, q, q, got)
		}
	})
}

func TestPathsDoNotShareMemory(t *testing.T) {
	base := append(make(value.Path, 0, 8), "a")
	first, second := base.Child("b"), base.Child("c")
	third := base.Index(0)
	if diff := cmp.Diff([]string{"a.b", "a.c", "a[0]"}, []string{first.String(), second.String(), third.String()}); diff != "" {
		t.Error(diff)
	}
}

func TestHasPrefix(t *testing.T) {
	p := value.ParsePath("ssl.certs[0].key")
	for _, row := range []struct {
		of   string
		want bool
	}{
		{"", true},
		{"ssl", true},
		{"ssl.certs[0]", true},
		{"ssl.certs[0].key", true},
		{"ssl.certs[0].key.x", false},
		{"ssl.certs[1]", false},
		{"ss", false},
	} {
		if got := p.HasPrefix(value.ParsePath(row.of)); got != row.want {
			t.Errorf("%s begins with %q: got %v", p, row.of, got)
		}
	}
}

func TestGenericDropsPlaces(t *testing.T) {
	if got := value.ParsePath(`a[0].b[12]["c.d"]`).Generic(); !slices.Equal(got, value.Path{"a", "b", "c.d"}) {
		t.Errorf("got %q", got)
	}
}

func TestWholeEndsBeforeTheFirstList(t *testing.T) {
	for from, want := range map[string]string{"a.b": "a.b", "a[0].b": "a", "a.b[1][2].c": "a.b", "[0]": ""} {
		if got := value.ParsePath(from).Whole().String(); got != want {
			t.Errorf("%s: got %q, want %q", from, got, want)
		}
	}
}

func TestPathFits(t *testing.T) {
	for _, row := range []struct {
		path, pattern string
		want          bool
	}{
		{"config.auth.headers[3].value", "config.auth.headers[].value", true},
		{"config.auth.headers[3].value", "config.auth.headers[3].value", true},
		{"config.auth.headers[3].value", "config.auth.headers[0].value", false},
		{"config.auth.headers[3].value", "config.auth.headers.value", false},
		{"config.auth.headers[3].value", "config.auth.headers[]", false},
		{"a[0].b[1].c", "a[].b[].c", true},
		{"a[0].b[1].c", "a[].b[0].c", false},
		{"a.b", "a[]", false},
	} {
		if got := value.ParsePath(row.path).Fits(value.ParsePath(row.pattern)); got != row.want {
			t.Errorf("%s fits %s: %v, want %v", row.path, row.pattern, got, row.want)
		}
	}
}
