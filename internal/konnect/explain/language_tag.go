package explain

import "strings"

// Tag is a tag of the configuration language.
type Tag struct {
	Name string `json:"name"`
	// Forms are the ways to write it.
	Forms []string `json:"forms"`
	Says  string   `json:"description"`
}

// Tags are the tags that a value may be written with.
func Tags() []Tag {
	return []Tag{
		{"!ref", []string{"!ref NAME", "!ref NAME#FIELD"}, "The id, or another field, of a resource of the configuration, by its ref or name. Fields that refer to resources take a plain name as well. A value that only exists after the run is filled in then."},
		{"!lookup", []string{"!lookup name:NAME", "!lookup {name: NAME}"}, "The id of a resource that exists in Konnect and is not part of the configuration. Its type follows from the field; exactly one resource must match. !external is the same."},
		{"!env", []string{"!env VARIABLE", "!env VARIABLE#PATH", "!env {var: VARIABLE, extract: PATH}"}, "The value of an environment variable, or a part of it where it holds JSON or YAML. The plan keeps the name and not the value."},
		{"!file", []string{"!file PATH", "!file PATH#PATH_INSIDE", "!file {path: PATH, extract: PATH_INSIDE}"}, "The content of a file, or a part of it. The path starts at the file that names it and stays inside the base folder (--base-dir). Images become data URLs where the field takes one, and JSON or YAML becomes a mapping or list where the field takes that."},
		{"!secret", []string{"!secret {source: !env VARIABLE}", "!secret {source: !file PATH}", "!secret {parts: [\"Bearer \", !env VARIABLE]}"}, "The value of a secret field. It is read when it is written: when the resource is created, and later only with --write-secret or --write-secrets. It is never in a plan, a log or a journal."},
	}
}

// TagsText describes the tags, for people.
func TagsText(o TextOptions) string {
	var b strings.Builder
	hang(&b, "", "Tags: how a value is written that stands elsewhere. A tag takes the place of a plain value.", o.Width)
	for _, t := range Tags() {
		b.WriteString("\n")
		for _, f := range t.Forms {
			b.WriteString(f + "\n")
		}
		width := o.Width
		if width <= 0 {
			width = widestList
		}
		hang(&b, "    ", t.Says, width)
	}
	b.WriteString("\n")
	hang(&b, "", "!env and !file stand inside !secret, and !env inside !lookup. Other tags do not nest.", o.Width)
	return b.String()
}
