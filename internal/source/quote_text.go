package source

import (
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

var (
	keyed     = pattern.New(`^(\s*(?:-\s+)*)("?[\w./-]+"?)(\s*:)(?:\s+(.*))?$`)
	blockText = pattern.New(`[|>][+-]?[0-9]*[+-]?\s*$`)
	inline    = pattern.New(`[{}&*:]`) // other keys may stand there
)

// unparsed quotes a line of a file that YAML cannot read, by its indentation. It is
// "" where nothing of the line can be judged.
func (q *quoter) unparsed(f *quoted, number int) string {
	text := f.lines[number-1]
	may := q.rule(nil)
	if strings.Contains(strings.Join(f.lines, "\n"), "\napiVersion:") || strings.HasPrefix(f.lines[0], "apiVersion:") {
		may = func([]string) verdict { return verdict{} }
	}
	m := keyed.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	path, ok := f.above(number, len(m[1]))
	if !ok {
		return ""
	}
	out := m[1] + m[2] + m[3]
	if templateOnly.MatchString(strings.Trim(m[4], `"' `)) {
		return out + " " + m[4]
	}
	if may(path).hide {
		return ""
	}
	if m[4] == "" {
		return out
	}
	if !may(append(path, strings.Trim(m[2], `"`))).show || inline.MatchString(m[4]) {
		return out + " " + notShown
	}
	return withoutCredentials(out + " " + comment.ReplaceAllString(m[4], ""))
}

// word is the end of what begins at a place: a text in quotes, or a word.
func word(line string, start int) int {
	runes := []rune(line)
	end := start + 1
	if start >= len(runes) {
		return end
	}
	if quote := runes[start]; quote == '"' || quote == '\'' {
		for end < len(runes) && runes[end] != quote {
			end++
		}
		return end + 1
	}
	for end < len(runes) && !strings.ContainsRune(" \t,:{}[]", runes[end]) && !strings.ContainsRune(" \t", runes[start]) {
		end++
	}
	return end
}

// above are the keys that a line stands below; false within a text of several
// lines.
func (f *quoted) above(number, indent int) (path []string, ok bool) {
	for i := number - 2; i >= 0 && indent > 0; i-- {
		m := keyed.FindStringSubmatch(f.lines[i])
		if m == nil || len(m[1]) >= indent {
			continue
		}
		if blockText.MatchString(m[4]) || strings.HasPrefix(m[4], `"`) && strings.Count(m[4], `"`) < 2 {
			return nil, false
		}
		indent = len(m[1])
		path = append([]string{strings.Trim(m[2], `"`)}, path...)
	}
	return path, true
}
