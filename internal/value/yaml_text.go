package value

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

var plainYAML = pattern.New(`^[A-Za-z/][A-Za-z0-9 ._/@()+-]*$`)

// ambiguous are texts that YAML takes for something else.
func ambiguous() []string {
	return []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
}

// YAMLText is a text as YAML has it on one line: in quotes where it needs them.
func YAMLText(s string) string {
	if plainYAML.MatchString(s) && !strings.HasSuffix(s, " ") && !slices.Contains(ambiguous(), strings.ToLower(s)) {
		return s
	}
	raw, _ := json.Marshal(s) // a text
	return string(raw)
}
