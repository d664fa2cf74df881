//go:build !nonative

package native

import (
	"cmp"
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

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
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
	// building is the part of the work in which the files alone are at fault,
	// unless a request failed.
	building bool

	client  *kong.Client
	schemas *schema.Registry
	sides
	is      *state.KongState // made of the current side
	planned *ready
}

// sides are the live and the desired state.
type sides struct{ current, target *utils.KongRawState }

// prepare reads both sides, or takes what the Diff before read.
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
	s.gate.secrets = gateway.Long(s.request.Secrets)
	if ready := s.gate.ready; ready != nil && ready.key == s.request.Key() {
		s.sides, s.planned = ready.sides, ready
		return s.connect()
	}
	content := &file.Content{FormatVersion: gateway.FormatVersion}
	if s.request.Mode != gateway.Delete {
		var err error
		s.building = true
		if content, err = contentOf(s.request); err != nil {
			return err
		}
		s.building = false
	}
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
	var err error
	s.current, err = readAll(s.ctx, s.client, config)
	// Whatever went wrong ahead goes wrong again where it is needed.
	_ = ahead.Wait()
	if err != nil {
		return err
	}
	s.target, err = s.wanted(content, config)
	return err
}

func (s *session) wanted(content *file.Content, config dump.Config) (*utils.KongRawState, error) {
	if s.request.Mode == gateway.Delete {
		return &utils.KongRawState{}, nil
	}
	version, err := utils.ParseKongVersion(kongVersion)
	if err != nil {
		return nil, err
	}
	var there []*kong.KeySet
	if config.IsPartialApply {
		there = s.current.KeySets
	}
	s.building = false
	if s.is, err = state.Get(s.current); err != nil {
		return nil, err
	}
	s.building = true
	if err := checkSets(content, there); err != nil {
		return nil, err
	}
	target, err := file.Get(s.ctx, content, file.RenderConfig{CurrentState: s.is, KongVersion: version}, config, s.client)
	if err != nil {
		return nil, err
	}
	s.building = false
	withDefaults(target.Oauth2Creds)
	return target, nil
}

func (s *session) dumpConfig(c *file.Content) dump.Config {
	out := dump.Config{
		// What it is called does not matter: a name makes it Konnect's.
		KonnectControlPlane:                cmp.Or(s.request.ControlPlane.Name, "control plane"),
		SelectorTags:                       slices.Clone(s.request.Flags.SelectTags),
		SkipConsumers:                      s.request.Flags.SkipConsumers,
		IsPartialApply:                     s.request.Mode == gateway.Apply,
		CustomEntityTypes:                  []string{degraphqlRoutes},
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
func (s *session) solve(dry bool) ([]plan.Part, error) {
	syncer, err := s.syncer()
	if err != nil {
		return nil, s.fail(err)
	}
	parallel := s.request.Flags.Parallelism
	if parallel < 1 {
		parallel = defaultParallelism
	}
	out := &outcome{errs: map[int]error{}}
	done := make(chan struct{})
	s.gate.setFailed(false)
	go func() {
		defer close(done)
		for a := range syncer.GetResultChan() {
			out.add(a)
		}
	}()
	_, errs, _ := syncer.Solve(context.WithoutCancel(s.ctx), parallel, dry, false)
	<-done
	changes, failed := out.result(namesOf(s.current, s.target), s.request.Secrets)
	s.planned.asPlanned(changes)
	if err := s.ctx.Err(); err != nil && len(errs) == 0 && dry {
		errs = []error{err}
	}
	if len(errs) > 0 || len(failed) > 0 {
		return changes, s.failAll(errs, failed)
	}
	if dry {
		s.gate.ready = &ready{key: s.request.Key(), sides: s.without(out.edits), changes: changes}
	}
	return changes, nil
}

// syncer brings the current state along, so that it serves once.
func (s *session) syncer() (*diff.Syncer, error) {
	current, err := s.is, error(nil)
	if s.is = nil; current == nil {
		if current, err = state.Get(s.current); err != nil {
			return nil, err
		}
	}
	s.building = true
	target, err := state.Get(s.target)
	if err != nil {
		return nil, err
	}
	s.building = false
	return diff.NewSyncer(diff.SyncerOpts{
		CurrentState: current, TargetState: target,
		KongClient: s.client, SchemaRegistry: s.schemas, IsKonnect: true,
		NoDeletes: s.request.Mode == gateway.Apply,
		// Its masking would read the environment; ours goes by field.
		NoMaskValues:        true,
		EnableEntityActions: true,
		SilenceWarnings:     true,
		CreatePrintln:       quiet, UpdatePrintln: quiet, DeletePrintln: quiet,
	})
}

func quiet(...any) {}
