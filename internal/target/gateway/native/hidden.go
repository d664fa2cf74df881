//go:build !nonative

package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"kongctl/internal/target/gateway"
)

// kindOf is the kind of what is written below a path, for the kinds that hold
// secrets.
var kindOf = map[string]string{
	"key-auth": "key-auth", "basic-auth": "basic-auth", "hmac-auth": "hmac-auth", "jwt": "jwt-auth",
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
	kind := kindOf[path.Base(path.Dir(req.URL.Path))]
	if kind == "" {
		return g.secrets, nil
	}
	var entity map[string]any
	if err := json.Unmarshal(raw, &entity); err != nil {
		return nil, fmt.Errorf("%s: the body is no JSON (%T)", req.Method, err)
	}
	return append(secretsIn(kind, entity), g.secrets...), nil
}

// secretsIn are the secret texts of an entity.
func secretsIn(kind string, entity map[string]any) []string {
	plugin, _ := entity["name"].(string)
	var out []string
	var walk func(at []string, v any)
	walk = func(at []string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(append(at[:len(at):len(at)], k), x)
			}
		case []any:
			for _, x := range v {
				walk(at, x)
			}
		case string:
			// Whatever is shorter stands in ordinary words, too.
			if len(strings.TrimSpace(v)) >= 4 && gateway.Secret(kind, plugin, at) && !gateway.IsVaultReference(v) {
				out = append(out, v)
			}
		}
	}
	walk(nil, entity)
	return out
}
