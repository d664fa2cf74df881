//go:build !nonative

package native

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"

	"github.com/kongctl/kongctl/internal/gateway"
)

// kindOf is the kind of what is written below a path, for the kinds that hold
// secrets.
var kindOf = map[string]string{
	"key-auth": "key-auth", "basic-auth": "basic-auth", "hmac-auth": "hmac-auth", "jwt": "jwt-auth", "oauth2": "oauth2-cred",
	"certificates": "certificate", "keys": "key", "plugins": "plugin", "partials": "partial",
	"vaults": "vault", "filter-chains": "filter-chain",
}

// hidden are the texts of a request that must not come back in an error: those
// that were named, and those in fields of its body that are secret by their
// nature.
func (g *gate) hidden(req *http.Request) ([]string, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return g.secrets, nil
	}
	raw, err := io.ReadAll(req.Body)
	_ = req.Body.Close() // it was read to its end
	if err != nil {
		return nil, fmt.Errorf("%s: the body cannot be read (%T)", req.Method, err)
	}
	req.Body = io.NopCloser(bytes.NewReader(raw))
	// The last segment is an id, or the list itself where something is added.
	kind := cmp.Or(kindOf[path.Base(path.Dir(req.URL.Path))], kindOf[path.Base(req.URL.Path)])
	if kind == "" {
		return g.secrets, nil
	}
	var entity map[string]any
	if err := json.Unmarshal(raw, &entity); err != nil {
		return nil, fmt.Errorf("%s: the body is no JSON (%T)", req.Method, err)
	}
	return append(gateway.SecretTexts(kind, entity), g.secrets...), nil
}
