package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// notShown stands for what a quoted line must not show.
const notShown = "(hidden)"

func (r *Result) keep(name string, data []byte) {
	if r.texts == nil {
		r.texts = map[string][]byte{}
	}
	r.texts[name] = data
}

// Quote adds to diagnostics the lines that they are about. A line shows keys, and
// values that surely are not secret; comments are left out.
func (r *Result) Quote(list diag.List) diag.List {
	q := quoter{result: r, files: map[string]*quoted{}}
	out := slices.Clone(list)
	for i, d := range out {
		if d.Excerpt == (diag.Excerpt{}) && d.Pos.Line > 0 && r.texts[d.Pos.File] != nil {
			out[i].Excerpt = q.excerpt(d.Pos)
		}
	}
	return out
}

// Quote adds to diagnostics the lines of texts that they are about, by the names of
// the texts. shows reports which values surely hold no secret.
func Quote(texts map[string][]byte, shows func(path []string) bool, list diag.List) diag.List {
	r := &Result{texts: texts, claims: []Claim{{Shows: shows}}}
	return r.Quote(list)
}

type quoter struct {
	result *Result
	files  map[string]*quoted
}

// quoted is a file that lines are quoted from.
type quoted struct {
	lines []string
	// nodes are all keys, values and open brackets, as they are written.
	nodes []mark
	// parsed is the last line that nodes tell all of.
	parsed int
	shown  map[int]*shown
}

// mark is a place where something begins.
type mark struct {
	line, column int // from 1, in characters
	key, show    bool
	inFlow       bool
	bracket      bool
	// plain says that the value there is known to be no secret.
	plain bool
	node  *yaml.Node
}

func (q *quoter) excerpt(pos value.Pos) diag.Excerpt {
	f := q.file(pos.File)
	if pos.Line > len(f.lines) {
		return diag.Excerpt{}
	}
	if pos.Line > f.parsed {
		line := q.unparsed(f, pos.Line)
		start := min(max(pos.Column-1, 0), utf8.RuneCountInString(line))
		return diag.Excerpt{Line: line, Start: start, End: word(line, start)}
	}
	return f.excerpt(pos)
}

func (q *quoter) file(name string) *quoted {
	if f := q.files[name]; f != nil {
		return f
	}
	data := q.result.texts[name]
	f := &quoted{}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		f.lines = append(f.lines, strings.TrimSuffix(strings.TrimPrefix(string(line), "\ufeff"), "\r"))
	}
	roots, _, problem := parse(name, data)
	f.parsed = len(f.lines)
	if problem != nil {
		f.parsed = 0
		return f.known(q, name)
	}
	for _, root := range roots {
		rule := q.rule(root)
		f.collect(root, nil, rule, false)
	}
	slices.SortStableFunc(f.nodes, func(a, b mark) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.column - b.column
	})
	return f.known(q, name)
}

func (f *quoted) known(q *quoter, name string) *quoted {
	q.files[name] = f
	return f
}

// rule says which values of a document may be shown.
type rule func(path []string) verdict

// verdict is what claims say of a path: whether its value may be shown, whether it may
// be a secret, whether its key is a name of the language, and whether it is known.
type verdict struct{ show, hide, name, known bool }

// rule asks the claim that owns a document, else those that own none.
func (q *quoter) rule(root *yaml.Node) rule {
	var asked []Claim
	for _, c := range q.result.claims {
		if root != nil && c.owns(root) {
			asked = []Claim{c}
			break
		}
		if len(c.Own) == 0 {
			asked = append(asked, c)
		}
	}
	return func(path []string) (out verdict) {
		out.known = slices.ContainsFunc(asked, func(c Claim) bool { return c.Knows != nil && c.Knows(path) })
		out.hide = !out.known && slices.ContainsFunc(path, value.NamesSecret)
		for _, c := range asked {
			out.show = out.show || c.Shows != nil && c.Shows(path)
			out.hide = out.hide || c.Hides != nil && c.Hides(path)
			out.name = out.name || c.Names != nil && c.Names(path)
		}
		out.show = out.show && !out.hide
		return out
	}
}

