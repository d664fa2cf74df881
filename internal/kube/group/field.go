package group

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/value"
)

// reader takes fields out of a document and collects what is wrong with them.
type reader struct {
	code  diag.Code
	what  string // the document, for people
	diags diag.List
}

func (r *reader) add(pos value.Pos, detail, fix string) { r.diags.Add(r.code, pos, detail, fix) }

// unknown reports a key that the mapping does not have.
func (r *reader) unknown(e value.Entry, in string, known []string) {
	fix := "remove it."
	if near := diag.Nearest(e.Key, known); near != "" {
		fix = "write " + near + ", or remove it."
	}
	r.add(e.KeyPos, fmt.Sprintf("%s of a %s has no field %q.", in, r.what, e.Key), fix)
}

// last is the key at the end of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// text returns the text at a path that ends in a key of the mapping; "" for none.
func (r *reader) text(in value.Value, path string) (string, value.Pos) {
	v := in.Field(last(path))
	switch v.Kind() {
	case value.Absent, value.Null:
		return "", in.KeyPos(last(path))
	case value.String:
		return textOf(v), v.Pos()
	default:
		r.notText(v, path)
		return "", v.Pos()
	}
}

func (r *reader) notText(v value.Value, path string) {
	switch v.Kind() {
	case value.Bool, value.Number:
		r.add(v.Pos(), fmt.Sprintf("%s is %s, and must be a string.", path, v.Kind()), fmt.Sprintf("quote it: %q.", v.Written()))
	case value.Expr:
		if v.Expr().Op != value.OpNone { // what could not be read was reported
			r.add(v.Pos(), path+" is an expression, and must be written out.", "write the text itself.")
		}
	default:
		r.add(v.Pos(), fmt.Sprintf("%s is %s, and must be a string.", path, v.Kind()), "write a string.")
	}
}

// required reports a text that is missing, unless it has a problem already.
func (r *reader) required(in value.Value, path string, pos value.Pos) {
	if kind := in.Field(last(path)).Kind(); kind == value.Absent || kind == value.Null || kind == value.String {
		r.add(pos, path+" is missing.", "add "+path+".")
	}
}

func (r *reader) name(in value.Value, path string, need bool) string {
	return r.checked(in, path, need, nameProblem)
}

func (r *reader) namespace(in value.Value, path string, need bool) string {
	return r.checked(in, path, need, namespaceProblem)
}

func (r *reader) checked(in value.Value, path string, need bool, check func(string) string) string {
	text, pos := r.text(in, path)
	if text == "" {
		if need {
			r.required(in, path, pos)
		}
		return ""
	}
	if problem := check(text); problem != "" {
		r.add(pos, fmt.Sprintf("%s %q %s.", path, text, problem), "correct it.")
	}
	return text
}

// entries returns a mapping from texts to texts.
func (r *reader) entries(in value.Value, path string, check func(key, text string) []string) map[string]string {
	v := in.Field(last(path))
	switch v.Kind() {
	case value.Absent, value.Null:
		return nil
	case value.Map:
	default:
		r.add(v.Pos(), fmt.Sprintf("%s is %s, and must be a mapping.", path, v.Kind()), "write a mapping of strings.")
		return nil
	}
	out := map[string]string{}
	for _, e := range v.Entries() {
		at := value.ParsePath(path).Child(e.Key).String()
		text, ok := e.Value.Text()
		if !ok {
			if e.Value.Kind() == value.Null {
				r.add(e.KeyPos, at+" has no value, and must be a string.", `write a string, if need be "".`)
			} else {
				r.notText(e.Value, at)
			}
			continue
		}
		for _, problem := range check(e.Key, text) {
			r.add(e.KeyPos, fmt.Sprintf("%s is not valid: %s.", at, problem), "correct it.")
		}
		out[e.Key] = text
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (r *reader) labels(in value.Value, path string) map[string]string {
	return r.entries(in, path, func(key, text string) []string {
		problems := validation.IsQualifiedName(key)
		if key != object.InventoryID { // its value has a code of its own
			problems = append(problems, validation.IsValidLabelValue(text)...)
		}
		return problems
	})
}

// annotations returns those that are copied to the cluster, and those that describe
// the file.
func (r *reader) annotations(in value.Value, path string) (copied, local map[string]string) {
	for key, text := range r.entries(in, path, func(key, _ string) []string {
		return validation.IsQualifiedName(strings.ToLower(key))
	}) {
		to := &copied
		if describesFile(key) {
			to = &local
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[key] = text
	}
	return copied, local
}
