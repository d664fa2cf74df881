package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// parse returns the roots of all documents that hold something. On a syntax
// error the documents before it are returned as well.
func parse(name string, data []byte) (roots []*yaml.Node, numbers []int, d *diag.Diagnostic) {
	data = prefixed(data)
	if at := badText(data); at >= 0 {
		pos := posAt(name, data, at)
		bad := badByte(pos, data[at:])
		return nil, nil, &bad
	}
	roots, numbers, err := decode(data)
	if err == nil {
		return roots, numbers, nil
	}
	wrong := syntaxError(name, data, err)
	return roots, numbers, &wrong
}

// decode returns the documents that hold something, and where they stand among
// all documents.
func decode(data []byte) (roots []*yaml.Node, numbers []int, err error) {
	docs, err := documents(data)
	for number, doc := range docs {
		root := follow(doc.Content[0])
		if root == nil || root.Kind == yaml.ScalarNode && !isCustom(root) && isNull(root) {
			continue
		}
		roots, numbers = append(roots, root), append(numbers, number)
	}
	return roots, numbers, err
}

// documents returns all documents, on an error those before it.
func documents(data []byte) (docs []*yaml.Node, err error) {
	// The parser panics on a few malformed inputs that it should refuse.
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the parser cannot read this")
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		switch err := dec.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return docs, nil
		case err != nil:
			return docs, err
		}
		docs = append(docs, &doc)
	}
}

// badText returns the offset of the first byte that YAML text cannot hold, or -1.
func badText(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return i
		}
		i += size
	}
	return -1
}

// badByte says what is wrong with the first byte that does not belong.
func badByte(pos value.Pos, rest []byte) diag.Diagnostic {
	switch r, size := utf8.DecodeRune(rest); {
	case r == utf8.RuneError && size <= 1:
		return diag.New(diag.SrcSyntax, pos, "The file is not UTF-8 text: this byte does not belong in one.", "save the file as UTF-8.")
	case r == 0:
		return diag.New(diag.SrcSyntax, pos, "The file holds a NUL byte here, and text has none.", "remove it; if the file is UTF-16 or no text at all, save it as UTF-8 text.")
	default:
		return diag.New(diag.SrcSyntax, pos, fmt.Sprintf("The file holds the control character %U here, which YAML does not allow.", r), fmt.Sprintf(`remove it, or write it as "\x%02x", in double quotes.`, r))
	}
}

func posAt(name string, data []byte, offset int) value.Pos {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return value.Pos{File: name, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[start:])}
}

var yamlError = pattern.New(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

func syntaxError(name string, data []byte, err error) diag.Diagnostic {
	line, message := 0, err.Error()
	if m := yamlError.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1]) // no line: 0
		message = m[2]
	}
	if exact := firstBadLine(data, message); exact > 0 {
		line = exact
	}
	pos := value.Pos{File: name, Line: line}
	if at, column := tabIndent(data, line); at > 0 {
		pos.Line, pos.Column = at, column
		return diag.New(diag.SrcSyntax, pos, "The line is indented with a tab; YAML allows only spaces.", "replace the tab with spaces.")
	}
	if at, column := otherIndent(data, line); at > 0 {
		pos.Line, pos.Column = at, column
		return diag.New(diag.SrcSyntax, pos, "The line is indented with a character that only looks like a space.", "indent it with plain spaces: no-break spaces (U+00A0), for example, indent nothing.")
	}
	pos.Column = column(data, line, message)
	return diag.New(diag.SrcSyntax, pos, fmt.Sprintf("The YAML parser says: %s.", WithoutNames(message)), syntaxFix(message))
}

// firstBadLine finds the line that brings the error about: the parser tells
// where the surrounding block began, which can be a long way up.
func firstBadLine(data []byte, message string) int {
	const worthwhile = 128 << 10 // it parses the file a dozen times
	if len(data) > worthwhile {
		return 0
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	ends := make([]int, len(lines))
	end := 0
	for i, l := range lines {
		end += len(l)
		ends[i] = end
	}
	n := sort.Search(len(ends), func(i int) bool {
		_, _, err := decode(data[:ends[i]])
		return err != nil && strings.HasSuffix(err.Error(), message)
	})
	if n == len(ends) {
		return 0
	}
	return n + 1
}

var unknownAnchor = pattern.New(`unknown anchor '(.*)' referenced`)

var (
	anchorName = pattern.New(`(?s)anchor '.*'`)
	quotedText = pattern.New("(?s)(![^ ]+ )?`.*`")
)

// WithoutNames takes the names of anchors, and values, out of what the parser says:
// one may be a secret that begins with * or & and is not quoted.
func WithoutNames(message string) string {
	return quotedText.ReplaceAllString(anchorName.ReplaceAllString(message, "anchor"), "a value")
}

// column is where the line begins, which the parser does not say; 0 where the
// line is not known. An alias is found by its name.
func column(data []byte, line int, message string) int {
	lines := bytes.Split(data, []byte("\n"))
	if line < 1 || line > len(lines) {
		return 0
	}
	text := lines[line-1]
	at := len(text) - len(bytes.TrimLeft(text, " \r"))
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		if i := bytes.Index(text, []byte("*"+m[1])); i >= 0 {
			at = i
		}
	}
	return 1 + utf8.RuneCount(text[:at])
}

// tabIndent finds a tab in the indentation of the line, or of the next one.
func tabIndent(data []byte, line int) (at, column int) {
	lines := strings.Split(string(data), "\n")
	for _, n := range []int{line, line + 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		text := lines[n-1]
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if i := strings.IndexByte(indent, '\t'); i >= 0 {
			return n, i + 1
		}
	}
	return 0, 0
}

// otherIndent finds a space that YAML does not know as one in the indentation of the
// line, or of those beside it.
func otherIndent(data []byte, line int) (at, column int) {
	lines := strings.Split(string(data), "\n")
	for n := max(line-1, 1); n <= min(line+1, len(lines)); n++ {
		text := lines[n-1]
		indent := text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsSpace))]
		if i := strings.IndexFunc(indent, func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
			return n, 1 + utf8.RuneCountInString(indent[:i])
		}
	}
	return 0, 0
}

// syntaxFix puts the parser's words into what a person does about it.
func syntaxFix(message string) string {
	for _, known := range []struct{ part, fix string }{
		{"mapping values are not allowed", "check the indentation, and quote a value that holds a colon and a space."},
		{"did not find expected key", "align this line with the keys it belongs to."},
		{"'-' indicator", "align this line with the items of the list, or with the key above it."},
		{"',' or", "close the bracket, or put a comma between the items."},
		{"did not find expected alphabetic or numeric character", `write the value in quotes: "*". A text that begins with * or & stands for an alias or an anchor.`},
		{"cannot start any token", "quote the value: it begins with a character that YAML reserves."},
		{"found unknown escape character", `write the character itself: YAML has no escape like this one. JSON writes \/ where YAML has /.`},
		{"invalid Unicode character escape code", `write the character itself: YAML does not join the halves that JSON makes of it, such as \ud83d\ude00.`},
		{"unexpected end of stream", "close the quote that begins here."},
		{"unknown anchor", "quote a value that begins with *, or define the anchor with & above the line that uses it."},
	} {
		if strings.Contains(message, known.part) {
			return known.fix
		}
	}
	return "correct the YAML around this line."
}