func (f *quoted) collect(n *yaml.Node, path []string, may rule, inFlow bool) {
	flow := inFlow || n.Style&yaml.FlowStyle != 0
	is := may(path)
	plain := is.show
	switch n.Kind {
	case yaml.MappingNode:
		if n.Style&yaml.FlowStyle != 0 {
			f.nodes = append(f.nodes, mark{line: n.Line, column: n.Column, show: true, plain: plain, bracket: true, node: n})
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, below := n.Content[i], n.Content[i+1]
			to := append(path[:len(path):len(path)], key.Value)
			at := may(to)
			// In {a, b} there are keys that may have been meant as values.
			name := at.name && keyName.MatchString(key.Value) && (!flow || below.Value != "" || len(below.Content) > 0 || below.Style != 0)
			f.nodes = append(f.nodes, mark{line: key.Line, column: key.Column, key: true, show: !is.hide || name || len(path) == 0 || isArgument(n.Tag, key.Value), plain: at.show, inFlow: flow, node: key})
			f.collect(below, to, may, flow)
		}
	case yaml.SequenceNode:
		if n.Style&yaml.FlowStyle != 0 {
			f.nodes = append(f.nodes, mark{line: n.Line, column: n.Column, show: true, plain: plain, bracket: true, node: n})
		}
		for _, item := range n.Content {
			f.collect(item, path, may, flow)
		}
	case yaml.AliasNode:
		f.nodes = append(f.nodes, mark{line: n.Line, column: n.Column, show: true, plain: plain, inFlow: inFlow, node: n})
	default:
		f.nodes = append(f.nodes, mark{line: n.Line, column: n.Column, show: plain || harmless(n) || is.known && !is.hide && refers(n), plain: plain, inFlow: inFlow, node: n})
	}
}

var (
	variableName = pattern.New(`^[A-Z][A-Z0-9_]*$`)
	keyName      = pattern.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	refForm      = pattern.New(`^[A-Za-z0-9][\w.-]{0,62}(#[\w.\[\]-]+)?$`)
	fileName     = pattern.New(`^[\w./-]+\.[A-Za-z]+$`)
	templateOnly = pattern.New(`^\$\{\{\s*env\s+"[A-Z][A-Z0-9_]*"\s*\}\}$`)
)

// refers reports whether a value names a resource of the configuration.
func refers(n *yaml.Node) bool { return n.Tag == "!ref" && refForm.MatchString(n.Value) }

// harmless reports whether a value only says where a secret is.
func harmless(n *yaml.Node) bool {
	switch {
	case n.Value == "", templateOnly.MatchString(n.Value), n.Tag == "!!bool", n.Tag == "!!null":
		return true
	case n.Tag == "!env":
		return variableName.MatchString(n.Value)
	case n.Tag == "!file":
		return fileName.MatchString(n.Value)
	default:
		return false
	}
}

var (
	structure   = pattern.New(`^[\s\-?:,\[\]{}]*$`)
	closing     = pattern.New(`[\]},\s]*$`)
	comment     = pattern.New(`\s#.*$`)
	urlPassword = pattern.New(`(://[^/?#@:\s]*):[^/?#\s]+@`)
	logon       = pattern.New(`([^\s/:@"'{\[,]+):[^\s/"'][^\s"']*@`)
	bearer      = pattern.New(`(?i)\b(bearer\s+)[^\s"',\]}]+`)
	basic       = pattern.New(`\b((?i:basic)\s+)([A-Za-z0-9+/_-]*[A-Z0-9][A-Za-z0-9+/_-]*=*)`)
)

// isArgument reports whether a key is an argument of the tag that it stands below.
func isArgument(tag, key string) bool {
	switch tag {
	case "!secret":
		return key == "source" || key == "parts"
	case "!env":
		return key == "var" || key == "extract"
	case "!file":
		return key == "path" || key == "extract"
	default:
		return false
	}
}

// withoutCredentials takes out of a line what is a credential by its form, in
// whatever field it is.
func withoutCredentials(line string) string {
	line = urlPassword.ReplaceAllString(line, "${1}:"+notShown+"@")
	line = logon.ReplaceAllString(line, "${1}:"+notShown+"@")
	line = bearer.ReplaceAllString(line, "${1}"+notShown)
	return basic.ReplaceAllString(line, "${1}"+notShown)
}

// shown is a line as it may be shown.
type shown struct {
	line string
	// safe is the line without what is a credential by its form.
	safe   string
	prefix string
	// pieces are what the line shows of each node, in order.
	pieces []piece
}

// piece is where a line shows a node: characters from 0.
type piece struct {
	mark
	start, end int
}

