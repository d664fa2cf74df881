package gateway

import (
	"cmp"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
)

// words are the kinds that decK calls otherwise than the catalog does.
var words = map[string]string{"acl-group": "acl", "jwt-auth": "jwt", "oauth2-cred": "oauth2_credential"}

// PartType is the type of core entities of one of decK's kinds; nil where there is
// none.
func PartType(core *resource.Types, kind string) *resource.Type {
	t := core.Kind(typeOf(kind))
	if t == nil || t.Writer != TargetName {
		return nil
	}
	return t
}

// typeOf is what the catalog calls one of decK's kinds.
func typeOf(kind string) string {
	return TargetName + "_" + cmp.Or(words[kind], strings.ReplaceAll(kind, "-", "_"))
}
