package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/terminal"
)

// File is a dump as a decK file: secrets are templates, ${{ env "DECK_X" }}, and
// texts that look like one are escaped, so that decK takes them as they are.
func (d *Dump) File() ([]byte, error) {
	f := &dumpFile{mark: "KONGCTL"}
	for f.occurs(d.root) {
		f.mark += "X"
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(indentation)
	if err := errors.Join(enc.Encode(f.node(shapes, d.root)), enc.Close()); err != nil {
		return nil, fmt.Errorf("write decK's state: %w", err)
	}
	return f.fill(terminal.JSON(b.Bytes())), nil // what is left to escape is in quotes
}

const indentation = 2

// dumpFile writes a dump in two steps: the encoder cannot write templates, so
// marks stand for them at first.
type dumpFile struct {
	mark    string // occurs in no text
	secrets []secretMark
}

func (f *dumpFile) occurs(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if strings.Contains(k, f.mark) || f.occurs(x) {
				return true
			}
		}
	case []any:
		for _, x := range v {
			if f.occurs(x) {
				return true
			}
		}
	case string:
		return strings.Contains(v, f.mark)
	}
	return false
}

func (f *dumpFile) node(list []shape, v any) *yaml.Node {
	switch v := v.(type) {
	case secretMark:
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.LiteralStyle, Value: fmt.Sprintf("%s%d;", f.mark, len(f.secrets))}
		if v.newline {
			n.Value += "\n"
		}
		f.secrets = append(f.secrets, v)
		return n
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, k := range keysOf(list, v) {
			n.Content = append(n.Content, f.text(k, false), f.node(nestedIn(list, k), v[k]))
		}
		return flowIfEmpty(n)
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, x := range v {
			n.Content = append(n.Content, f.node(list, x))
		}
		return flowIfEmpty(n)
	case string:
		return f.text(v, true)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a scalar always has a JSON form
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(raw)}
}

func flowIfEmpty(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// Texts that no reader of YAML, old or new, takes for anything else.
var (
	plainText = pattern.New(`^[A-Za-z_/][A-Za-z0-9._/@+-]*( [A-Za-z0-9._/@+()-]+)*$`)
	otherWord = pattern.New(`(?i)^(true|false|yes|no|on|off|y|n|null|nan|inf)$`)
	comment   = pattern.New(`(?m)^\s*#`)
)

func (f *dumpFile) text(s string, block bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.ReplaceAll(s, "${{", f.mark+"t;"), Tag: "!!str"}
	switch {
	case n.Value != s:
		n.Style = yaml.DoubleQuotedStyle
	case block && strings.Contains(s, "\n") && literal(s):
		n.Style = yaml.LiteralStyle
	case plainText.MatchString(s) && !otherWord.MatchString(s):
	default:
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// literal reports whether a text can stand as a block of lines. decK takes lines
// that begin with # for comments, within texts, too.
func literal(s string) bool {
	if s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || strings.Trim(s, "\n") == "" || strings.Contains(s, "\r") {
		return false
	}
	return !terminal.Unsafe(s) && !strings.Contains(s, "\ufeff") && !comment.MatchString(s)
}

// fill puts templates in the place of their marks. A secret may have several
// lines, so that its template indents them as far as the first.
func (f *dumpFile) fill(text []byte) []byte {
	secret := regexp.MustCompile(`\|(-?)\n( *)` + f.mark + `(\d+);`)
	text = secret.ReplaceAllFunc(text, func(found []byte) []byte {
		m := secret.FindSubmatch(found)
		i, err := strconv.Atoi(string(m[3]))
		if err != nil || i >= len(f.secrets) {
			return found
		}
		start := "|"
		if f.secrets[i].blank {
			start = "|" + strconv.Itoa(indentation) // the first line does not show it
		}
		return fmt.Appendf(nil, "%s%s\n%s${{ env %q | indent %d }}", start, m[1], m[2], f.secrets[i].variable, len(m[2]))
	})
	return bytes.ReplaceAll(text, []byte(f.mark+"t;"), []byte(`\u0024{{`))
}
