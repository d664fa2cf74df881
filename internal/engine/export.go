package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// ExportRequest says what to export, and how.
type ExportRequest struct {
	Read  export.Options
	Write export.WriteOptions
	// Terraform asks for import blocks in place of configuration.
	Terraform bool
}

// Exported is an export; Failed counts the parts that could not be read.
type Exported struct {
	*export.Output
	Failed int
}

// Export reads what exists as configuration.
func (e *Engine) Export(ctx context.Context, r ExportRequest) (*Exported, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	var snap *export.Snapshot
	var parts []*dumped
	err = e.phase(event.Reading, func() (_ int, err error) {
		if snap, err = export.Read(ctx, s.target, s.catalog, r.Read); err == nil && r.Read.Children && !r.Terraform {
			parts, err = s.dumps(ctx, snap)
		}
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	if len(snap.Roots) == 0 && len(r.Read.Filters) > 0 && len(snap.Failed) == 0 {
		return nil, nothingFits(r.Read.Filters)
	}
	if r.Terraform {
		return &Exported{Output: export.Terraform(snap), Failed: len(snap.Failed)}, nil
	}
	more, list, failed, err := extras(parts, r.Write)
	if err != nil {
		return nil, err
	}
	r.Write.Extras = more
	out, err := export.Write(snap, r.Write)
	if err != nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, list...)
	return &Exported{Output: out, Failed: len(snap.Failed) + failed}, nil
}

// dumped is what decK manages on a control plane, or why it could not be read.
type dumped struct {
	on   *export.Resource
	root map[string]any
	err  error
}

// dumpers bounds how many control planes are read at once; how many requests run
// is the client's business.
const dumpers = 8

// dumps reads what decK manages on the control planes of a snapshot. It is
// exported with what it belongs to.
func (s *session) dumps(ctx context.Context, snap *export.Snapshot) ([]*dumped, error) {
	var out []*dumped
	var g errgroup.Group
	g.SetLimit(dumpers)
	for _, x := range snap.All() {
		if !x.Chosen() || !gateway.WorksBelow(x.Type.Neutral()) || !gateway.Writable(x.Object.Fields) {
			continue
		}
		d := &dumped{on: x}
		out = append(out, d)
		g.Go(func() error {
			d.root, d.err = native.Dump(ctx, s.client, gateway.ControlPlane{ID: x.Object.ID, Name: x.Name()})
			if d.err != nil && (resource.Unauthorized(d.err) || ctx.Err() != nil) {
				return d.err
			}
			return nil
		})
	}
	return out, g.Wait()
}

// extras makes parts of an export of what decK manages. Failed counts what could
// not be read.
func extras(list []*dumped, o export.WriteOptions) (out map[*resource.Object]*export.Extra, warnings diag.List, failed int, err error) {
	taken := map[string]bool{}
	out = map[*resource.Object]*export.Extra{}
	for _, x := range list {
		if x.err != nil {
			failed++
			ways := []string{"leave it out with --include-child-resources=false"}
			if resource.Denied(x.err) || resource.Withheld(x.err) {
				ways = append([]string{"give the token the right to read it"}, ways...)
			}
			warnings = append(warnings, diag.Warn(diag.ExpUnreadable, value.Pos{},
				fmt.Sprintf("What %s manages on %s could not be read and is not in the export: %v", GatewayTool, x.on.Describe(), x.err),
				o.Fix("correct or delete there what the error names.", ways...)))
			continue
		}
		d := gateway.NewDump(x.root, x.on.Name(), taken)
		if d.Empty() {
			continue
		}
		extra := &export.Extra{Key: gateway.ExtraKey, Suffix: gateway.FileSuffix, Named: d.Named, Inline: d.Inline(), Variables: map[string]string{}, Size: d.Size()}
		if extra.File, err = d.File(); err != nil {
			return nil, nil, 0, err
		}
		var names []string
		for _, secret := range d.Secrets {
			names = append(names, secret.Variable)
			extra.Variables[secret.Variable] = secret.StandIn()
		}
		if len(names) > 0 {
			warnings = append(warnings, diag.Warn(diag.ExpSecret, value.Pos{},
				fmt.Sprintf("Secrets that %s manages on %s are not in the export; it takes them from variables:\n%s", GatewayTool, x.on.Describe(), strings.Join(names, "\n")),
				"set the variables to the secrets before you use the export: "+GatewayTool+" compares them."))
		}
		out[x.on.Object] = extra
	}
	return out, warnings, failed, nil
}

// Regions lists the regions besides its own in which an embedded Konnect holds
// something.
func (e *Engine) Regions(ctx context.Context) ([]string, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.about.State(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for kind, list := range state {
		name, region, other := strings.Cut(kind, "@")
		if b := s.catalog.Kind(name); b != nil && b.ReadOnly {
			continue // Konnect has them in every region
		}
		if other && len(list) > 0 && !slices.Contains(out, region) {
			out = append(out, region)
		}
	}
	slices.Sort(out)
	return out, nil
}

// seed is what only a state says.
type seed = export.State

// takeState takes what only a state says out of the documents of a seed.
func (w *Walk) takeState() error {
	docs, state, list := export.TakeState(w.Files.Documents, w.Request.Region)
	w.Files.Documents, w.seed = docs, state
	return w.found(list)
}

// regions are the others that a seed has something for.
func (w *Walk) regions() []string {
	if w.seed == nil {
		return nil
	}
	return w.seed.Regions
}

// standIns let a seed do without the variables that hold secrets: an embedded
// Konnect makes no use of them. Those that are set count.
type standIns struct {
	env  func(string) (string, bool)
	made map[string]string // of the state that is the seed
}

func (s *standIns) lookup(name string) (string, bool) {
	v, set := s.env(name)
	if standIn, made := s.made[name]; !set && made {
		return standIn, true
	}
	return v, set
}

// fill makes of a plan one that fills an empty embedded Konnect: labels as a
// state has them, and siblings made in their order.
func (w *Walk) fill() error {
	cat, err := w.konnect().Catalog()
	if err != nil {
		return err
	}
	if w.seed != nil {
		w.seed.Restore(cat, w.Plan, w.Env)
		return nil
	}
	export.KeepOrder(cat, w.Plan)
	return nil
}

// nothingFits says why a filter may have found nothing: what is not managed has
// no namespace.
func nothingFits(filters []export.Filter) error {
	for _, f := range filters {
		if f.Namespace != "" {
			return fmt.Errorf("nothing in Konnect fits the filter: only resources that kongctl manages have a namespace, and none that fits is in %q. Leave namespace out of --filter to see the others, and mark them with kongctl adopt", f.Namespace)
		}
	}
	return errors.New("nothing in Konnect fits the filter")
}
