package catalog

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// IsImage reports whether the texts of a schema are images as data URLs.
func IsImage(s *contract.Schema) bool {
	s = s.Deref()
	return s != nil && (strings.HasPrefix(s.Pattern, "^data:image/") || slices.ContainsFunc(s.Branches(), IsImage))
}
