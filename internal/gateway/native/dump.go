//go:build !nonative

package native

import (
	"context"

	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-database-reconciler/pkg/state"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
)

// Dump reads all that a control plane holds, in the form of decK's files, with
// its secrets. Costs of GraphQL queries, which take a read per service, and the
// code of custom plugins are not among it: a sync leaves them alone, too.
func Dump(ctx context.Context, c *client.Client, of gateway.ControlPlane) (root map[string]any, err error) {
	silence()
	s := &session{ctx: ctx, gate: newGate(c, of.ID), request: gateway.Request{ControlPlane: of, Mode: gateway.Sync}, op: "dump"}
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, s.fail(panicked(p))
		}
	}()
	if err := s.connect(); err != nil {
		return nil, s.fail(err)
	}
	raw, err := readAll(ctx, s.client, s.dumpConfig(&file.Content{}))
	if err != nil {
		return nil, s.fail(err)
	}
	nameless := ofNameless(raw)
	held, err := state.Get(raw)
	if err != nil {
		return nil, s.fail(err)
	}
	content, err := file.KongStateToContent(held, file.WriteConfig{ControlPlaneName: of.Name, KongVersion: kongVersion})
	if err != nil {
		return nil, s.fail(err)
	}
	content.CustomEntities = append(content.CustomEntities, nameless...)
	return gateway.Object(content)
}