// excerpt quotes a line of a file that was read to its end.
func (f *quoted) excerpt(pos value.Pos) diag.Excerpt {
	l := f.line(pos.Line)
	if len(l.pieces) == 0 {
		return diag.Excerpt{} // a part of a longer text, or nothing
	}
	e := diag.Excerpt{Line: l.safe, Start: -1}
	for _, p := range l.pieces {
		if p.column == pos.Column && (e.Start < 0 || !p.bracket) {
			e.Start, e.End = p.start, p.end
		}
	}
	if l.safe != l.line {
		e.End = min(e.End, utf8.RuneCountInString(l.safe))
	}
	if e.Start < 0 { // what is missing, or a place within a text
		e.Start = min(max(pos.Column-1, 0), utf8.RuneCountInString(e.Line))
		e.End = word(e.Line, e.Start)
		if strings.Contains(e.Line, notShown) {
			e.Start, e.End = utf8.RuneCountInString(l.prefix), utf8.RuneCountInString(e.Line)
		}
	}
	return e
}

// line is made once: long lines may have many diagnostics.
func (f *quoted) line(number int) *shown {
	if l := f.shown[number]; l != nil {
		return l
	}
	l := &shown{}
	if f.shown == nil {
		f.shown = map[int]*shown{}
	}
	f.shown[number] = l
	first, _ := slices.BinarySearchFunc(f.nodes, number, func(m mark, line int) int { return m.line - line })
	last := first
	for last < len(f.nodes) && f.nodes[last].line == number {
		last++
	}
	if first == last {
		return l
	}
	runes := []rune(f.lines[number-1])
	at := func(i int) int { return min(max(f.nodes[i].column-1, 0), len(runes)) }
	l.prefix = string(runes[:at(first)])
	if !structure.MatchString(l.prefix) {
		l.prefix = notShown + " " // the end of a text that began above
	}
	var out strings.Builder
	out.WriteString(l.prefix)
	began := utf8.RuneCountInString(l.prefix)
	for i := first; i < last; i++ {
		end := len(runes)
		if i+1 < last {
			end = at(i + 1)
		}
		text := f.nodes[i].quoted(string(runes[at(i):end]), i+1 == last)
		out.WriteString(text)
		l.pieces = append(l.pieces, piece{mark: f.nodes[i], start: began, end: began + f.nodes[i].marked(text)})
		began += utf8.RuneCountInString(text)
	}
	l.line = strings.TrimRight(out.String(), " \t")
	l.safe = withoutCredentials(l.line)
	return l
}

// quoted is what a line shows of a key or value; last says that nothing begins
// after it.
func (m mark) quoted(text string, last bool) string {
	if last {
		text = m.withoutComment(text)
	}
	switch {
	case m.show && m.plain:
		return text
	case m.show:
		return withoutNames(text)
	}
	tail := ""
	switch {
	case m.key:
		tail = ": "
	case m.inFlow && last:
		tail = strings.TrimRight(closing.FindString(text), " ")
	case m.inFlow:
		if tail = closing.FindString(text); strings.TrimSpace(tail) == "" {
			tail = ", "
		}
	}
	return notShown + tail
}

// names finds tags, anchors and aliases. A secret that is not quoted may look like
// one.
var names = pattern.New(`(^|[\s\[{,])([&*!][^\s,\[\]{}]+)`)

func withoutNames(text string) string {
	return names.ReplaceAllStringFunc(text, func(found string) string {
		i := strings.IndexAny(found, "&*!")
		if tag := found[i:]; tagForm(tag) != "" || standardTag(tag) {
			return found
		}
		return found[:i] + notShown
	})
}

// withoutComment cuts a comment off the end of a line.
func (m mark) withoutComment(text string) string {
	quote := byte(0)
	switch {
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, `'`):
		quote = text[0]
	}
	from := 0
	if quote != 0 {
		for from = 1; from < len(text) && text[from] != quote; from++ {
			if quote == '"' && text[from] == '\\' {
				from++
			}
		}
		from = min(from, len(text))
	}
	return text[:from] + comment.ReplaceAllString(text[from:], "")
}

// marked is how many characters of what is shown are marked.
func (m mark) marked(shown string) int {
	switch {
	case m.bracket:
		return 1
	case m.key:
		shown = strings.TrimRight(shown, " ")
		if i := strings.LastIndexByte(shown, ':'); i > 0 {
			shown = shown[:i]
		}
	case m.inFlow:
		shown = closing.ReplaceAllString(shown, "")
	}
	return max(utf8.RuneCountInString(strings.TrimRight(shown, " \t")), 1)
}
