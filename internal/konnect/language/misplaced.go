package language

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// keyState begins the file that local export writes.
const keyState = "_state"

// metaKeys are the keys of a kongctl block.
var metaKeys = []string{keyNamespace, keyProtected}

const (
	keyNamespace = "namespace"
	keyProtected = "protected"
)

// metaFix says where a key of a kongctl block goes that stands beside it.
func metaFix(t *catalog.Bound, key string) string {
	example := map[string]string{keyNamespace: "my-team", keyProtected: "true"}[key]
	fix := fmt.Sprintf("write it below kongctl: kongctl: {%s: %s}", key, example)
	if t.Parent != nil {
		fix += fmt.Sprintf(", on the %s that it belongs to", top(t))
	}
	return fix + "."
}

// spaceFix explains a key that begins with spaces which YAML does not take for an
// indentation; "" for others.
func spaceFix(key string) string {
	if strings.TrimLeftFunc(key, unicode.IsSpace) == key {
		return ""
	}
	return "indent the line with plain spaces: other characters that look like spaces, such as no-break spaces (U+00A0), are part of the key."
}
