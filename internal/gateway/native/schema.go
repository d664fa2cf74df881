//go:build !nonative

package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/kongctl/kongctl/internal/gateway"
)

var _ gateway.SchemaSource = (*engine)(nil)

// PluginSchema asks for the schema of a plugin; the library gets the same answer
// later.
func (e *engine) PluginSchema(ctx context.Context, controlPlane, name string) (map[string]any, error) {
	g := e.gate(controlPlane)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/schemas/plugins/"+url.PathEscape(name), http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := g.once(ctx, g.schemas, req)
	var unknown *unknownPlugin
	switch {
	case errors.As(err, &unknown):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var schema map[string]any
	if err := json.NewDecoder(res.Body).Decode(&schema); err != nil {
		return nil, fmt.Errorf("read the schema of plugin %s: %w", name, err)
	}
	return schema, nil
}
