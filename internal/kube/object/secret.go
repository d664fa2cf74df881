package object

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/value"
)

// SecretFields is the annotation with the fields of an object that came from
// secrets: what is read later does not tell. Secrets need none.
const SecretFields = "kongctl.konghq.com/secret-fields"

// AllFields marks an object of which any field may hold a secret.
const AllFields = "*"

// SecretMark is the annotation for some fields; "" for none.
func SecretMark(paths []value.Path) string {
	var names []string
	for _, p := range paths {
		names = append(names, p.String())
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	raw, err := json.Marshal(slices.Compact(names))
	if err != nil {
		return AllFields // texts have a form
	}
	return string(raw)
}

// SecretPaths are the fields of a live object that came from secrets; all reports
// that any of them may have.
func SecretPaths(u *unstructured.Unstructured) (paths []value.Path, all bool) {
	text := u.GetAnnotations()[SecretFields]
	if text == "" {
		return nil, false
	}
	var names []string
	if json.Unmarshal([]byte(text), &names) != nil {
		return nil, true
	}
	for _, name := range names {
		paths = append(paths, value.ParsePath(name))
	}
	return paths, false
}

// HideFields puts a text in the place of fields. Items of a list may change their
// places, so the innermost list is hidden whole, in every item of those around it.
func HideFields(fields map[string]any, paths []value.Path, hidden string) {
	for _, p := range paths {
		hideAt(fields, innermost(p), hidden)
	}
}

// HideAll hides everything that does not identify an object.
func HideAll(fields map[string]any, hidden string) {
	for key := range fields {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			fields[key] = hidden
		}
	}
}

// Touches reports whether a field holds, or is in, one that is hidden.
func Touches(p value.Path, paths []value.Path) bool {
	own := p.Generic()
	return slices.ContainsFunc(paths, func(o value.Path) bool {
		other := innermost(o).Generic()
		return own.HasPrefix(other) || other.HasPrefix(own)
	})
}

// innermost is a path up to the last list that it leads through.
func innermost(p value.Path) value.Path {
	for i := len(p) - 1; i >= 0; i-- {
		if _, ok := value.Place(p[i]); ok {
			return p[:i]
		}
	}
	return p
}

func hideAt(v any, p value.Path, hidden string) {
	switch d := v.(type) {
	case map[string]any:
		next, there := d[p[0]]
		switch {
		case !there:
		case len(p) == 1:
			d[p[0]] = hidden
		default:
			hideAt(next, p[1:], hidden)
		}
	case []any:
		if _, ok := value.Place(p[0]); !ok || len(p) == 1 {
			return
		}
		for _, item := range d {
			hideAt(item, p[1:], hidden)
		}
	}
}
