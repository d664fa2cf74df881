package catalog

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
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
		for _, f := range FrontMatter(text, fields) {
			written := v.Field(f.Name)
			if written.IsAbsent() {
				v = v.With(value.Entry{Key: f.Name, KeyPos: content.Pos(), Value: value.StringAt(content.Pos(), f.Text)})
				continue
			}
			if w, ok := written.Text(); ok && w != f.Text {
				diags.Add(diag.CfgFrontMatter, written.Pos(),
					fmt.Sprintf("The field %s is %q here and %q in the front matter of the content.", f.Name, w, f.Text),
					"write it in one of the two places only.")
			}
		}
		return v, diags
	}
}

// FrontMatterField is a field that the front matter of a content sets.
type FrontMatterField struct{ Name, Text string }

// FrontMatter reads those of the named fields that the front matter of a
// Markdown content sets: the YAML between two lines of three dashes at its start.
// What is not a mapping of YAML there is content.
func FrontMatter(content string, fields []string) []FrontMatterField {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(content, "\r\n", "\n"), "---\n")
	if !ok {
		return nil
	}
	head, _, ok := strings.Cut(rest, "\n---")
	var values map[string]any
	if !ok || yaml.Unmarshal([]byte(head), &values) != nil {
		return nil
	}
	var out []FrontMatterField
	for _, name := range fields {
		if v := values[name]; v != nil {
			out = append(out, FrontMatterField{name, fmt.Sprint(v)})
		}
	}
	return out
}

var notSlug = pattern.New(`[^a-z0-9]+`)

// slugOfTitle is how a slug is found that is left out.
const slugOfTitle = "may stand in the front matter of content, and is made from title where it is left out"

// withSlug makes the slug of the title where none is written, as Konnect does.
func withSlug(next func(value.Value) (value.Value, diag.List)) func(value.Value) (value.Value, diag.List) {
	return func(v value.Value) (value.Value, diag.List) {
		v, diags := next(v)
		title := v.Field("title")
		text, ok := title.Text()
		slug := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
		if v.Has("slug") || !ok || slug == "" {
			return v, diags
		}
		return v.With(value.Entry{Key: "slug", KeyPos: v.KeyPos("title"), Value: value.StringAt(title.Pos(), slug)}), diags
	}
}

// without returns a Normalize that leaves out what Konnect had once, and says so.
func without(fields ...string) func(value.Value) (value.Value, diag.List) {
	return func(v value.Value) (value.Value, diag.List) {
		var diags diag.List
		for _, f := range fields {
			if v.Has(f) {
				diags = append(diags, diag.Warn(diag.CfgGone, v.KeyPos(f), fmt.Sprintf("Konnect has no field %s any more: it is ignored.", f), "remove it."))
			}
		}
		return v.Without(fields...), diags
	}
}

// olderThan warns of fields with a prefix that another key has taken the place of.
// They still work.
func olderThan(prefix, key string) func(value.Value) (value.Value, diag.List) {
	return func(v value.Value) (value.Value, diag.List) {
		for _, e := range v.Entries() {
			if strings.HasPrefix(e.Key, prefix) && e.Value.Kind() != value.Null {
				says := fmt.Sprintf("The fields %s* are an older form: Konnect keeps several providers now.", prefix)
				return v, diag.List{diag.Warn(diag.CfgOlder, e.KeyPos, says, fmt.Sprintf("declare the provider under %s.", key))}
			}
		}
		return v, nil
	}
}
