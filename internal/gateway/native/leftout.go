//go:build nonative

package native

import (
	"context"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/plan"
)

// New gives a reconciler that refuses everything: the library was left out.
func New(*client.Client) gateway.Reconciler { return leftOut{} }

// Check finds nothing: the library was left out.
func Check(gateway.Request) error { return nil }

// Dump fails: the library was left out.
func Dump(_ context.Context, _ *client.Client, of gateway.ControlPlane) (map[string]any, error) {
	return nil, refusal("dump", gateway.Request{ControlPlane: of})
}

type leftOut struct{}

func (leftOut) Diff(_ context.Context, r gateway.Request) ([]plan.Part, error) {
	return nil, refusal("diff", r)
}

func (leftOut) Run(_ context.Context, r gateway.Request) ([]plan.Part, error) {
	return nil, refusal(string(r.Mode), r)
}

func refusal(op string, r gateway.Request) error {
	e := &gateway.Error{Op: op, Message: "this build has no native decK: use --deck-mode cli"}
	for _, f := range r.Files {
		e.Files = append(e.Files, f.Name)
	}
	return e
}
