package language

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// noDocuments warns of texts in the place of documents that hold none. It is no error:
// Konnect takes any text. What a file holds is no mistake of these lines.
func noDocuments(c checker) {
	t := catalog.Of(c.r)
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		text, isText := v.Text()
		if !isText || !catalog.TakesDocument(t, p.Generic()) || c.contents[v.Pos()] != "" ||
			strings.TrimSpace(text) == "" || text == catalog.Placeholder || catalog.HoldsMapping(text) {
			return true
		}
		fix := "write the document itself, or name the file that holds it with !file."
		if filePath.MatchString(text) && c.mayShow(p) {
			fix = fmt.Sprintf("did you mean !file %s?", text)
		}
		c.say(diag.Warn(diag.ValFormat, v.Pos(), fmt.Sprintf("The field %s of the %s is no JSON or YAML with a mapping. Konnect takes any text there, so it is sent as it is.", p, c.what()), fix), p)
		return true
	})
}

// mayShow reports whether a message may repeat what stands at a path.
func (c checker) mayShow(p value.Path) bool {
	s := c.schema(p)
	return s != nil && mayQuote(p, s)
}

// filePath is a text that looks like the path of a file with a document.
var filePath = pattern.New(`^[^\s#:,\[\]{}'"]{1,250}\.(ya?ml|json)$`)
