package pattern_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/pattern"
)

func TestPattern(t *testing.T) {
	p := pattern.New(`(b+)c`)
	if p.String() != `(b+)c` || !p.MatchString("abbc") || p.MatchString("ab") || p.FindStringSubmatch("abbcd")[1] != "bb" {
		t.Errorf("%s does not find what regexp finds", p)
	}
	if got := p.ReplaceAllString("abbcd", "<$1>"); got != "a<bb>d" {
		t.Errorf("replaced: %s", got)
	}
}

// What is no expression is found out when it is used, not before.
func TestWrongPattern(t *testing.T) {
	p := pattern.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was used")
		}
	}()
	p.MatchString("")
}
