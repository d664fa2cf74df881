package model

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// shown reads the fields of resources as a list shows them, with the values that
// answers add to what is kept: filters and orders must not see anything else.
type shown struct {
	sc    Scene
	item  *contract.Schema
	named map[string]string // fields of filters with their places
	paths map[string][]string
}

func (t task) shows(item *contract.Schema) *shown {
	s := &shown{sc: t.sc, item: item, paths: map[string][]string{}}
	if t.c.act != nil {
		s.named = t.sc.Rule(t.c.act.b).Filters
	}
	return s
}

// at is the value of a field; nil where a resource has none. A switch that answers
// leave out is off.
func (s *shown) at(view map[string]any, field string) any {
	path := s.path(field)
	if path == nil {
		return view[field] // no answer shows it
	}
	if v := at(view, path); v != nil {
		return v
	}
	v := at(s.sc.Project(s.item, view), path)
	if field := s.item.At(path, nil); v == nil && field != nil && field.Deref().Type == "boolean" {
		return false
	}
	return v
}

// path is where answers show a field; nil where they do not.
func (s *shown) path(field string) []string {
	if known, ok := s.paths[field]; ok {
		return known
	}
	s.paths[field] = s.find(field)
	return s.paths[field]
}

// find looks for a field by its name, and for x_y as y of x.
func (s *shown) find(field string) []string {
	if place, ok := s.named[field]; ok {
		return strings.Split(place, ".")
	}
	if s.item == nil {
		return nil
	}
	if path := strings.Split(field, "."); s.item.At(path, nil) != nil {
		return path
	}
	for i, r := range field {
		if path := []string{field[:i], field[min(i+1, len(field)):]}; r == '_' && s.item.At(path, nil) != nil {
			return path
		}
	}
	return nil
}
