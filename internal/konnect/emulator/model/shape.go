package model

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

const (
	timeFormat = "2006-01-02T15:04:05.000Z"
	nilUUID    = "00000000-0000-0000-0000-000000000000"
)

// shape is a schema made ready to build answers with.
type shape struct {
	schema *contract.Schema
	fields map[string]*contract.Field
	names  []string
	values *contract.Schema
	open   bool
	union  bool
}

// shapes are the schemas that answers were built with.
type shapes struct{ known sync.Map } // *contract.Schema -> *shape

func (s *shapes) shape(schema *contract.Schema) *shape {
	if known, ok := s.known.Load(schema); ok {
		return known.(*shape)
	}
	sh := newShape(schema, nil)
	sh.union = hasUnion(schema)
	s.known.Store(schema, sh)
	return sh
}

func newShape(schema *contract.Schema, v map[string]any) *shape {
	o := schema.Object(v)
	sh := &shape{schema: schema, fields: map[string]*contract.Field{}, names: o.Names(), values: o.Values, open: o.Open}
	for _, n := range sh.names {
		sh.fields[n] = o.Field(n)
	}
	return sh
}

func hasUnion(schema *contract.Schema) bool {
	schema = schema.Deref()
	if len(schema.OneOf)+len(schema.AnyOf) > 0 {
		return true
	}
	for _, b := range schema.AllOf {
		if hasUnion(b) {
			return true
		}
	}
	return false
}

// project keeps of a value what a response schema has, and adds what the schema
// asks for and the value lacks.
func (s *shapes) project(schema *contract.Schema, v any) any {
	schema = schema.Deref()
	switch x := v.(type) {
	case map[string]any:
		return s.projectMap(schema, x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = e
			if schema.Items != nil {
				out[i] = s.project(schema.Items, e)
			}
		}
		return out
	case time.Time:
		if schema.Type == "integer" || schema.Type == "number" {
			return json.Number(strconv.FormatInt(x.Unix(), 10))
		}
		return x.UTC().Format(timeFormat)
	default:
		return v
	}
}

func (s *shapes) projectMap(schema *contract.Schema, v map[string]any) any {
	sh := s.shape(schema)
	if len(sh.names) == 0 && sh.values == nil {
		return v
	}
	if sh.union {
		known := make(map[string]any, len(v))
		for k, x := range v {
			if sh.fields[k] != nil || sh.values != nil || sh.open {
				known[k] = x
			}
		}
		sh = newShape(schema, known)
	}
	out := make(map[string]any, len(sh.names))
	for _, name := range sh.names {
		f := sh.fields[name]
		if x, ok := v[name]; ok && (x != nil || nullable(f.Schema)) {
			if x != nil {
				x = s.project(f.Schema, x)
			}
			out[name] = x
		} else if x, ok := s.missing(f); ok {
			out[name] = x
		}
	}
	if sh.values == nil && !sh.open {
		return out
	}
	for k, x := range v {
		if sh.fields[k] == nil {
			out[k] = x
		}
	}
	return out
}

// missing is what stands for a field that nothing gives a value.
func (s *shapes) missing(f *contract.Field) (any, bool) {
	schema := f.Schema
	switch {
	case schema.Secret && f.Required && !schema.WriteOnly && (schema.MinLength == nil || *schema.MinLength == 0):
		return s.zero(schema), true // no answer may lack it
	case schema.WriteOnly && !f.Required, schema.Secret:
		return nil, false
	case schema.HasDefault():
		return Clone(schema.Default), true
	case nullable(schema):
		return nil, true
	case f.Name == labelsField && schema.Type == "object":
		return map[string]any{}, true
	case f.Required:
		return s.zero(schema), true
	default:
		return nil, false
	}
}

func (s *shapes) zero(schema *contract.Schema) any {
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type == "array":
		return []any{}
	case schema.Type == "boolean":
		return false
	case schema.Type == "integer" || schema.Type == "number":
		return json.Number("0")
	case schema.Type == "string" && schema.Format == "uuid":
		return nilUUID
	case schema.Type == "string" && schema.Format == "date-time":
		return time.Unix(0, 0).UTC().Format(timeFormat)
	case schema.Type == "string":
		return ""
	default:
		return s.project(schema, map[string]any{})
	}
}

// nullable reports whether null is a value, of a union whether it is in a branch.
func nullable(schema *contract.Schema) bool {
	schema = schema.Deref()
	if schema.Nullable {
		return true
	}
	for _, b := range schema.Branches() {
		if b.Nullable {
			return true
		}
	}
	return false
}
