package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// inJSON is why a walk leaves out what JSON declares.
const inJSON = "a JSON file, and folders are read for .yaml and .yml"

// jsonFile is a JSON file that a folder holds, and that is not read.
type jsonFile struct {
	name, real string
	docs       []*yaml.Node // as far as shapeOf looks
	// warning says why the file cannot be understood, though it may declare something.
	warning *diag.Diagnostic
}

// lookAt reads a JSON file as far as it takes to say whether it declares something.
func (l *loader) lookAt(path, base string) *jsonFile {
	f := &jsonFile{name: l.display(path), real: realPath(path)}
	data, p := place{base: base, real: f.real, path: f.name}.read()
	if p != nil {
		d := diag.Warn(diag.SrcNotASource, value.Pos{File: f.name}, "The JSON file cannot be read, so it is skipped, and it may declare something. "+p.detail, strings.TrimSpace(p.fix+wayOut(f.name)))
		f.warning = &d
		return f
	}
	docs, at, err := jsonDocuments(data)
	if err == nil {
		f.docs = docs
		return f
	}
	if words := l.judge.rootWords(data); len(words) > 0 {
		d := diag.Warn(diag.SrcNotASource, posAt(f.name, data, at), fmt.Sprintf("The file is not valid JSON from here on, so it is skipped, and it may declare %s.", diag.Join(words, "and")),
			"correct it, and give it with -f "+f.name+"."+wayOut(f.name))
		f.warning = &d
	}
	return f
}

// noteJSON keeps a JSON file of a folder that declares something, or may do so.
func (w *walker) noteJSON(path string, mode fs.FileMode) {
	target := realPath(path)
	if !mode.IsRegular() || w.byReal[target] != nil {
		return
	}
	base := w.base
	if !inside(base, target) {
		base = w.root
	}
	if slices.ContainsFunc(w.json, func(f *jsonFile) bool { return f.real == target }) {
		return
	}
	if f := w.lookAt(path, base); f.declares(w.judge) {
		w.found = true
		w.json = append(w.json, f)
	}
}

// declares reports whether a file declares something, or may do so.
func (f *jsonFile) declares(j judge) bool {
	keys, owned := j.declared(f.docs)
	return f.warning != nil || owned != nil || slices.ContainsFunc(keys, j.ours)
}

// jsonDocuments returns the values of a JSON text as far as shapeOf looks, and where it
// stops being one.
func jsonDocuments(data []byte) (docs []*yaml.Node, at int, err error) {
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return docs, 0, nil
		case err != nil:
			at := len(data) // it ends too early
			var wrong *json.SyntaxError
			if errors.As(err, &wrong) {
				at -= len(text) - max(int(wrong.Offset)-1, 0)
			}
			return docs, min(at, len(data)), err
		}
		docs = append(docs, jsonNode(raw, formLevels))
	}
}

// jsonNode is a JSON value as a node, with the keys of its upper levels.
func jsonNode(raw json.RawMessage, levels int) *yaml.Node {
	dec := json.NewDecoder(bytes.NewReader(raw))
	token, err := dec.Token()
	switch {
	case err != nil:
		return &yaml.Node{Kind: yaml.ScalarNode}
	case token == json.Delim('['):
		return &yaml.Node{Kind: yaml.SequenceNode}
	case token != json.Delim('{'):
		return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(token)}
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	for levels > 0 && dec.More() {
		key, err := dec.Token()
		var v json.RawMessage
		if err != nil || dec.Decode(&v) != nil {
			break
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(key)}, jsonNode(v, levels-1))
	}
	return n
}

var escape = pattern.New(`\\u[0-9a-fA-F]{4}`)

// rootWords lists the words of a text that cannot be understood that would declare
// something as keys at its root. Between the letters of UTF-16 there are zeros.
func (j judge) rootWords(data []byte) []string {
	text := string(bytes.ReplaceAll(data, []byte{0}, nil))
	text = escape.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(strings.TrimPrefix(s, `\u`), 16, 16)
		if err != nil {
			return s
		}
		return string(rune(n))
	})
	all := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		all[word] = true
	}
	var out []string
	for word := range all {
		if j.ours(word) {
			out = append(out, word)
		}
	}
	for _, c := range j.claims {
		if len(c.Own) > 0 && !slices.ContainsFunc(c.Own, func(key string) bool { return !all[key] }) {
			out = append(out, c.Own...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
