package catalog

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// frontMatter returns a Normalize that takes fields from the front matter of a
// Markdown content. Konnect reads it too, so a field written twice must agree.
func frontMatter(fields ...string) func(value.Value) (value.Value, diag.List) {
	return func(v value.Value) (value.Value, diag.List) {
		var diags diag.List
		content := v.Field("content")
		text, ok := content.Text()
		if !ok {
			return v, nil
		}
		for key, x := range parseFrontMatter(text) {
			if !contains(fields, key) {
				continue
			}
			s := fmt.Sprint(x)
			written := v.Field(key)
			if written.IsAbsent() {
				v = v.With(value.Entry{Key: key, KeyPos: content.Pos(), Value: value.StringAt(content.Pos(), s)})
				continue
			}
			if w, ok := written.Text(); ok && w != s {
				diags.Add(diag.CfgFrontMatter, written.Pos(),
					fmt.Sprintf("The field %s is %q here and %q in the front matter of the content.", key, w, s),
					"write it in one of the two places only.")
			}
		}
		return v, diags
	}
}

func parseFrontMatter(text string) map[string]any {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return nil
	}
	head, _, ok := strings.Cut(rest, "\n---")
	if !ok {
		return nil
	}
	var out map[string]any
	if yaml.Unmarshal([]byte(head), &out) != nil {
		return nil
	}
	return out
}

// versionFromSpec lets the specification stand directly under spec, and takes
// the version from it where none is written, as Konnect does.
func versionFromSpec(v value.Value) (value.Value, diag.List) {
	spec := v.Field("spec")
	if spec.Kind() == value.String {
		spec = value.MapAt(spec.Pos(), value.Entry{Key: "content", KeyPos: spec.Pos(), Value: spec})
		v = v.With(value.Entry{Key: "spec", KeyPos: v.KeyPos("spec"), Value: spec})
	}
	if v.Has("version") {
		return v, nil
	}
	text, ok := spec.Field("content").Text()
	if !ok {
		return v, nil
	}
	var doc struct {
		Info struct {
			Version string `yaml:"version"`
		} `yaml:"info"`
	}
	if yaml.Unmarshal([]byte(text), &doc) != nil || doc.Info.Version == "" {
		return v, nil
	}
	return v.With(value.Entry{Key: "version", KeyPos: spec.Pos(), Value: value.StringAt(spec.Pos(), doc.Info.Version)}), nil
}

// versionOfContent makes the specification of an API into a version of it.
// Konnect does so when the API is created, never returns the text, and takes no
// other later: only as a version can it be compared and changed.
func versionOfContent(v value.Value) (value.Value, diag.List) {
	content := v.Field("spec_content")
	if content.IsAbsent() || content.Kind() == value.Null {
		return v, nil
	}
	at := v.KeyPos("spec_content")
	spec := value.MapAt(at, value.Entry{Key: "content", KeyPos: at, Value: content})
	version, diags := versionFromSpec(value.MapAt(at, value.Entry{Key: "spec", KeyPos: at, Value: spec}))
	if own := v.Field("version"); !version.Has("version") && !own.IsAbsent() {
		version = version.With(value.Entry{Key: "version", KeyPos: own.Pos(), Value: own})
	}
	versions := value.ListAt(at, []value.Value{version})
	return v.Without("spec_content").With(value.Entry{Key: "versions", KeyPos: at, Value: versions}), diags
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
