package model

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Origin is where a rule is known from.
type Origin string

// Where rules are known from.
const (
	FromContract Origin = "contract"
	FromSpec     Origin = "spec"
	FromFacts    Origin = "facts"
	Assumed      Origin = "assumed"
)

// Family is what the contract cannot express about the types of one family.
type Family struct {
	Rules []Rule
	Fixed []Fixed
	// Shared are kinds of records that no type of the catalog has, kept for the whole
	// organization.
	Shared []string
}

// Rule is something about a type that the contract cannot express. A row of a
// family sets one of the fields below its sentence; the rows of a kind are
// joined into one.
type Rule struct {
	Kind   string
	Source Origin
	Says   string

	// Values are given to fields that a new resource leaves out.
	Values map[string]any
	// Bare are fields that have no default in such a body, where they are left out.
	Bare func(body map[string]any) []string
	// Expand rewrites a body before it is validated.
	Expand func(body map[string]any)
	// Fill works out what was left out, after every write, and may refuse.
	Fill Step
	// Check refuses what the contract lets pass.
	Check Step
	// View adds to what answers can show and filters can see.
	View func(Scene, *store.Record, map[string]any)
	// Filters are fields of filters with where answers show what they are about.
	Filters map[string]string
	// Listed changes what lists show.
	Listed func(map[string]any)
	// ByName: the name may stand in the path in place of the id.
	ByName bool
	// Unique are the fields that no two may share, where it is not the identity.
	Unique []string
	// Also are fields beside it that no two may share; + joins several.
	Also []string
	// Points are references that the catalog does not have.
	Points []catalog.Reference
	// Loose are references that are not followed.
	Loose []string
	// Moves: a move counts a negative index backwards from the last place, and takes
	// null for the top.
	Moves bool
	// Seeds exist in a new organization.
	Seeds []map[string]any
	// Makes adds what comes into being with a new resource.
	Makes Step
	// Issues is a secret that is made up where a new resource leaves it out, and that
	// the answer to the create alone shows.
	Issues string
	// Variant names the schema of a body, where the contract has several that
	// it fits.
	Variant func(body map[string]any) string
	// Around adds to the mapping that an answer is wrapped in.
	Around func(Scene, *Call, *store.Record, map[string]any)
	// Verbatim is a field that answers show as it is, with null where the
	// contract has none.
	Verbatim string
	// Sparse are fields that answers leave out while they have no value, though they
	// may be null.
	Sparse []string
	// Marks are kept by the service and lead to a record as references do.
	Marks []string
	// Guard may refuse a deletion.
	Guard Step
	// Part tidies up when a resource is gone.
	Part Step
	// Hide takes secrets out of what people are shown.
	Hide func(map[string]any)
	// Patched reports whether the PATCH of a type stands for a PUT of what it
	// makes.
	Patched func(*catalog.Bound) bool
	// Forced are references that refuse a deletion without force=true, and
	// cascade with it.
	Forced []string
}

// EveryType stands in a row for all types.
const EveryType = "*"

// Step works on a record and may refuse it. nil is no step.
type Step func(Scene, *store.Record) error

// Run takes the step.
func (s Step) Run(sc Scene, r *store.Record) error {
	if s == nil {
		return nil
	}
	return s(sc, r)
}

// Then is one step after another.
func (s Step) Then(next Step) Step {
	switch {
	case s == nil:
		return next
	case next == nil:
		return s
	}
	return func(sc Scene, r *store.Record) error {
		if err := s(sc, r); err != nil {
			return err
		}
		return next(sc, r)
	}
}

// joinRules makes one rule of the rows of each kind. Types are the kinds of the catalog.
func joinRules(rows []Rule, types []string) map[string]*Rule {
	out := map[string]*Rule{}
	for _, row := range rows {
		kinds := []string{row.Kind}
		if row.Kind == EveryType {
			kinds = types
		}
		for _, kind := range kinds {
			if out[kind] == nil {
				out[kind] = &Rule{Kind: kind}
			}
			out[kind].join(row)
		}
	}
	return out
}

// join adds a row. Of values, the first row wins; of what a
// type has once, the last.
func (r *Rule) join(row Rule) {
	values := maps.Clone(row.Values)
	if values == nil {
		values = map[string]any{}
	}
	maps.Copy(values, r.Values)
	r.Values = values
	r.Fill, r.Check, r.Makes = r.Fill.Then(row.Fill), r.Check.Then(row.Check), r.Makes.Then(row.Makes)
	r.Sparse = append(r.Sparse, row.Sparse...)
	r.Guard, r.Part = r.Guard.Then(row.Guard), r.Part.Then(row.Part)
	r.Also, r.Loose, r.Forced = append(r.Also, row.Also...), append(r.Loose, row.Loose...), append(r.Forced, row.Forced...)
	r.Points, r.Marks, r.Seeds = append(r.Points, row.Points...), append(r.Marks, row.Marks...), append(r.Seeds, row.Seeds...)
	r.ByName, r.Moves = r.ByName || row.ByName, r.Moves || row.Moves
	if row.Unique != nil {
		r.Unique = row.Unique
	}
	if row.Verbatim != "" {
		r.Verbatim = row.Verbatim
	}
	if row.Issues != "" {
		r.Issues = row.Issues
	}
	if first := r.View; first != nil && row.View != nil {
		r.View = func(sc Scene, rec *store.Record, v map[string]any) { first(sc, rec, v); row.View(sc, rec, v) }
	} else if row.View != nil {
		r.View = row.View
	}
	if row.Bare != nil {
		r.Bare = row.Bare
	}
	if row.Expand != nil {
		r.Expand = row.Expand
	}
	if row.Variant != nil {
		r.Variant = row.Variant
	}
	if row.Around != nil {
		r.Around = row.Around
	}
	if row.Filters != nil {
		r.Filters = row.Filters
	}
	if row.Listed != nil {
		r.Listed = row.Listed
	}
	if row.Hide != nil {
		r.Hide = row.Hide
	}
	if row.Patched != nil {
		r.Patched = row.Patched
	}
}

// patched reports whether the PATCH of a type stands for a PUT.
func (r *Rule) patched(b *catalog.Bound) bool { return r.Patched != nil && r.Patched(b) }

// defaults gives fields that are left out their values.
func (r *Rule) defaults(fields map[string]any) {
	for k, v := range r.Values {
		if _, ok := fields[k]; !ok {
			fields[k] = Clone(v)
		}
	}
}

// references are the fields that lead to other resources.
func (r *Rule) references(b *catalog.Bound) []catalog.Reference {
	return append(slices.Clip(b.References), r.Points...)
}

// identity are the fields that no two resources below one owner share.
func (r *Rule) identity(b *catalog.Bound) []string {
	if r.Unique != nil {
		return r.Unique
	}
	return b.Identity
}
