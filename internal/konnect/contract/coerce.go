package contract

import "github.com/kongctl/kongctl/internal/value"

// Coerce turns a variable's text into the number or boolean that a field with
// this schema takes; without a schema it stays as it is.
func (s *Schema) Coerce(v any) any {
	if s == nil {
		return v
	}
	return value.Coerce(string(s.Type), v)
}
