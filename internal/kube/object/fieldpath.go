package object

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

// FieldPath leads to fields of an object. It is the part of JSONPath that names
// fields: $.a.b, ['a'], [0], [-1], [*] and [?(@.name=="x")].
type FieldPath struct {
	text  string
	steps []step
}

// step leads from a value to those below it.
type step struct {
	key      string // of a map
	index    int    // of a list
	is       stepKind
	field    FieldPath // of a filter, within an item
	want     string
	wantText bool // the filter compares with a text
}

type stepKind int

const (
	byKey stepKind = iota
	byIndex
	byFilter
	all
)

// String returns the path as it was written.
func (p FieldPath) String() string { return p.text }

var (
	pathKey    = pattern.New(`^\.([A-Za-z_][A-Za-z0-9_-]*)`)
	pathQuoted = pattern.New(`^\[\s*(?:'([^']*)'|"([^"]*)")\s*\]`)
	pathIndex  = pattern.New(`^\[\s*(-?\d+)\s*\]`)
	pathAll    = pattern.New(`^(?:\.\*|\[\s*\*\s*\])`)
	pathFilter = pattern.New(`^\[\s*\?\(\s*@([^=!<>()]+?)\s*==\s*(?:'([^']*)'|"([^"]*)"|([^'")\s]+))\s*\)\s*\]`)
)

// ParseFieldPath reads a path.
func ParseFieldPath(text string) (FieldPath, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "$")
	switch {
	case text == "":
		return FieldPath{}, errors.New("the path is missing")
	case !ok:
		return FieldPath{}, fmt.Errorf("the path %q does not start with $, as in $.spec.replicas", text)
	case rest == "":
		return FieldPath{}, fmt.Errorf("the path %q names no field", text)
	}
	steps, err := parseSteps(rest)
	if err != nil {
		return FieldPath{}, fmt.Errorf("the path %q: %w", text, err)
	}
	return FieldPath{text: text, steps: steps}, nil
}

func parseSteps(rest string) ([]step, error) {
	var out []step
	for rest != "" {
		s, length, err := parseStep(rest)
		if err != nil {
			return nil, err
		}
		out, rest = append(out, s), rest[length:]
	}
	return out, nil
}

func parseStep(rest string) (step, int, error) {
	if m := pathAll.FindString(rest); m != "" {
		return step{is: all}, len(m), nil
	}
	if m := pathKey.FindStringSubmatch(rest); m != nil {
		return step{is: byKey, key: m[1]}, len(m[0]), nil
	}
	if m := pathQuoted.FindStringSubmatch(rest); m != nil {
		return step{is: byKey, key: m[1] + m[2]}, len(m[0]), nil
	}
	if m := pathIndex.FindStringSubmatch(rest); m != nil {
		index, err := strconv.Atoi(m[1])
		return step{is: byIndex, index: index}, len(m[0]), err
	}
	if m := pathFilter.FindStringSubmatch(rest); m != nil {
		steps, err := parseSteps(m[1])
		return step{
			is: byFilter, field: FieldPath{text: "@" + m[1], steps: steps},
			want: m[2] + m[3] + m[4], wantText: m[4] == "",
		}, len(m[0]), err
	}
	return step{}, 0, fmt.Errorf(`%q is not supported; use .name, ['name'], [0], [*] or [?(@.name=="value")]`, rest)
}

// One returns the value at the path, which must lead to one field.
func (p FieldPath) One(in map[string]any) (any, error) {
	found := lead(in, p.steps)
	if len(found) != 1 {
		return nil, noOne(len(found))
	}
	return found[0], nil
}

// lead returns what steps lead to.
func lead(in any, steps []step) []any {
	found := []any{in}
	for _, s := range steps {
		var next []any
		for _, v := range found {
			s.each(v, func(x any) any {
				next = append(next, x)
				return x
			})
		}
		found = next
	}
	return found
}

func noOne(found int) error {
	if found == 0 {
		return errors.New("no such field")
	}
	return fmt.Errorf("the path leads to %d fields, and only one is allowed", found)
}

// each calls change with what a step leads to, and keeps what it returns.
func (s step) each(v any, change func(any) any) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if s.is == all || s.is == byKey && key == s.key {
				v[key] = change(x)
			}
		}
	case []any:
		for i, x := range v {
			if s.takes(i, len(v), x) {
				v[i] = change(x)
			}
		}
	}
}

// takes reports whether a step leads to an item of a list.
func (s step) takes(i, length int, item any) bool {
	switch s.is {
	case all:
		return true
	case byIndex:
		return i == s.index || i == length+s.index
	case byFilter:
		return s.fits(item)
	default:
		return false
	}
}

func (s step) fits(item any) bool {
	in, ok := item.(map[string]any)
	if !ok {
		return false
	}
	v, err := s.field.One(in)
	if err != nil {
		return false // it has no such field
	}
	text, isText := v.(string)
	if s.wantText || isText {
		return isText && text == s.want
	}
	written, err := textOf(v)
	return err == nil && written == s.want
}

// Replace sets the field at the path, which must exist.
func (p FieldPath) Replace(in map[string]any, v any) error {
	if _, err := p.One(in); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	last := len(p.steps) - 1
	for _, parent := range lead(in, p.steps[:last]) {
		p.steps[last].each(parent, func(any) any { return v })
	}
	return nil
}
