package propose

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// inherited are the values that fields which are left out take from other
// resources, by field. Where the other one is only known by its id, nothing is
// said of the field.
func inherited(s build.Subject, desired build.Desired) map[string]any {
	t := catalog.OfType(s.Type)
	if len(t.Inherits) == 0 || s.Resource == nil || s.Beside == nil {
		return nil
	}
	out := map[string]any{}
	for _, f := range t.Inherits {
		from := s.Resource.Parent
		if f.From != "" {
			from = leadsTo(desired, f.From)
		}
		if from == nil {
			continue
		}
		if v, known := willHave(s, from, value.ParsePath(f.Of)); known {
			out[f.Field] = f.As(t, v)
		} else {
			out[f.Field] = value.Unknown{}
		}
	}
	return out
}

// leadsTo is the resource that a reference field names.
func leadsTo(desired build.Desired, field string) *resource.Resource {
	for _, l := range desired.Links {
		if l.Path.String() == field {
			return l.Target
		}
	}
	return nil
}

// willHave is the value of a field of another resource after a sync. What comes
// from a variable is never said.
func willHave(s build.Subject, of *resource.Resource, field value.Path) (any, bool) {
	desired, live := s.Beside(of)
	if desired == nil {
		if live == nil {
			return nil, false
		}
		v, _ := value.Get(live.Fields, field)
		return v, true
	}
	for _, e := range desired.Env {
		if value.ParsePath(e.Field).HasPrefix(field[:1]) {
			return nil, false
		}
	}
	if v, declared := value.Get(desired.Plain, field); declared {
		_, unknown := v.(value.Unknown)
		return v, !unknown
	}
	if at := catalog.Of(of).Write().At(field.Generic(), nil); at != nil && at.HasDefault() {
		return value.Clone(at.Default), true
	}
	return nil, true
}

// longest is how much of a value a note shows.
const longest = 60

// notes say which fields stay though nothing declares them.
func notes(s build.Subject, d diff.Delta) []string {
	var out []string
	for _, k := range d.Kept {
		if !k.Chosen {
			out = append(out, note(s, k))
		}
	}
	return out
}

func note(s build.Subject, k diff.Kept) string {
	v := k.Value
	if ref, ok := catalog.OfType(s.Type).Reference(k.Path.Generic()); ok && s.Called != nil {
		if id, isText := v.(string); isText {
			v = s.Called(ref.Kind, id)
		}
	}
	text := fmt.Sprintf("%s keeps %s: %s", k.Path, brief(k.Path, v), k.Why)
	if k.Null {
		text += fmt.Sprintf(" (%s: null replaces the resource)", k.Path)
	}
	return text
}

// held are the fields that stay and may have what Konnect chose.
func held(s build.Subject, d diff.Delta) []build.Held {
	var out []build.Held
	for _, k := range d.Kept {
		if k.Chosen {
			out = append(out, build.Held{Path: k.Path, Value: k.Value, Note: note(s, k)})
		}
	}
	return out
}

// brief is a value on one short line.
func brief(p value.Path, v any) string {
	if value.MentionsSecret(p[len(p)-1]) {
		return "its value"
	}
	text, isText := v.(string)
	if !isText {
		text = string(value.Canonical(v))
	}
	first, _, more := strings.Cut(text, "\n")
	if runes := []rune(first); len(runes) > longest {
		first, more = string(runes[:longest]), true
	}
	if isText {
		first = strconv.Quote(first)
	}
	if more {
		first += "…"
	}
	return first
}
