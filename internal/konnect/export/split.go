package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// A text beyond one of these stands in a file of its own.
const (
	longLines   = 5
	longLetters = 400
)

// splitFiles writes a file per root type, and one per long text beside it.
func (w *writer) splitFiles(roots []*Resource) ([]File, error) {
	var docs, contents []File
	taken := map[string]bool{}
	how := rendering{extras: true, beside: func(name string, data []byte) { contents = append(contents, File{Name: name, Data: data}) }}
	how.texts = func(r *Resource, p value.Path, text string) *value.Value {
		if !long(text) || !readable(text) {
			return nil
		}
		name := w.fileName(r, p, text)
		if !taken[name] {
			taken[name] = true
			contents = append(contents, File{Name: name, Data: []byte(text)})
		}
		v := value.ExprAt(value.Pos{}, value.Expression{Op: value.OpFile, Name: name})
		return &v
	}
	for len(roots) > 0 {
		t := roots[0].Type
		n := slices.IndexFunc(roots, func(r *Resource) bool { return r.Type != t })
		if n < 0 {
			n = len(roots)
		}
		var b bytes.Buffer
		values, err := encode(&b, w.document(roots[:n], how))
		if err != nil {
			return nil, err
		}
		docs = append(docs, File{Name: t.Root() + ".yaml", Data: b.Bytes()})
		w.measure(t.Root()+".yaml", b.Len(), values)
		roots = roots[n:]
	}
	for _, f := range contents {
		w.measure(f.Name, len(f.Data), 1)
	}
	return append(docs, contents...), nil
}

// fileName tells whose text it is and which field.
func (w *writer) fileName(r *Resource, p value.Path, text string) string {
	field := strings.NewReplacer("[", "", "]", "").Replace(strings.Join(p, "."))
	return path.Join(r.Root().Type.Root(), w.names.refs[r]+"."+slug(field)+extension(field, text))
}

func long(s string) bool {
	return len(s) > longLetters || strings.Count(strings.TrimSuffix(s, "\n"), "\n") >= longLines || specification.MatchString(s)
}

// readable tells whether a file with the text would be read as the text.
func readable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsRune(s, 0) && len(s) <= source.UsualLimits().Bytes &&
		!strings.HasPrefix(http.DetectContentType([]byte(s)), "image/")
}

var specification = pattern.New(`(?m)\A\s*\{[\s\S]*"(openapi|swagger|asyncapi)"\s*:|^["']?(openapi|swagger|asyncapi)["']?\s*:`)

// extension lets editors show the text for what it is.
func extension(field, text string) string {
	start := strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(start, "{") && json.Valid([]byte(text)):
		return ".json"
	case specification.MatchString(text):
		return ".yaml"
	case strings.HasPrefix(start, "-----BEGIN "):
		return ".pem"
	case strings.HasSuffix(field, "css"):
		return ".css"
	case strings.HasSuffix(field, "content"):
		return ".md"
	default:
		return ".txt"
	}
}

// measure tells of a file that is too large to be read again.
func (w *writer) measure(name string, bytes, values int) {
	limits, reader := source.UsualLimits(), "a configuration"
	if w.o.State {
		limits, reader = source.StateLimits(), "a seed"
	}
	much := limits.Exceeded(bytes, values)
	if much == "" {
		return
	}
	if name == "" {
		name = "The export"
	}
	ways := []string{"export in parts with --resources or --filter"}
	if !w.o.Split && !w.o.State {
		ways = append([]string{"split it with --split-dir"}, ways...)
	}
	w.warn(diag.ExpTooLarge, fmt.Sprintf("%s has %s, and %s is not read beyond that.", name, much, reader),
		w.o.Fix("copy the data folder instead.", ways...))
}
