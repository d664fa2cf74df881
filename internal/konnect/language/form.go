package language

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// typeFix shows a value of the type that the contract asks for.
func typeFix(p value.Path, s *contract.Schema, v value.Value) string {
	key := p[len(p)-1]
	text, isText := v.Text()
	if e := v.Expr(); e != nil && e.Op == value.OpRef {
		text, isText = e.Name, true
	}
	switch s.Type {
	case "string":
		if v.Kind() == value.Number || v.Kind() == value.Bool {
			if !mayQuote(p, s) {
				return "write it in quotes."
			}
			return fmt.Sprintf("write it in quotes: %s: %q", key, v.Written())
		}
		return "write a text."
	case "boolean":
		for word, means := range map[string]bool{"true": true, "yes": true, "on": true, "false": false, "no": false, "off": false} {
			if strings.EqualFold(text, word) {
				return fmt.Sprintf("write %s: %v, without quotes.", key, means)
			}
		}
		return "write true or false."
	case "integer", "number":
		if numeric.MatchString(text) {
			if !mayQuote(p, s) {
				return "write it without quotes."
			}
			return fmt.Sprintf("write it without quotes: %s: %s", key, text)
		}
		return "write a number."
	case "array":
		if isText && plainItem.MatchString(text) && mayQuote(p, s) {
			return fmt.Sprintf("write a list: %s: [%s]", key, text)
		}
		return "write a list: begin each item with a dash."
	case "object":
		return fmt.Sprintf("write a mapping: %s: {key: value}", key)
	default:
		return "write a value of that type."
	}
}

// mayQuote reports whether a fix may repeat the value at a path: no name on the way
// to it is that of a secret. The quoted line hides the others, too.
func mayQuote(p value.Path, s *contract.Schema) bool {
	return !s.Secret && !slices.ContainsFunc(p, value.NamesSecret)
}

var (
	numeric   = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	plainItem = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9._/-]{0,62}$`)
)

// formatFix shows a value of a format.
func formatFix(p value.Path, s *contract.Schema) string {
	examples := map[string]string{
		"uuid":          "5f9fd312-a987-4628-b4c5-bb4f4fddd5f7",
		"date-time":     "2025-01-24T10:30:00Z",
		"date":          "2025-01-24",
		"uri":           "https://www.example.com/path",
		"url":           "https://www.example.com/path",
		"uri-reference": "/path",
		"hostname":      "www.example.com",
		"email":         "someone@example.com",
		"ipv4":          "192.0.2.1",
	}
	if example := examples[s.Format]; example != "" {
		return fmt.Sprintf("write for example %s: %s", p[len(p)-1], example)
	}
	return "write a value of that format."
}

// pattern puts a pattern into words and shows a value that fits it.
func (c checker) pattern(p value.Path, detail string) (says, fix string) {
	s := c.schema(p)
	if s == nil {
		return detail + ".", "correct it."
	}
	says, fix = detail+".", "write a value of that form."
	if s.Pattern == colorPattern {
		return "must be a color of 3 or 6 hexadecimal digits.", fmt.Sprintf("write for example %s: \"#003399\", in quotes.", p[len(p)-1])
	}
	if letters := lettersOf(s.Pattern); letters != "" {
		says, fix = fmt.Sprintf("may hold %s only.", letters), "write it with these alone."
	}
	text, _ := c.r.Fields.Lookup(p).Text()
	wanted := s.Pattern
	if _, of, ok := strings.Cut(detail, "must match "); ok {
		wanted = of // that of the form which comes closest, where there are several
	}
	form, err := regexp.Compile(wanted)
	if err != nil || wanted == "" || !mayQuote(p, s) || len(text) > maxRef {
		return says, fix
	}
	for _, example := range []string{slug(text), strings.ToLower(slug(text)), strings.ReplaceAll(strings.ToLower(slug(text)), "_", "-"), "8080"} {
		if example == "8080" && lettersOf(wanted) != "" {
			break // the letters say more
		}
		if example != "" && example != text && form.MatchString(example) {
			return says, "write for example " + written(p, example)
		}
	}
	return says, fix
}

// written is a text at a path the way that people write it.
func written(p value.Path, text string) string {
	if numeric.MatchString(text) {
		text = fmt.Sprintf("%q", text)
	}
	key, list := p[len(p)-1], len(p) > 1 && len(p.Generic()) < len(p)
	if list && strings.HasPrefix(key, "[") {
		return fmt.Sprintf("%s: [%s]", p[len(p)-2], text)
	}
	return fmt.Sprintf("%s: %s", key, text)
}

const colorPattern = `^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$`

var class = regexp.MustCompile(`^\^\[([^\]^][^\]]*)\][+*]\$$`)

// lettersOf puts a pattern into words that only says which letters a text may
// have; "" for any other.
func lettersOf(pattern string) string {
	m := class.FindStringSubmatch(pattern)
	if m == nil {
		return ""
	}
	rest := m[1]
	var words []string
	for _, part := range []struct{ sign, word string }{
		{`\w`, "letters, digits, underscores"},
		{"a-zA-Z", "letters"},
		{"a-z", "small letters"},
		{"A-Z", "capital letters"},
		{"0-9", "digits"},
		{".", "dots"},
		{"_", "underscores"},
		{" ", "spaces"},
		{"-", "dashes"},
	} {
		if strings.Contains(rest, part.sign) {
			rest = strings.Replace(rest, part.sign, "", 1)
			words = append(words, part.word)
		}
	}
	if rest != "" {
		return ""
	}
	return diag.Join(words, "and")
}
