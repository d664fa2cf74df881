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
	"github.com/kongctl/kongctl/internal/konnect/client"
)

var _ gateway.SchemaSource = (*engine)(nil)

// Schema asks for a schema; the library gets the same answer later.
func (e *engine) Schema(ctx context.Context, controlPlane string, of gateway.SchemasOf, name string) (map[string]any, error) {
	g := e.gate(controlPlane)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/schemas/"+string(of)+"/"+url.PathEscape(name), http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := g.once(ctx, g.schemas, req)
	var unknown *unknownPlugin
	switch {
	case errors.As(err, &unknown), client.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var schema map[string]any
	if err := json.NewDecoder(res.Body).Decode(&schema); err != nil {
		return nil, fmt.Errorf("read the schema %s of %s: %w", name, of, err)
	}
	return schema, nil
}
