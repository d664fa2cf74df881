package catalog

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// Content is the field whose front matter may stand for others, and OverrideKey the key
// beside it that lets these say something else.
const (
	Content     = "content"
	OverrideKey = "override_front_matter"
)

// overrides is the key in words.
var overrides = Loaded{
	Field: OverrideKey,
	Says:  "true: fields that are written here may say something else than the front matter of content, and win",
}

// Normalizer rewrites what people write: fields come from the front matter, what is
// ignored goes, then comes what the type's own hook does, then documents become texts. It is nil where nothing is
// rewritten.
func Normalizer(b *Bound) func(value.Value) (value.Value, diag.List) {
	var steps []func(value.Value) (value.Value, diag.List)
	if len(b.FrontMatter) > 0 {
		steps = append(steps, func(v value.Value) (value.Value, diag.List) { return withFrontMatter(v, b.FrontMatter) })
	}
	if slices.ContainsFunc(b.Loads, func(l Loaded) bool { return l.Ignored }) {
		steps = append(steps, func(v value.Value) (value.Value, diag.List) { return withoutIgnored(b, v) })
	}
	if b.Normalize != nil {
		steps = append(steps, b.Normalize)
	}
	if slices.ContainsFunc(b.Formats, func(f Formatted) bool { return TakesDocument(b, strings.Split(f.Field, ".")) }) {
		steps = append(steps, func(v value.Value) (value.Value, diag.List) { return withDocuments(b, v) })
	}
	if len(steps) == 0 {
		return nil
	}
	return func(v value.Value) (value.Value, diag.List) {
		var diags diag.List
		for _, step := range steps {
			var more diag.List
			v, more = step(v)
			diags = append(diags, more...)
		}
		return v, diags
	}
}

// withFrontMatter takes fields from the front matter of a Markdown content. Konnect
// reads it too, so a field written twice must agree, unless a key says that it need not.
func withFrontMatter(v value.Value, fields []string) (value.Value, diag.List) {
	var diags diag.List
	key := v.Field(OverrideKey)
	override, isBool := key.Bool()
	if !key.IsAbsent() && !isBool {
		diags.Add(diag.ValType, key.Pos(), fmt.Sprintf("The key %s must be true or false.", OverrideKey), fmt.Sprintf("write %s: true, or remove it.", OverrideKey))
	}
	v = v.Without(OverrideKey)
	content := v.Field(Content)
	text, ok := content.Text()
	if !ok {
		return v, diags
	}
	for _, f := range FrontMatter(text, fields) {
		written := v.Field(f.Name)
		if written.IsAbsent() {
			v = v.With(value.Entry{Key: f.Name, KeyPos: content.Pos(), Value: value.StringAt(content.Pos(), f.Text)})
			continue
		}
		if w, ok := written.Text(); ok && w != f.Text && !override {
			diags.Add(diag.CfgFrontMatter, written.Pos(),
				fmt.Sprintf("The field %s is %q here and %q in the front matter of the content.", f.Name, w, f.Text),
				fmt.Sprintf("write it in one of the two places only, or add %s: true to use the fields that are written here.", OverrideKey))
		}
	}
	return v, diags
}

// Overridden are the fields of a resource that say something else than the front matter
// of a content that a request sends. Konnect reads the front matter where a request lacks
// them.
func Overridden(b *Bound, sent, fields map[string]any) map[string]any {
	out := map[string]any{}
	text, _ := sent[Content].(string)
	for _, f := range FrontMatter(text, b.FrontMatter) {
		if v, ok := fields[f.Name]; ok && v != f.Text {
			out[f.Name] = v
		}
	}
	return out
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
func withSlug(v value.Value) (value.Value, diag.List) {
	title := v.Field("title")
	text, ok := title.Text()
	slug := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if v.Has("slug") || !ok || slug == "" {
		return v, nil
	}
	return v.With(value.Entry{Key: "slug", KeyPos: v.KeyPos("title"), Value: value.StringAt(title.Pos(), slug)}), nil
}

// withoutIgnored leaves out the fields that load and are ignored. A warning names those
// that say something.
func withoutIgnored(b *Bound, v value.Value) (value.Value, diag.List) {
	var diags diag.List
	for _, l := range b.Loads {
		if !l.Ignored || !v.Has(l.Field) {
			continue
		}
		if v.Field(l.Field).Kind() != value.Null {
			diags = append(diags, diag.Warn(diag.CfgIgnored, v.KeyPos(l.Field), fmt.Sprintf("The field %s is %s.", l.Field, l.Says), "remove it."))
		}
		v = v.Without(l.Field)
	}
	return v, diags
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
