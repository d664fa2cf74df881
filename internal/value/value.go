// Package value holds the data that people write and Konnect returns.
//
// In: scalars, lists and mappings, with the position they were written at, and
// expressions whose value is not known or not to be known yet (a reference, an
// environment variable, a secret). Out: paths, equality, canonical hashes.
// It must never import another package of this module.
package value

import (
	"encoding/json"
	"fmt"
	"sort"
)

// Pos is a place in an input. Line and Column count from 1; a zero Line means
// that the place is the whole file.
type Pos struct {
	File   string
	Line   int
	Column int
}

// String renders file:line:column, leaving out what is not known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
}

// Kind is what a Value is.
type Kind uint8

// The kinds of a Value. The zero Value is Absent: nothing was written.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
	Expr
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "a mapping", "an expression"}

// String names the kind for people.
func (k Kind) String() string { return kindNames[k] }

// Op is the operation of an Expression.
type Op string

// The operations an Expression may have.
const (
	OpRef    Op = "ref"
	OpEnv    Op = "env"
	OpFile   Op = "file"
	OpSecret Op = "secret"
	OpLookup Op = "lookup"
	// OpNone stands where a value could not be read: that has been reported.
	OpNone Op = ""
)

// Expression stands where a value is written as a tag. Which fields count
// depends on Op.
type Expression struct {
	Op Op
	// Name is the ref (OpRef), the variable (OpEnv) or the path relative to the
	// base folder (OpFile, inside a secret only: other files are read at once).
	Name string
	// Field is the part wanted: a field of the resource, or a path to extract.
	Field string
	// Parts are joined to make a secret.
	Parts []Value
	// Args holds the mapping of a lookup.
	Args *Value
}

// Value is one node. Values are not changed once made.
type Value struct {
	kind   Kind
	pos    Pos
	scalar any    // bool, json.Number or string
	raw    string // the scalar as written, where JSON writes it otherwise
	list   []Value
	keys   []string
	fields map[string]Value
	keyPos map[string]Pos
	expr   *Expression
}

// NullAt makes a Null.
func NullAt(pos Pos) Value { return Value{kind: Null, pos: pos} }

// BoolAt makes a Bool.
func BoolAt(pos Pos, b bool) Value { return Value{kind: Bool, pos: pos, scalar: b} }

// NumberAt makes a Number, kept as written.
func NumberAt(pos Pos, n json.Number) Value { return Value{kind: Number, pos: pos, scalar: n} }

// StringAt makes a String.
func StringAt(pos Pos, s string) Value { return Value{kind: String, pos: pos, scalar: s} }

// ListAt makes a List.
func ListAt(pos Pos, items []Value) Value { return Value{kind: List, pos: pos, list: items} }

// ExprAt makes an Expr.
func ExprAt(pos Pos, e Expression) Value { return Value{kind: Expr, pos: pos, expr: &e} }

// Entry is one key of a mapping with the place of the key.
type Entry struct {
	Key    string
	KeyPos Pos
	Value  Value
}

// MapAt makes a mapping that keeps the order of its entries. A later entry
// with the same key wins.
func MapAt(pos Pos, entries ...Entry) Value {
	v := Value{kind: Map, pos: pos, fields: make(map[string]Value, len(entries)), keyPos: make(map[string]Pos, len(entries))}
	for _, e := range entries {
		if _, dup := v.fields[e.Key]; !dup {
			v.keys = append(v.keys, e.Key)
		}
		v.fields[e.Key], v.keyPos[e.Key] = e.Value, e.KeyPos
	}
	return v
}

