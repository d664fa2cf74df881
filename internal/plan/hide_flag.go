package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// flagsKey is the key of the flags that a tool runs with.
const flagsKey = "flags"

// shownFlags are the flags of a tool that the plans of kongctl carry, and whether they
// take a value. The values of all others may be credentials.
var shownFlags = map[string]bool{"select-tag": true, "parallelism": true, "skip-consumers": false, "analytics": false}

// hiddenFlags returns the flags of a tool without the values that may be credentials.
// Flags come as a list or as one line.
func hiddenFlags(v any, hidden string) any {
	switch x := v.(type) {
	case []any:
		written := make([]string, len(x))
		for i, item := range x {
			text, isText := item.(string)
			if !isText {
				return byName(x, hidden, true)
			}
			written[i] = text
		}
		if !slices.ContainsFunc(written, isFlag) {
			return byName(x, hidden, false) // flags of something else
		}
		out := make([]any, len(x))
		for i, text := range hiddenFlagList(written, hidden) {
			out[i] = text
		}
		return out
	case string:
		words := strings.Fields(x)
		if !slices.ContainsFunc(words, isFlag) {
			return byName(x, hidden, false)
		}
		return strings.Join(hiddenFlagList(words, hidden), " ")
	default:
		return byName(v, hidden, false)
	}
}

func isFlag(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "-") }

// hiddenFlagList hides the values of flags: --flag=value, "--flag value", and a value
// that stands by itself.
func hiddenFlagList(list []string, hidden string) []string {
	out := make([]string, len(list))
	takes := false // the flag before takes a value that may be shown
	for i, written := range list {
		text := strings.TrimSpace(written)
		if !isFlag(text) {
			out[i] = hidden
			if text == "" || takes && isWord(text) {
				out[i] = value.HidePassword(text, hidden)
			}
			takes = false
			continue
		}
		end := strings.IndexAny(text, "= \t")
		if end < 0 {
			end = len(text)
			if !strings.HasPrefix(text, "--") { // -sVALUE
				end = min(end, 2)
			}
		}
		takes = shownFlags[strings.TrimLeft(text[:end], "-")]
		switch {
		case end == len(text) || text == "--analytics=false":
			out[i] = text
		case text[end] != '=' && text[end] != ' ' && text[end] != '\t':
			out[i] = text[:end] + hidden
		case takes && isWord(text[end+1:]):
			out[i], takes = value.HidePassword(text, hidden), false
		default:
			out[i], takes = text[:end+1]+hidden, false
		}
	}
	return out
}

// isWord reports whether a value of a flag has no other flag in it.
func isWord(text string) bool { return !strings.ContainsAny(text, " \t\r\n") && !isFlag(text) }

// withFlags hides also what a tool's flags may hold.
func (h Hide) withFlags(kind string, fields map[string]any) map[string]any {
	out := h(kind, fields)
	if Tool(kind) == "" || out[flagsKey] == nil {
		return out
	}
	out = maps.Clone(out)
	out[flagsKey] = hiddenFlags(out[flagsKey], Secret)
	return out
}

// hideFlags hides what the flags of the runs of tools may hold, and reports whether
// there was something.
func (s *Summary) hideFlags() bool {
	found := false
	for _, runs := range s.ByExternalTools {
		for i := range runs {
			if out := hiddenFlagList(runs[i].Flags, Secret); !slices.Equal(out, runs[i].Flags) {
				runs[i].Flags, found = out, true
			}
		}
	}
	return found
}
