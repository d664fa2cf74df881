//go:build !nonative

package native

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/kong/go-database-reconciler/pkg/diff"
	"github.com/kong/go-database-reconciler/pkg/dump"
	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-database-reconciler/pkg/schema"
	"github.com/kong/go-database-reconciler/pkg/state"
	"github.com/kong/go-database-reconciler/pkg/utils"
	"github.com/kong/go-kong/kong"
	"golang.org/x/sync/errgroup"

	"kongctl/internal/target/gateway"
)

const (
	defaultParallelism = 10
	// kongVersion is what decK's command says of Konnect, which is always of
	// the latest version.
	kongVersion = "3.5.0.0"
)

// costs is a kind whose list the library reads service by service, one after
// the other: only when the files have it.
const costs = dump.GraphQLRLCostDecorationEntityType

// session is one pass of the library over a control plane.
type session struct {
	ctx     context.Context
	gate    *gate
	request gateway.Request
	op      string

	client          *kong.Client
	schemas         *schema.Registry
	current, target *state.KongState
	refs            references
}

// prepare reads both sides: what is, and what shall be.
func (s *session) prepare() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	switch {
	case s.request.ControlPlane.ID == "":
		return errors.New("the control plane does not exist")
	case s.request.Mode == gateway.Delete && len(s.request.Flags.SelectTags) == 0:
		return errors.New("delete needs select tags: without them all of the control plane's configuration would go")
	}
	content := &file.Content{FormatVersion: formatVersion}
	if s.request.Mode != gateway.Delete {
		var err error
		if content, err = contentOf(s.request); err != nil {
			return err
		}
	}
	s.gate.secrets = s.request.Secrets
	s.gate.reading = readingFor(s.request, content)
	if err := s.connect(); err != nil {
		return err
	}
	return s.read(content)
}

// connect makes a client of the library that can reach the service through the
// gate only.
func (s *session) connect() error {
	client, err := kong.NewClient(&s.gate.base, &http.Client{Transport: closed{}})
	if err != nil {
		return err
	}
	client.SetKonnectFlag(true)
	s.client = client.SetDoer(s.gate.doer(s.ctx))
	s.schemas = schema.NewRegistry(s.client, true)
	return nil
}

// closed is the transport of a client whose requests all go another way.
type closed struct{}

func (closed) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("a request went past our client")
}

func (s *session) read(content *file.Content) error {
	config := s.dumpConfig(content)
	if err := lookUp(s.ctx, s.client, content, &config); err != nil {
		return err
	}
	var ahead errgroup.Group
	s.readAhead(&ahead, content)
	raw, err := dump.Get(s.ctx, s.client, config)
	// Whatever went wrong ahead goes wrong again where it is needed.
	_ = ahead.Wait()
	if err != nil {
		return err
	}
	if s.current, err = state.Get(raw); err != nil {
		return err
	}
	if s.target, err = s.wanted(content, config); err != nil {
		return err
	}
	s.refs, err = referencesOf(s.current, s.target)
	return err
}

func (s *session) wanted(content *file.Content, config dump.Config) (*state.KongState, error) {
	if s.request.Mode == gateway.Delete {
		return state.NewKongState()
	}
	version, err := utils.ParseKongVersion(kongVersion)
	if err != nil {
		return nil, err
	}
	render := file.RenderConfig{CurrentState: s.current, KongVersion: version}
	raw, err := file.Get(s.ctx, content, render, config, s.client)
	if err != nil {
		return nil, err
	}
	return state.Get(raw)
}

func (s *session) dumpConfig(c *file.Content) dump.Config {
	name := s.request.ControlPlane.Name
	if name == "" {
		name = s.request.ControlPlane.ID
	}
	out := dump.Config{
		KonnectControlPlane:                name,
		SelectorTags:                       slices.Clone(s.request.Flags.SelectTags),
		SkipConsumers:                      s.request.Flags.SkipConsumers,
		IsPartialApply:                     s.request.Mode == gateway.Apply,
		CustomEntityTypes:                  []string{"degraphql_routes"},
		SkipCustomEntitiesWithSelectorTags: true,
		SchemaRegistry:                     s.schemas,

		IsConsumerGroupScopedPluginSupported: true,
	}
	for _, e := range c.CustomEntities {
		if e.Type != nil && *e.Type == costs && !slices.Contains(out.CustomEntityTypes, costs) {
			out.CustomEntityTypes = append(out.CustomEntityTypes, costs)
		}
	}
	if c.Info != nil {
		out.IsConsumerGroupPolicyOverrideSet = c.Info.ConsumerGroupPolicyOverrides
		out.SkipHashForBasicAuth = c.Info.SkipHashForBasicAuth
		out.IncludePluginDefinitions = c.Info.IncludePluginDefinitions
	}
	return out
}

// solve compares both sides and, unless dry, brings one to the other. The
// library gets a context without an end: it would drop results when that
// comes. The gate ends its requests instead, and the first that fails stops it.
func (s *session) solve(dry bool) ([]gateway.Change, error) {
	syncer, err := diff.NewSyncer(diff.SyncerOpts{
		CurrentState: s.current, TargetState: s.target,
		KongClient: s.client, SchemaRegistry: s.schemas, IsKonnect: true,
		NoDeletes: s.request.Mode == gateway.Apply,
		// Its masking would read the environment; ours goes by field.
		NoMaskValues:        true,
		EnableEntityActions: true,
		SilenceWarnings:     true,
		CreatePrintln:       quiet, UpdatePrintln: quiet, DeletePrintln: quiet,
	})
	if err != nil {
		return nil, s.fail(err)
	}
	parallel := s.request.Flags.Parallelism
	if parallel < 1 {
		parallel = defaultParallelism
	}
	out := &outcome{session: s}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for a := range syncer.GetResultChan() {
			out.add(a)
		}
	}()
	_, errs, _ := syncer.Solve(context.WithoutCancel(s.ctx), parallel, dry, false)
	<-done
	gateway.Sort(out.changes)
	if err := s.ctx.Err(); err != nil && len(errs) == 0 && dry {
		errs = []error{err}
	}
	if len(errs) > 0 || len(out.failed) > 0 {
		return out.changes, s.failAll(errs, out.failed)
	}
	return out.changes, nil
}

func quiet(...any) {}
