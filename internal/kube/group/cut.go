package group

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

var errNotLines = errors.New("the section does not stand on lines of its own")

// cut removes the section inventory from the bytes of a Kptfile, whose document is
// given as well, and leaves all other bytes as they are, comments outside of the
// section included. It returns the section with the comments that were in it. It
// fails where removing whole lines is not enough.
func cut(data []byte, kptfile value.Value) (rest []byte, inventory pair, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, pair{}, err
	}
	root := doc.Content[0]
	section, next := sections(root)
	if section.key == nil || root.Style&yaml.FlowStyle != 0 {
		return nil, pair{}, errNotLines
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	first, end := section.key.Line-1, len(lines)
	if next.key != nil {
		end = next.key.Line - 1
	}
	end = sectionEnd(lines, first, end)
	var removed [][]byte
	for i, line := range lines {
		if i < first || i >= end || i > first && outer(line) {
			rest = append(rest, line...)
		} else {
			removed = append(removed, bytes.TrimSpace(line))
		}
	}
	if anchor, line := usedOutside(root, section); anchor != "" {
		return nil, pair{}, fmt.Errorf("its anchor &%s is used in line %d", anchor, line)
	}
	if !holds(rest, kptfile.Without("inventory")) {
		return nil, pair{}, errNotLines
	}
	keepComments(section.key, removed)
	keepComments(section.value, removed)
	return rest, section, nil
}

// sections returns the section inventory and the one behind it.
func sections(root *yaml.Node) (section, next pair) {
	for _, e := range pairs(root) {
		switch {
		case e.key.Value == "inventory":
			section = e
		case section.key != nil && next.key == nil:
			next = e
		}
	}
	return section, next
}

// usedOutside returns an anchor of the section that the rest of the file uses, and
// in which line; "" for none.
func usedOutside(root *yaml.Node, section pair) (anchor string, line int) {
	inside := map[*yaml.Node]bool{}
	var enter, search func(n *yaml.Node)
	enter = func(n *yaml.Node) {
		inside[n] = true
		for _, below := range n.Content {
			enter(below)
		}
	}
	search = func(n *yaml.Node) {
		switch {
		case inside[n] || anchor != "":
		case n.Kind == yaml.AliasNode && inside[n.Alias]:
			anchor, line = n.Value, n.Line
		default:
			for _, below := range n.Content {
				search(below)
			}
		}
	}
	enter(section.value)
	search(root)
	return anchor, line
}

// sectionEnd is the line after the last of the section: blank lines and comments
// before the next key, and the end of the document, are not part of it.
func sectionEnd(lines [][]byte, first, end int) int {
	for i := first + 1; i < end; i++ {
		if bytes.HasPrefix(lines[i], []byte("---")) || bytes.HasPrefix(lines[i], []byte("...")) {
			end = i
		}
	}
	for end > first+1 && (len(bytes.TrimSpace(lines[end-1])) == 0 || outer(lines[end-1])) {
		end--
	}
	return end
}

// outer reports whether a line is a comment that is not indented.
func outer(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) }

// holds reports whether bytes are exactly this document.
func holds(data []byte, want value.Value) bool {
	docs, diags := source.Parse("", data)
	return !diags.HasErrors() && len(docs) == 1 && value.Equal(plain(docs[0]), plain(want))
}

func plain(v value.Value) any {
	return v.Plain(func(_ value.Path, e *value.Expression) any { return string(e.Op) + " " + e.Name })
}

// keepComments drops the comments that were not on removed lines: they still stand
// in the Kptfile.
func keepComments(n *yaml.Node, removed [][]byte) {
	for _, comment := range []*string{&n.HeadComment, &n.LineComment, &n.FootComment} {
		var kept []string
		for line := range strings.SplitSeq(*comment, "\n") {
			line = strings.TrimSpace(line)
			if line != "" && slices.ContainsFunc(removed, func(r []byte) bool { return bytes.HasSuffix(r, []byte(line)) }) {
				kept = append(kept, line)
			}
		}
		*comment = strings.Join(kept, "\n")
	}
	for _, below := range n.Content {
		keepComments(below, removed)
	}
}
