package view

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/kongctl/kongctl/internal/pattern"
)

// Markdowner is what can be shown in a pull request.
type Markdowner interface {
	// WriteMarkdown writes one document.
	WriteMarkdown(w io.Writer) error
}

// maxMarkdown is how many characters a comment may have; hosts refuse more than
// 65,536.
const maxMarkdown = 65_000

// mdDocument is a document for pull requests: what is always shown, then parts
// that are shortened or left out where it would become too long.
type mdDocument struct {
	head  string
	parts []mdPart
	// whole says where all of it can be seen.
	whole string
}

// mdPart is a part in forms that become shorter, and what it is about: things of
// which a note counts those that are not shown.
type mdPart struct {
	forms  []string
	things int
	noun   string
}

// mdLength is the length of a text in the units that hosts count.
func mdLength(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// write writes a document that is not longer than limit.
func (d mdDocument) write(w io.Writer, limit int) error {
	left := limit - mdLength(d.head)
	chosen := make([]string, len(d.parts))
	total := 0
	for i, p := range d.parts {
		chosen[i] = p.forms[0]
		total += mdLength(p.forms[0])
	}
	note := ""
	if total > left {
		note = d.choose(chosen, left)
	}
	_, err := io.WriteString(w, d.head+note+strings.Join(chosen, ""))
	return err
}

// choose picks for each part the longest form that still fits, in their order,
// and returns what to say about the rest. Something of each part is shown where
// that leaves a third for longer forms; else the last ones are left out.
func (d mdDocument) choose(chosen []string, left int) string {
	const noteLength = 600
	left -= noteLength
	third := left / 3
	last := func(i int) string { return d.parts[i].forms[len(d.parts[i].forms)-1] }
	var nouns []string
	for i, p := range d.parts {
		left -= mdLength(last(i))
		if !slices.Contains(nouns, p.noun) {
			nouns = append(nouns, p.noun)
		}
	}
	shortened, missing := map[string]int{}, map[string]int{}
	kept := len(d.parts)
	for ; left < third && kept > 0; kept-- {
		left += mdLength(last(kept - 1))
		missing[d.parts[kept-1].noun] += d.parts[kept-1].things
		chosen[kept-1] = ""
	}
	for i, p := range d.parts[:kept] {
		for n, form := range p.forms {
			if more := mdLength(form) - mdLength(last(i)); more <= left {
				left -= more
				chosen[i] = form
				if n > 0 {
					shortened[p.noun] += p.things
				}
				break
			}
		}
	}
	var said []string
	for _, noun := range nouns {
		if n := shortened[noun]; n > 0 {
			said = append(said, count(n, noun)+" shortened")
		}
		if n := missing[noun]; n > 0 {
			said = append(said, count(n, noun)+" left out")
		}
	}
	return fmt.Sprintf("> [!WARNING]\n> Cut to %s characters: %s. %s\n\n", thousands(maxMarkdown), strings.Join(said, ", "), d.whole)
}

// thousands writes a number with a comma between thousands.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

var backticks = pattern.New("`+")

// mdFence puts lines into a block that none of them can end.
func mdFence(language string, lines []string) string {
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestTicks(text)+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

func longestTicks(text string) int {
	most := 0
	for _, run := range backticks.FindAllString(text, -1) {
		most = max(most, len(run))
	}
	return most
}

// mdSpan is text from elsewhere in a sentence: as code, which nothing in it ends.
func mdSpan(text string) string {
	text = shorten(printable(text), 300)
	if text == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestTicks(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) != text {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// mdCell is text from elsewhere in a cell of a table.
func mdCell(text string) string { return strings.ReplaceAll(mdSpan(text), "|", `\|`) }

// mdDetails is a part that opens on a click; open ones are open at first. The
// summary is HTML.
func mdDetails(summary, body string, open bool) string {
	tag := "<details>"
	if open {
		tag = "<details open>"
	}
	return tag + "<summary>" + summary + "</summary>\n\n" + body + "\n</details>\n\n"
}

// mdText is text from elsewhere in HTML.
func mdText(text string) string { return html.EscapeString(shorten(printable(text), 300)) }

// mdCode is mdText as code.
func mdCode(text string) string { return "<code>" + mdText(text) + "</code>" }

// mdNote is a part with a list of notes.
func mdNote(n note) mdPart {
	sign := "  "
	switch n.color {
	case red:
		sign = "- "
	case yellow:
		sign = "! "
	default: // nothing to warn of
	}
	lines := make([]string, len(n.items))
	for i, item := range n.items {
		lines[i] = sign + item
	}
	title := fmt.Sprintf("**%s (%d)**\n\n", n.title, len(n.items))
	const few = 10
	forms := []string{title + mdFence("diff", lines) + "\n"}
	if len(lines) > few {
		less := append(lines[:few:few], fmt.Sprintf("  … %d more", len(lines)-few))
		forms = append(forms, title+mdFence("diff", less)+"\n")
	}
	return mdPart{forms: append(forms, title), things: len(n.items), noun: "note"}
}

// mdLines are lines below a resource, with their signs where a diff has them.
// Whole is the sign of lines that are no difference: those of something new.
func mdLines(lines []line, whole string, depth int) []string {
	indent := strings.Repeat("  ", depth)
	var out []string
	for _, l := range lines {
		text := strings.TrimLeft(l.text, " ")
		in := indent + strings.Repeat(" ", len(l.text)-len(text))
		switch l.kind {
		case lineArrow:
			if l.arrow.before != nothing {
				out = append(out, "- "+in+l.arrow.name+": "+l.arrow.before)
			}
			if l.arrow.after != nothing || l.arrow.before == nothing {
				out = append(out, "+ "+in+l.arrow.name+": "+l.arrow.after)
			}
		case lineGone, lineCome:
			out = append(out, text[:2]+in+text[2:])
		case lineKept:
			out = append(out, "  "+indent+strings.TrimPrefix(l.text, "  "))
		case lineHunk:
			out = append(out, text)
		default:
			out = append(out, whole+" "+in+text)
		}
	}
	return out
}
