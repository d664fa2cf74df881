package diag_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
)

func TestWords(t *testing.T) {
	for _, tc := range []struct{ name, got, want string }{
		{"a consonant", diag.A("portal"), "a portal"},
		{"a vowel", diag.A("API version"), "an API version"},
		{"an acronym with a vowel", diag.A("AI gateway"), "an AI gateway"},
		{"an acronym that is spoken with a vowel", diag.A("MCP server"), "an MCP server"},
		{"an acronym that is not", diag.A("DCR provider"), "a DCR provider"},
		{"an acronym with a small letter", diag.A("mTLS credential"), "an mTLS credential"},
		{"a vowel that does not sound like one", diag.A("user"), "a user"},
		{"a vowel that sounds like one", diag.A("upstream"), "an upstream"},
		{"a plural", diag.A("portal auth settings"), "portal auth settings"},
		{"nothing", diag.A(""), "a "},
		{"a sentence", diag.Sentence(diag.A("API")), "An API"},
		{"no sentence", diag.Sentence(""), ""},
		{"one", diag.Count(1, "policy"), "1 policy"},
		{"two", diag.Count(2, "portal"), "2 portals"},
		{"two that end in y", diag.Count(2, "event gateway virtual cluster consume policy"), "2 event gateway virtual cluster consume policies"},
		{"two that end in a vowel and y", diag.Count(2, "key"), "2 keys"},
		{"two of a plural", diag.Count(2, "portal auth settings"), "2 portal auth settings"},
		{"no word", diag.Join(nil, "and"), ""},
		{"one word", diag.Join([]string{"a"}, "and"), "a"},
		{"two words", diag.Join([]string{"a", "b"}, "or"), "a or b"},
		{"three words", diag.Join([]string{"a", "b", "c"}, "and"), "a, b and c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.got != tc.want {
				t.Errorf("%q, want %q", tc.got, tc.want)
			}
		})
	}
}
