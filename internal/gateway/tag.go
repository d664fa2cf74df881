package gateway

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	variableTag    = "A select tag comes from a variable. Plans show the tags, and what a variable holds must not be shown."
	variableTagFix = "write the tag itself."
)

// checkTags tells of select tags that depend on a variable.
func (d *Document) checkTags(r rendered, where func(...string) value.Pos) (diags diag.List) {
	if len(r.secrets) == 0 || !strings.Contains(r.text, "select_tags") {
		return nil
	}
	depends := false
	for _, text := range []string{r.still, r.other} {
		data, _, err := decodeYAML([]byte(text))
		if err != nil { // a variable holds more than one value; only its text can tell
			depends = depends || slices.ContainsFunc(d.SelectTags, func(tag string) bool {
				return slices.ContainsFunc(r.secrets, func(s string) bool { return s != "" && (strings.Contains(s, tag) || strings.Contains(tag, s)) })
			})
			continue
		}
		depends = depends || !slices.Equal(d.SelectTags, tags(asMap(asMap(data)["_info"])["select_tags"]))
	}
	if depends {
		diags.Add(diag.DeckTemplate, where("_info", "select_tags"), variableTag, variableTagFix)
	}
	return diags
}
