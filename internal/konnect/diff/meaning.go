package diff

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// meaning is a value in a form in which what means the same is equal: numbers
// and texts are what their field takes, certificates have no line ends of their
// own, times are in one zone, host names are in small letters, and documents are
// what they say. The other value is the one that it is compared with.
func (c *comparer) meaning(p value.Path, s *contract.Schema, v, other any) any {
	if text, isText := v.(string); isText {
		switch f, _ := c.t.Format(p.Generic()); f { //nolint:exhaustive // others mean what they say
		case catalog.Document:
			if doc, ok := document(text, isJSON(text) && isJSON(other)); ok {
				return doc
			}
		case catalog.Certificate, catalog.TrustBundle:
			return value.Blocks(text)
		case catalog.Hostname, catalog.Domain, catalog.Slug:
			trimmed, _ := meant(s, text).(string)
			return c.t.UniqueText(p.Generic(), trimmed)
		}
	}
	return meant(s, v)
}

func meant(s *contract.Schema, v any) any {
	s = s.Deref()
	switch x := v.(type) {
	case map[string]any:
		var o *contract.Object
		if s != nil {
			o = s.Object(x)
		}
		out := make(map[string]any, len(x))
		for k, y := range x {
			out[k] = meant(fieldOf(o, k), y)
		}
		return out
	case []any:
		var items *contract.Schema
		if s != nil {
			items = s.Items
		}
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = meant(items, y)
		}
		return out
	case string:
		if strings.Contains(x, "-----BEGIN ") {
			return value.TrimLines(x)
		}
		return taken(s, x)
	default:
		return catalog.AsText(s, v)
	}
}

func fieldOf(o *contract.Object, name string) *contract.Schema {
	if o == nil {
		return nil
	}
	if f := o.Field(name); f != nil {
		return f.Schema
	}
	return o.Values
}

// decimal is the form that the contract gives to numbers that are texts.
const decimal = `^\-?[0-9]+(\.[0-9]+)?$`

var wholeNumber = pattern.New(`^(0|[1-9][0-9]{0,14})$`)

// eitherNumber reports whether a field takes a number or a text: a port is the same in
// both forms.
func eitherNumber(s *contract.Schema) bool {
	has := func(kind contract.Types) bool {
		return slices.ContainsFunc(s.Branches(), func(b *contract.Schema) bool { return b.Type == kind })
	}
	return has("integer") && has("string")
}

// taken is a text as what its field takes: a number, a boolean, a moment.
func taken(s *contract.Schema, text string) any {
	if s == nil {
		return text
	}
	if s.Format == "date-time" {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at.UTC().Format(time.RFC3339Nano)
		}
	}
	if n, ok := new(big.Rat).SetString(text); ok && s.Pattern == decimal {
		return n.RatString()
	}
	if eitherNumber(s) && wholeNumber.MatchString(text) {
		return json.Number(text)
	}
	switch s.Type {
	case "integer", "number":
		if n := json.Number(strings.TrimSpace(text)); json.Valid([]byte(n)) {
			if _, err := n.Float64(); err == nil {
				return n
			}
		}
	case "boolean":
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return text
}
