package routing_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/routing"
)

func TestCheck(t *testing.T) {
	for _, text := range []string{
		`http.path == "/"`, `http.path ^= "/a" && http.method == "GET"`, `(http.path ~ "^/(a)") || net.dst.port == 80`,
		`!(http.host =^ ".example.com" || tls.sni contains "x")`, `lower(http.path) == "/a"`, `any(lower(http.headers.x_id)) != "1"`,
		`net.src.ip in 10.0.0.0/8`, `net.src.ip not in fd00::/8`, `net.dst.ip == 192.168.0.1`, `net.src.ip == fd00::1`, "net.port >= 0x50\n&& net.port < 0777",
		`http.path ~ r#"^/\d+"x"#`, `http.queries.q == "a\"b\\c"`, `http.path.segments.0_2 == "a/b"`, `http.path.segments.len > -1`, `((http.host=="a"))`,
		`some.new.field == 7`, `http.path ~ "^/(?<id>[0-9]+"`, `http.path ~ "^/[[a](b]"`, `http.path ~ "\\(a\\n"`, `http.path ~ "a**{2}\\\\x"`, `http.path ^= "/(a"`, `http.host == "é" && http.path == "/"`,
	} {
		if err := routing.Check(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		`http.path = "/"`:                        `column 11: expected an operator such as ==, ^= or ~, got "="`,
		`http.path == "/`:                        `column 14: the text has no end`,
		`http.path ~ r#"/"`:                      `column 13: the text has no end`,
		`(http.path == "/"`:                      `column 18: expected ), && or ||, got the end`,
		`http.path == "/")`:                      `column 17: expected &&, || or the end, got ")"`,
		`http.path == "/" and x == 1`:            `column 18: expected &&, || or the end, got "and"`,
		`http.path == '/'`:                       `column 14: expected a text in double quotes, a number or an address, got something else`,
		`http.path == /`:                         `column 14: expected a text in double quotes, a number or an address, got something else`,
		`http.host == "é" && http.path "/"`:      `column 31: expected an operator such as ==, ^= or ~, got "\""`,
		`"/" == http.path`:                       `column 1: expected a field such as http.path, got "\""`,
		`http.headers.x-id == "1"`:               `column 15: names of fields have no -`,
		`!http.path == "/"`:                      `column 2: expected ( after !, got something else`,
		`lower(http.path == "/"`:                 `column 17: expected ), got "=="`,
		`http.path == "/" && http.path ~ "^/(a"`: `column 33: the regular expression is wrong: missing closing )`,
		`http.path ~ r#"[a"#`:                    `column 13: the regular expression is wrong: missing closing ]`,
		`http.path ~ "*a"`:                       `column 13: the regular expression is wrong: missing argument to repetition operator`,
		`http.path ~ "a\\"`:                      `column 13: the regular expression is wrong: trailing backslash at end of expression`,
		`http.path == "\d"`:                      `column 15: unknown escape "\\d"`,
		`net.src.ip not 10.0.0.0/8`:              `column 16: expected in after not, got something else`,
		`http.path in "a"`:                       `column 1: in needs a field with an IP address and a network such as 10.0.0.0/8`,
		`net.src.ip in 10.0.0.1`:                 `column 1: in needs a field with an IP address and a network such as 10.0.0.0/8`,
		`net.src.port ^= "8"`:                    `column 1: ^= compares texts`,
		`http.path > 1`:                          `column 1: > compares numbers`,
		`net.dst.port == "80"`:                   `column 1: net.dst.port is a number, and it is compared with a text`,
		`http.path == "/" &&`:                    `column 20: expected a field such as http.path, got the end`,
		`true`:                                   `column 5: expected an operator such as ==, ^= or ~, got the end`,
		``:                                       `column 1: expected a field such as http.path, got the end`,
	} {
		err := routing.Check(text)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Deep input ends with an error.
func TestDeep(t *testing.T) {
	for _, text := range []string{strings.Repeat("(", 1e6), strings.Repeat("!(", 1e6), strings.Repeat("a(", 1e6)} {
		if routing.Check(text) == nil {
			t.Errorf("%.10s… is accepted", text)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(`!(lower(http.path) ~ r#"x"# || net.src.ip not in 10.0.0.0/8) && a.b == "\n"`)
	f.Fuzz(func(t *testing.T, text string) {
		err := routing.Check(text)
		if err != nil && (err.Column < 1 || err.Column > len([]rune(text))+1 || err.Reason == "") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
