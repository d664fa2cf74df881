package emulator

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// origin is where a rule of behaviour is known from.
type origin string

const (
	fromContract origin = "contract"
	fromSpec     origin = "spec"
	fromFacts    origin = "facts"
	assumed      origin = "assumed"
)

// rule is one row of the table of behaviour: something about a type that the
// contract cannot say. Each row sets one of the fields below its sentence.
type rule struct {
	kind   string
	source origin
	says   string

	// values are given to fields that a new resource leaves out.
	values map[string]any
	// expand rewrites a body before it is validated.
	expand func(body map[string]any)
	// fill works out what was left out, after every write, and may refuse.
	fill func(scene, *store.Record) error
	// check refuses what the contract lets pass.
	check func(scene, *store.Record) error
	// view adds to what answers can show and filters can see.
	view func(scene, *store.Record, map[string]any)
	// byName: the name may stand in the path in place of the id.
	byName bool
	// unique are the fields that no two may share, where it is not the identity.
	unique []string
	// also are fields beside it that no two may share; + joins several.
	also []string
	// alike makes texts of the identity equal that stand for the same.
	alike func(string) string
	// points are references that the catalog does not have.
	points []catalog.Reference
	// loose are references that are not followed.
	loose []string
	// moves: a move takes -1 for the last place, and null for the top.
	moves bool
	// seeds exist in a new organization.
	seeds []map[string]any
	// makes adds what comes into being with a new resource.
	makes func(scene, *store.Record) error
	// variant names the schema of a body, where the contract has several that
	// it fits.
	variant func(body map[string]any) string
	// around adds to the mapping that an answer is wrapped in.
	around func(scene, *call, *store.Record, map[string]any)
	// verbatim is a field that answers show as it is, with null where the
	// contract has none.
	verbatim string
	// marks are kept by the service and lead to a record as references do.
	marks []string
	// guard may refuse a deletion.
	guard func(scene, *store.Record) error
	// part tidies up when a resource is gone.
	part func(scene, *store.Record)
	// hide takes secrets out of what people are shown.
	hide func(scene, map[string]any)
	// patched tells of types whose PATCH stands for a PUT of what it makes.
	patched func(*catalog.Bound) bool
	// forced are references that refuse a deletion without force=true, and
	// cascade with it.
	forced []string
}

// everyType stands in a row for all types.
const everyType = "*"

// conduct is all rules of one type.
type conduct struct {
	values []map[string]any
	expand func(map[string]any)
	fills  []func(scene, *store.Record) error
	checks []func(scene, *store.Record) error
	views  []func(scene, *store.Record, map[string]any)
	byName bool
	unique []string
	also   []string
	alike  func(string) string
	points []catalog.Reference
	loose  map[string]bool
	moves  bool
	seeds  []map[string]any
	makes  []func(scene, *store.Record) error
	forced map[string]bool

	variant  func(map[string]any) string
	verbatim string
	around   func(scene, *call, *store.Record, map[string]any)
	marks    []string
	guards   []func(scene, *store.Record) error
	parts    []func(scene, *store.Record)
	hide     func(scene, map[string]any)
	patched  func(*catalog.Bound) bool
}

func conducts(rules []rule) map[string]*conduct {
	out := map[string]*conduct{}
	for _, r := range rules {
		c := out[r.kind]
		if c == nil {
			c = &conduct{loose: map[string]bool{}, forced: map[string]bool{}}
			out[r.kind] = c
		}
		if r.values != nil {
			c.values = append(c.values, r.values)
		}
		if r.expand != nil {
			c.expand = r.expand
		}
		if r.fill != nil {
			c.fills = append(c.fills, r.fill)
		}
		if r.view != nil {
			c.views = append(c.views, r.view)
		}
		c.byName = c.byName || r.byName
		c.moves = c.moves || r.moves
		if r.unique != nil {
			c.unique = r.unique
		}
		if r.alike != nil {
			c.alike = r.alike
		}
		for _, f := range r.loose {
			c.loose[f] = true
		}
		c.seeds = append(c.seeds, r.seeds...)
		if r.makes != nil {
			c.makes = append(c.makes, r.makes)
		}
		for _, f := range r.forced {
			c.forced[f] = true
		}
		c.also = append(c.also, r.also...)
		c.points = append(c.points, r.points...)
		c.marks = append(c.marks, r.marks...)
		c.gateway(r)
	}
	return out
}

// gateway takes over what only core entities of gateways need.
func (c *conduct) gateway(r rule) {
	if r.variant != nil {
		c.variant = r.variant
	}
	if r.verbatim != "" {
		c.verbatim = r.verbatim
	}
	if r.around != nil {
		c.around = r.around
	}
	if r.check != nil {
		c.checks = append(c.checks, r.check)
	}
	if r.guard != nil {
		c.guards = append(c.guards, r.guard)
	}
	if r.part != nil {
		c.parts = append(c.parts, r.part)
	}
	if r.hide != nil {
		c.hide = r.hide
	}
	if r.patched != nil {
		c.patched = r.patched
	}
}

func (s *Server) conduct(b *catalog.Bound) *conduct {
	if c := s.conducts[b.Kind]; c != nil {
		return c
	}
	return &conduct{}
}

func (c *conduct) defaults(fields map[string]any) {
	for _, values := range c.values {
		for k, v := range values {
			if _, ok := fields[k]; !ok {
				fields[k] = clone(v)
			}
		}
	}
}

// references are the fields that lead to other resources.
func (c *conduct) references(b *catalog.Bound) []catalog.Reference {
	return append(slices.Clip(b.References), c.points...)
}

// identity are the fields that no two resources below one owner share.
func (c *conduct) identity(b *catalog.Bound) []string {
	if c.unique != nil {
		return c.unique
	}
	return b.Identity
}

// seed puts what a new organization has, where it is not there.
func (s *Server) seed() error {
	missing := false
	if err := s.o.Store.View(func(tx store.Tx) error {
		missing = founder(tx) == nil
		return s.eachSeed(func(region string, rec *store.Record) {
			missing = missing || s.scene(tx, region).tx.Get(rec.Kind, rec.ID) == nil
		})
	}); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if !missing {
		return nil
	}
	if err := s.o.Store.Update(s.sow); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func (s *Server) sow(tx store.Tx) error {
	s.found(tx)
	return s.eachSeed(func(region string, rec *store.Record) {
		if in := s.scene(tx, region).tx; in.Get(rec.Kind, rec.ID) == nil {
			in.Put(rec)
		}
	})
}

func (s *Server) eachSeed(f func(region string, rec *store.Record)) error {
	now := s.o.Clock().UTC()
	for _, kind := range slices.Sorted(maps.Keys(s.conducts)) {
		b := s.cat.Kind(kind)
		if b == nil {
			continue
		}
		for _, fields := range s.conducts[kind].seeds {
			rec := &store.Record{Kind: kind, Created: now, Updated: now, Fields: cloneMap(fields), Made: map[string]any{}}
			if b.SystemFlag != "" {
				rec.Made[b.SystemFlag] = true
			}
			rec.Unique = s.unique(b, rec)
			rec.ID = uuid.NewSHA1(uuid.Nil, []byte(kind+"\x00"+rec.Unique)).String()
			if s.global[kind] {
				f("", rec)
				continue
			}
			for _, region := range regions() {
				f(region, rec)
			}
		}
	}
	return nil
}
