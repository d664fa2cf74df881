package resource

import "github.com/kongctl/kongctl/internal/value"

// Plain is the behaviour of a type whose objects are plain data: fields are
// compared as they are, all can be read, and all can be changed in place. Types
// embed it and answer for themselves where they differ.
type Plain struct{}

var _ Behaviour = Plain{}

// Readable reports that every field can be taken.
func (Plain) Readable(*Resource, value.Path, string) (detail, fix string) { return "", "" }

// Coerce leaves the text of a variable as it is.
func (Plain) Coerce(_ []string, v any) any { return v }

// AsText leaves the value of another resource as it is.
func (Plain) AsText(_ value.Path, v any) any { return v }

// Gives knows no kind.
func (Plain) Gives(*Resource, value.Path) Kinds { return 0 }

// Takes accepts every kind.
func (Plain) Takes(*Resource, value.Path) Kinds { return 0 }

// Fills reports that any field may have a value.
func (Plain) Fills(*Resource, value.Path) bool { return true }

// Misfit takes every value.
func (Plain) Misfit([]string, any) string { return "" }

// Field is the value of a field of an object.
func (Plain) Field(o *Object, p value.Path) (any, bool) { return value.Get(o.Fields, p) }

// Immutable reports that every field can be changed.
func (Plain) Immutable([]string) bool { return false }

// Without reports that no reference can be taken back by itself.
func (Plain) Without([]string, any, []string) (any, bool) { return nil, false }

// UniqueText compares texts as they are.
func (Plain) UniqueText(_ []string, text string) string { return text }

// Generates reports that the target chooses no texts.
func (Plain) Generates([]string, string, map[string]any) bool { return false }

// Generated knows of no text that a target chooses.
func (Plain) Generated([]string, map[string]any) string { return "" }

// Fingerprint is the digest of all fields.
func (Plain) Fingerprint(o *Object) string { return value.Fingerprint(o.Fields) }

// Essence is all fields.
func (Plain) Essence(o *Object) map[string]any { return o.Fields }

// Recorded is an object as a plan recorded it.
func (Plain) Recorded(id string, fields map[string]any) *Object {
	return &Object{ID: id, Fields: fields}
}
