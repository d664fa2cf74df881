package language

import (
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// inputText is the text of a value that names something, also where a variable holds it:
// it is compared, and never shown.
func inputText(b *state, v value.Value) (string, bool) {
	if text, ok := v.Text(); ok {
		return text, true
	}
	e := v.Expr()
	if e == nil || e.Op != value.OpEnv {
		return "", false
	}
	held, ok := b.opts.Env(e.Name)
	if !ok {
		return "", false // which is reported
	}
	part, err := value.FromEnv(held, e.Field)
	text, isText := part.(string)
	return text, err == nil && isText
}

// nameIn is the text that others name a resource by, also where a variable holds it.
func nameIn(b *state, r *resource.Resource) (string, bool) {
	if id := r.Type.Identity; len(id) == 1 {
		return inputText(b, r.Fields.Field(id[0]))
	}
	return "", false
}
