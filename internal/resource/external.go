package resource

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// External says how a resource that others own is found. Exactly one of ID,
// Selector and Made is there.
type External struct {
	ID       string
	Selector *Selector
	// Made is there where another target makes it.
	Made *Made
	Pos  value.Pos
	// Unnamed ones stand for a !lookup or an id in a field, not for something
	// that people declared.
	Unnamed bool
	// Uses are where an unnamed one is written: what says the same in several places
	// is one.
	Uses []Written
	// Named ones stand for a name in a field that no input declares. RefOf is the declared
	// resource that has it for its ref, where such fields hold names alone; else nil.
	Named bool
	RefOf *Resource
	// Lacks are the fields that are missing for a new resource, of one that is taken
	// for external because they are.
	Lacks []string
}

// Written is a place, and the resource that it belongs to.
type Written struct {
	In  *Resource
	Pos value.Pos
}

// Wanted is the one text that a selector wants of a field; "" for none.
func (e *External) Wanted(field string) string {
	text, _ := e.wanted(field)
	return text
}

// wanted is the one text that a selector wants of a field, and how that is shown.
func (e *External) wanted(field string) (text, shown string) {
	if e.Selector == nil {
		return "", ""
	}
	for _, c := range e.Selector.Conditions {
		if c.Path.String() == field && c.Operator == In && len(c.Values) == 1 {
			text, _ = c.Values[0].(string)
			return text, c.Shown[0]
		}
	}
	return "", ""
}

// Says is the one text that a selector wants of a field, or the variable that holds it.
func (e *External) Says(field string, pos value.Pos) (value.Value, bool) {
	text, shown := e.wanted(field)
	if of, isVariable := strings.CutPrefix(shown, "!env "); isVariable {
		name, part, _ := strings.Cut(of, "#")
		return value.ExprAt(pos, value.Expression{Op: value.OpEnv, Name: name, Field: part}), true
	}
	return value.StringAt(pos, text), text != ""
}

// Variable is the variable that holds the one value that a selector wants; "" for none.
func (e *External) Variable() string {
	if e.Selector == nil || len(e.Selector.Conditions) != 1 || len(e.Selector.Conditions[0].Shown) != 1 {
		return ""
	}
	name, ok := strings.CutPrefix(e.Selector.Conditions[0].Shown[0], "!env ")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, "#")
	return name
}

// Selector finds one resource among others; every condition must hold.
type Selector struct {
	Conditions []Condition
	Pos        value.Pos
}

// Operator is how a condition compares.
type Operator string

// The operators.
const (
	In           Operator = "In"
	NotIn        Operator = "NotIn"
	Exists       Operator = "Exists"
	DoesNotExist Operator = "DoesNotExist"
	Prefix       Operator = "Prefix"
)

// Condition is what a field must be. matchFields are In with one value.
type Condition struct {
	Path     value.Path
	Operator Operator
	// Values are plain; Shown is how they are displayed, variables by their name.
	Values []any
	Shown  []string
	// Fields tells that it was written under matchFields.
	Fields bool
	Pos    value.Pos
}

// Made says that another target makes the resource, by its name.
type Made struct {
	// Kind is what the other target calls it.
	Kind, Name string
	Pos        value.Pos
	// Written is how the configuration says so, Lines the same for messages, and
	// Short in one line.
	Written map[string]any
	Lines   []string
	Short   string
	// Native is what the other target alone knows of it.
	Native any
}

// Name is what an external is called by how it is found: the one value that
// its name, its title or its identity must have.
func (e *External) Name(f *Type) string {
	switch {
	case e.Made != nil:
		return e.Made.Name
	case e.Selector == nil:
		return e.ID
	}
	for _, field := range f.NameFields() {
		for _, c := range e.Selector.Conditions {
			if c.Path.String() == field && c.Operator == In && len(c.Values) == 1 && !strings.HasPrefix(c.Shown[0], "!env ") {
				return c.Shown[0]
			}
		}
	}
	return ""
}

// String is the selector in one line: name=dev,labels.env in (a, b).
func (s *Selector) String() string {
	var out []string
	for _, c := range s.Conditions {
		switch {
		case c.Operator == In && len(c.Shown) == 1:
			out = append(out, fmt.Sprintf("%s=%s", c.Path, c.Shown[0]))
		case len(c.Shown) == 0:
			out = append(out, fmt.Sprintf("%s %s", c.Path, c.Operator))
		default:
			out = append(out, fmt.Sprintf("%s %s (%s)", c.Path, c.Operator, strings.Join(c.Shown, ", ")))
		}
	}
	return strings.Join(out, ",")
}
