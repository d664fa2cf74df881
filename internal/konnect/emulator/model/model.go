// Package model is Konnect without HTTP: the types of the catalog with what the
// contract cannot express about them, and their resources in a store.
//
// In: a catalog, families of rules, and calls that were understood. Out:
// answers and refusals. It serves every type of the catalog with no code per
// type, so that it names no kind. It must never import the emulator that puts
// it behind HTTP or the engine that talks to it.
package model

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Options are what a model takes from its surroundings.
type Options struct {
	Store *store.Lagging
	Clock func() time.Time
	NewID func() string
	// NewOrganization makes the id of the organization of an empty store.
	NewOrganization func() string
	// Region is where resources are kept of requests that name no region.
	Region string
}

// Model is the types of a catalog with their rules, and their resources in a
// store.
type Model struct {
	o        Options
	cat      *catalog.Catalog
	contract *contract.Contract
	actions  *actions
	rules    map[string]*Rule
	uses     map[string][]use // by the kind that is used
	fixed    map[string]*Fixed
	besides  []*Fixed        // those that the contract does not know
	global   map[string]bool // kinds of the whole organization
	shapes   shapes
}

// New makes a model. In an empty store it puts what a new organization has.
func New(cat *catalog.Catalog, families []Family, o Options) (*Model, error) {
	m := &Model{
		o: o, cat: cat, contract: cat.Contract, actions: newActions(cat),
		fixed: map[string]*Fixed{}, global: map[string]bool{organizationKind: true},
	}
	var rows []Rule
	for _, f := range families {
		rows = append(rows, f.Rules...)
		for _, kind := range f.Shared {
			m.global[kind] = true
		}
		for _, row := range f.Fixed {
			m.fixed[row.Operation] = &row
			if row.Beside {
				m.besides = append(m.besides, &row)
			}
		}
	}
	var types []string
	for _, b := range cat.All() {
		types = append(types, b.Kind)
	}
	m.rules = joinRules(rows, types)
	m.uses = usesOf(cat, m.rule)
	for _, b := range cat.All() {
		m.global[b.Kind] = catalog.Global(b)
	}
	if err := m.settle(); err != nil {
		return nil, err
	}
	if err := m.rename(); err != nil {
		return nil, err
	}
	return m, m.seed()
}

// rule is what the contract cannot express about a type.
func (m *Model) rule(b *catalog.Bound) *Rule {
	if r := m.rules[b.Kind]; r != nil {
		return r
	}
	return &Rule{}
}

// scene is a transaction seen from one region.
func (m *Model) scene(tx store.Tx, region string) Scene {
	return Scene{m: m, Tx: regional{tx, m.global, region}, Region: region}
}

// look reads for a call: the present, or the past where faults ask for it.
func (m *Model) look(c *Call, f func(Scene) error) error {
	view := m.o.Store.View
	if c.Past {
		view = m.o.Store.ViewPast
	}
	return view(func(tx store.Tx) error { return f(m.scene(tx, c.Region)) })
}

// update writes for a call, in one transaction.
func (m *Model) update(c *Call, f func(Scene) error) error {
	return m.o.Store.Update(func(tx store.Tx) error {
		sc := m.scene(tx, c.Region)
		sc.noUnique = c.NoUnique
		return f(sc)
	})
}

// Begin finds out what a call does that is asked for with a method, and reads its
// parameters.
func (m *Model) Begin(c *Call, method string) error {
	c.act, c.items = m.actions.as(c.Op, method), m.itemsOf(c.Op)
	if c.act == nil && c.items == nil && m.fixedOf(c) == nil && method != http.MethodGet {
		return Refuse(http.StatusNotImplemented, "The embedded Konnect does not serve %s (%s) yet", c.Op.ID, c.Op.Key())
	}
	return c.readParams()
}

// Run carries out a call.
func (m *Model) Run(c *Call) (a Answer, err error) {
	f := m.fixedOf(c)
	in := m.look
	if c.items != nil || c.act != nil && c.act.verb.writes() || f != nil && f.Change != nil {
		in = m.update
	}
	err = in(c, func(sc Scene) (err error) {
		t := task{sc, c}
		switch {
		case c.items != nil:
			a, err = t.runItems()
		case f != nil:
			a, err = t.fixed(f)
		case c.act == nil:
			a, err = t.unserved()
		default:
			a, err = t.run()
		}
		return err
	})
	return a, err
}

// task is a call that is carried out in a transaction.
type task struct {
	sc Scene
	c  *Call
}

func (t task) run() (Answer, error) {
	switch t.c.act.verb {
	case verbList:
		return t.list()
	case verbRead:
		if t.c.act.b.Set != "" {
			return t.members()
		}
		return t.read()
	case verbCreate, verbPatch, verbReplace, verbMove, verbDelete:
	}
	if err := t.attach(); err != nil {
		return Answer{}, err
	}
	switch t.c.act.verb {
	case verbCreate:
		return t.create()
	case verbPatch, verbReplace:
		return t.change()
	case verbMove:
		return t.move()
	default:
		return t.remove()
	}
}

// Breaches returns what of an answer breaks the contract. No answer has a secret,
// also where the contract, which shares schemas with requests, asks for it.
func (m *Model) Breaches(c *Call, a Answer) []contract.Violation {
	body := a.Body
	if c.act != nil {
		if field := m.rule(c.act.b).Verbatim; field != "" {
			body = nullFree(body, field, false)
		}
	}
	return slices.DeleteFunc(c.Op.ValidateResponse(strconv.Itoa(a.Status), body), func(v contract.Violation) bool {
		return v.Rule == contract.RuleRequired && secretAt(SuccessSchema(c.Op), v.Path)
	})
}