// From makes a Value of plain data, all of it at one place.
func From(pos Pos, data any) Value {
	switch d := data.(type) {
	case nil:
		return NullAt(pos)
	case bool:
		return BoolAt(pos, d)
	case string:
		return StringAt(pos, d)
	case json.Number:
		return NumberAt(pos, d)
	case int:
		return NumberAt(pos, json.Number(fmt.Sprint(d)))
	case float64:
		b, _ := json.Marshal(d)
		return NumberAt(pos, json.Number(b))
	case []any:
		items := make([]Value, len(d))
		for i, x := range d {
			items[i] = From(pos, x)
		}
		return ListAt(pos, items)
	case map[string]any:
		keys := make([]string, 0, len(d))
		for k := range d {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		entries := make([]Entry, len(keys))
		for i, k := range keys {
			entries[i] = Entry{Key: k, KeyPos: pos, Value: From(pos, d[k])}
		}
		return MapAt(pos, entries...)
	default:
		panic(fmt.Sprintf("value.From: %T is not plain data", data))
	}
}

// Kind tells what v is.
func (v Value) Kind() Kind { return v.kind }

// Pos is where v was written.
func (v Value) Pos() Pos { return v.pos }

// At returns v as if written at pos.
func (v Value) At(pos Pos) Value { v.pos = pos; return v }

// IsAbsent tells whether nothing was written.
func (v Value) IsAbsent() bool { return v.kind == Absent }

// Bool returns the truth of a Bool.
func (v Value) Bool() (b, ok bool) { b, ok = v.scalar.(bool); return b, ok }

// Text returns the string of a String.
func (v Value) Text() (string, bool) {
	s, ok := v.scalar.(string)
	return s, ok && v.kind == String
}

// Number returns the number of a Number.
func (v Value) Number() (json.Number, bool) { n, ok := v.scalar.(json.Number); return n, ok }

// WrittenAs returns a Bool or Number as if written in these signs.
func (v Value) WrittenAs(text string) Value { v.raw = text; return v }

// Written is the text of a scalar as people wrote it.
func (v Value) Written() string {
	if v.raw != "" {
		return v.raw
	}
	return fmt.Sprint(v.scalar)
}

// Expr returns the expression of an Expr, else nil.
func (v Value) Expr() *Expression { return v.expr }

// Items returns the elements of a List.
func (v Value) Items() []Value { return v.list }

// Keys returns the keys of a Map in the order written.
func (v Value) Keys() []string { return v.keys }

// Field returns the value under key, or Absent.
func (v Value) Field(key string) Value { return v.fields[key] }

// Has tells whether the mapping has the key, whatever its value.
func (v Value) Has(key string) bool { _, ok := v.fields[key]; return ok }

// KeyPos is where the key was written.
func (v Value) KeyPos(key string) Pos {
	if p, ok := v.keyPos[key]; ok {
		return p
	}
	return v.pos
}

// Entries returns the entries of a Map in the order written.
func (v Value) Entries() []Entry {
	out := make([]Entry, len(v.keys))
	for i, k := range v.keys {
		out[i] = Entry{Key: k, KeyPos: v.keyPos[k], Value: v.fields[k]}
	}
	return out
}

// With returns the mapping with one entry set.
func (v Value) With(e Entry) Value {
	return MapAt(v.pos, append(v.Entries(), e)...)
}

// Without returns the mapping without the keys.
func (v Value) Without(keys ...string) Value {
	drop := map[string]bool{}
	for _, k := range keys {
		drop[k] = true
	}
	var entries []Entry
	for _, e := range v.Entries() {
		if !drop[e.Key] {
			entries = append(entries, e)
		}
	}
	return MapAt(v.pos, entries...)
}

// Lookup follows a path; it returns Absent where the path leads nowhere.
func (v Value) Lookup(p Path) Value {
	for _, seg := range p {
		if i, ok := Place(seg); ok && v.kind == List {
			if i >= len(v.list) {
				return Value{}
			}
			v = v.list[i]
			continue
		}
		if v.kind != Map {
			return Value{}
		}
		v = v.fields[seg]
	}
	return v
}

// Nearest is the position of the deepest part of v that p leads through: where
// to point at when the part itself was not written.
func (v Value) Nearest(p Path) Pos {
	pos := v.pos
	for _, seg := range p {
		if v.kind == Map && v.Has(seg) {
			pos = v.KeyPos(seg)
		}
		v = v.Lookup(Path{seg})
		if v.IsAbsent() {
			return pos
		}
		pos = v.pos
	}
	return pos
}

// Walk calls f for every node, parents before children, until f returns false
// for that branch.
func (v Value) Walk(f func(p Path, v Value) bool) { v.walk(nil, f) }

func (v Value) walk(p Path, f func(Path, Value) bool) {
	if !f(p, v) {
		return
	}
	for i, item := range v.list {
		item.walk(p.Index(i), f)
	}
	for _, k := range v.keys {
		v.fields[k].walk(p.Child(k), f)
	}
}

// Map returns v with every node replaced by what f returns, children first.
func (v Value) Map(f func(p Path, v Value) Value) Value { return v.mapped(nil, f) }

func (v Value) mapped(p Path, f func(Path, Value) Value) Value {
	switch v.kind {
	case List:
		items := make([]Value, len(v.list))
		for i, item := range v.list {
			items[i] = item.mapped(p.Index(i), f)
		}
		v = ListAt(v.pos, items)
	case Map:
		entries := v.Entries()
		for i := range entries {
			entries[i].Value = entries[i].Value.mapped(p.Child(entries[i].Key), f)
		}
		v = MapAt(v.pos, entries...)
	case Absent, Null, Bool, Number, String, Expr:
	}
	return f(p, v)
}

// Plain returns v as plain data. Expressions become what stand returns for
// them.
func (v Value) Plain(stand func(p Path, e *Expression) any) any { return v.plain(nil, stand) }

func (v Value) plain(p Path, stand func(Path, *Expression) any) any {
	switch v.kind {
	case Expr:
		return stand(p, v.expr)
	case List:
		out := make([]any, len(v.list))
		for i, item := range v.list {
			out[i] = item.plain(p.Index(i), stand)
		}
		return out
	case Map:
		out := make(map[string]any, len(v.keys))
		for _, k := range v.keys {
			out[k] = v.fields[k].plain(p.Child(k), stand)
		}
		return out
	default:
		return v.scalar
	}
}
