package catalog

import (
	"encoding/json"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// noSpecification is why the kind of a specification is kept where nobody can tell
// what Konnect would choose.
const noSpecification = "Konnect works it out from the content, which is neither OpenAPI nor AsyncAPI"

// specificationKinds are the kinds of specifications by the key at their top.
var specificationKinds = map[string]string{"asyncapi": "asyncapi", "openapi": "oas3", "swagger": "oas2"}

var specificationKey = pattern.New(`(?m)^["']?(asyncapi|openapi|swagger)["']?[ \t]*:`)

// kindOfContent is the kind of specification that Konnect finds in a content. The
// contract says that it does, and names the kinds.
func kindOfContent(fields map[string]any) any {
	text, known := fields["content"].(string)
	switch {
	case !known:
		return value.Unknown{}
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return kindOfJSON(text)
	}
	if m := specificationKey.FindStringSubmatch(text); m != nil {
		return specificationKinds[m[1]]
	}
	return nil
}

// kindOfJSON looks at the keys at the top, up to the one that says it.
func kindOfJSON(text string) any {
	in := json.NewDecoder(strings.NewReader(text))
	_, _ = in.Token() // the brace
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil
		}
		if name, _ := key.(string); specificationKinds[name] != "" {
			return specificationKinds[name]
		}
		var skipped json.RawMessage
		if in.Decode(&skipped) != nil {
			return nil
		}
	}
	return nil
}
