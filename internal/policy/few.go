package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
)

// most is how many diagnostics of one rule people read.
const most = 10

// Few leaves out all but the first diagnostics of each rule, for people; the last of
// them counts the others. What is of no rule stays.
func Few(list diag.List) diag.List {
	all := map[string]int{}
	for _, d := range list {
		all[ruleOf(d)]++
	}
	seen := map[string]int{}
	out := make(diag.List, 0, min(len(list), most))
	for _, d := range list {
		rule := ruleOf(d)
		seen[rule]++
		switch more := all[rule] - most; {
		case rule == "" || seen[rule] < most || more <= 0:
			out = append(out, d)
		case seen[rule] == most:
			d.Detail += fmt.Sprintf("\nRule %s: %d more changes, which -o json and -o sarif list.", rule, more)
			out = append(out, d)
		}
	}
	return out
}

// ruleOf is the name of the rule that a diagnostic is about, in quotes; "" for none.
func ruleOf(d diag.Diagnostic) string {
	text, ok := strings.CutPrefix(d.Detail, "Rule ")
	if !ok || d.Code != diag.PolicyRefused && d.Code != diag.PolicyUnanswered {
		return ""
	}
	name, err := strconv.QuotedPrefix(text)
	if err != nil {
		return ""
	}
	return name
}
