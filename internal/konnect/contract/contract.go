// Package contract is Konnect's API as data: its operations and its schemas.
//
// In: a compressed file of facts, generated from the OpenAPI document of the
// official SDK (see gen). Out: answers about operations, fields, defaults,
// constraints, secrets, and whether a value is valid. It must never import
// another package of this module but values and the facts about plugins, and never
// knows a resource type by name.
package contract

//go:generate sh -c "go mod download -modfile=../../../tools/go.mod github.com/Kong/sdk-konnect-go && go run ./gen -in \"$(go list -modfile=../../../tools/go.mod -m -f {{.Dir}} github.com/Kong/sdk-konnect-go)/openapi.yaml\" -out contract.json.gz"

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed contract.json.gz
var packed []byte

// Contract answers questions about the API. It decodes a schema when it is
// first asked for, and is safe for concurrent use.
type Contract struct {
	ops    []*Operation
	byKey  map[string]*Operation
	routes *route
	facts  map[string][]Fact // by operation

	mu      sync.Mutex
	raw     map[string]string // JSON of schemas by name
	schemas map[string]*Schema

	objects   sync.Map // *Schema -> *Object, of all branches
	selectors sync.Map // *Schema -> selector

	compiling sync.Mutex
	compiler  *jsonschema.Compiler
	compiled  sync.Map // URL -> *jsonschema.Schema
}

// Load decodes the embedded contract. It costs some milliseconds, so commands
// that do not need the contract do not call it.
func Load() (*Contract, error) {
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	var text strings.Builder
	text.Grow(12 * len(packed))
	if _, err := io.Copy(&text, zr); err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	return parse(text.String())
}

// Parse reads the JSON that gen writes. Schemas stay JSON until they are asked for.
func Parse(raw []byte) (*Contract, error) { return parse(string(raw)) }

func parse(text string) (*Contract, error) {
	c := &Contract{
		raw:     map[string]string{},
		schemas: map[string]*Schema{},
		byKey:   map[string]*Operation{},
		routes:  &route{},
		facts:   map[string][]Fact{},
	}
	for _, f := range Supplement() {
		c.facts[f.Operation] = append(c.facts[f.Operation], f)
	}
	r := &reader{text: text}
	r.object(func(key string) {
		switch key {
		case "ops":
			r.list(func() { c.add(r.operation()) })
		case "schemas":
			r.object(func(name string) { c.raw[name] = r.skip() })
		default:
			r.skip()
		}
	})
	if r.err != nil {
		return nil, fmt.Errorf("contract: %w", r.err)
	}
	return c, nil
}

func (c *Contract) add(op *Operation) {
	op.c, op.number = c, len(c.ops)
	c.ops = append(c.ops, op)
	c.byKey[op.Key()] = op
	if !op.Item { // no request has its path
		c.routes.add(op)
	}
}

// Operations lists all operations, by path and method.
func (c *Contract) Operations() []*Operation { return c.ops }

// Operation finds one by method and path template, or nil.
func (c *Contract) Operation(method, path string) *Operation {
	return c.byKey[strings.ToUpper(method)+" "+path]
}

// SchemaNames lists the named schemas.
func (c *Contract) SchemaNames() []string {
	out := make([]string, 0, len(c.raw))
	for n := range c.raw {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Schema returns a named schema, or nil.
func (c *Contract) Schema(name string) *Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.named(name)
}

// named needs c.mu. The schema is entered before it is decoded, so that
// schemas may hold themselves.
func (c *Contract) named(name string) *Schema {
	if s, ok := c.schemas[name]; ok {
		return s
	}
	raw, ok := c.raw[name]
	if !ok {
		return nil
	}
	s := &Schema{c: c, Name: name}
	c.schemas[name] = s
	r := &reader{text: raw}
	if r.into(s); r.err != nil {
		panic(fmt.Sprintf("contract: schema %s: %v", name, r.err))
	}
	s.bind(c)
	return s
}
