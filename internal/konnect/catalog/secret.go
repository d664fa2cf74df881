package catalog

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// SecretForm is how a configuration gives a field a secret from a source: in a list where
// the field is one.
func SecretForm(s *contract.Schema, source string) string {
	if s = s.Deref(); s != nil && s.Type == "array" {
		return fmt.Sprintf("[!secret {source: %s}]", source)
	}
	return fmt.Sprintf("!secret {source: %s}", source)
}
