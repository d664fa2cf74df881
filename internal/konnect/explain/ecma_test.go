package explain_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// patterns are all those of a schema, and the keys of patternProperties.
func patterns(v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if p, ok := v["pattern"].(string); ok {
			found[p] = true
		}
		if keys, ok := v["patternProperties"].(map[string]any); ok {
			for p := range keys {
				found[p] = true
			}
		}
		for _, inner := range v {
			patterns(inner, found)
		}
	case []any:
		for _, inner := range v {
			patterns(inner, found)
		}
	}
}

var (
	classInUnicode = regexp.MustCompile(`^\[\^?(?:[^\]\\]|\\[\^$\\.*+?()\[\]{}|/\-dDsSwWbtnvfr])*\]`)
	atomInUnicode  = regexp.MustCompile(`^(?:[^\\\[\](){}*+?|]|\\[\^$\\.*+?()\[\]{}|/dDsSwWbBtnvfr])`)
	restInUnicode  = regexp.MustCompile(`^(?:\((?:\?(?:[:=!]|<[=!]))?|\)|\||[*+?]\??|\{[0-9]+(?:,[0-9]*)?\}\??)`)
	// A class escape is no end of a range there.
	rangeOfClass = regexp.MustCompile(`\\[dDsSwW]-[^\]]|[^\[^]-\\[dDsSwW]`)
)

// unicodeProblem is what ECMA-262 refuses of a pattern with the flag u; "" for nothing.
func unicodeProblem(pattern string) string {
	rest := pattern
	for rest != "" {
		n := 0
		for _, part := range []*regexp.Regexp{classInUnicode, atomInUnicode, restInUnicode} {
			if at := part.FindString(rest); at != "" {
				n = len(at)
				break
			}
		}
		class := classInUnicode.FindString(rest)
		if n == 0 || rest[:n] == "(" && strings.HasPrefix(rest[n:], "?") || rangeOfClass.MatchString(class) || strings.Contains(class, "[:") {
			return rest
		}
		rest = rest[n:]
	}
	return ""
}

// Every pattern of the schemas is valid under ECMA-262 with the flag u: what compiles
// them in editors asks for that.
func TestPatternsAreECMA(t *testing.T) {
	for pattern, fine := range map[string]bool{
		`^-?[0-9]+(\.[0-9]+)?$`: true, `[\w \W-]+`: true, `a{1,3}?(?:b|[^\]])`: true, `[a\-z]`: true,
		`^\-?`: false, `(?i)a`: false, `\Aa\z`: false, `[[:alpha:]]`: false, `a{`: false, `a]`: false, `[\w-.]`: false, `(?P<n>a)`: false, `\_`: false, `[\_]`: false,
	} {
		if problem := unicodeProblem(pattern); (problem == "") != fine {
			t.Errorf("%s: %q is the problem", pattern, problem)
		}
	}
	x, cat := explainer(t)
	found := map[string]bool{}
	schemas := []any{x.Language()}
	for _, b := range cat.All() {
		f, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, x.Schema(f))
	}
	for _, s := range schemas {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(raw, &plain); err != nil {
			t.Fatal(err)
		}
		patterns(plain, found)
	}
	if len(found) < 20 {
		t.Errorf("only %d patterns", len(found))
	}
	for p := range found {
		if problem := unicodeProblem(p); problem != "" {
			t.Errorf("%s is refused at %q", p, problem)
		}
		if _, err := regexp.Compile(p); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}
