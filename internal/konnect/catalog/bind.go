package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
)

// Bound is a type with its operations and what follows from the contract.
type Bound struct {
	*Type
	Parent   *Bound
	Children []*Bound
	Create   *contract.Operation
	Read     *contract.Operation
	List     *contract.Operation
	Update   *contract.Operation
	// Rewrite is the PUT beside an Update that merges the same body: what it leaves out
	// goes.
	Rewrite *contract.Operation
	Delete  *contract.Operation
	// Referred tells that a type that is managed refers to this one.
	Referred bool
	// Listed singletons live in a list of at most one.
	Listed bool
	// MapKey is the field that becomes the last part of a Map's path; answers have it
	// in KeyIn.
	MapKey, KeyIn string
	// IDField is the field that stands in the path where a resource has no id.
	IDField string
	// Link is the field of the body that takes what the path of a link adds to
	// that of its collection; "" where the type is no link.
	Link string
	// Set is the field of the body of a Singleton whose GET is a list: it takes the
	// whole of it; "" where the type is no set.
	Set string
	// ListParent is the field in which the items of a list over all parents name
	// theirs, also the filter's name. ListKind is the field that says of which kind
	// the parent is, where several types share the list.
	ListParent, ListKind string
	// Uncounted is what is deleted with a resource, in words, and has no type: plans do not
	// read it.
	Uncounted []string
	// SystemFlag is a field that is true on what Konnect made by itself.
	SystemFlag string
	puts       bool
	params     []string // of a link's path, those of the ancestors first
	write      *contract.Schema
	neutral    *resource.Type
}

// bind finds a type's operations and what follows from them.
func bind(b *Bound, c *contract.Contract) error {
	list := b.Path
	if b.ListPath != "" {
		list = b.ListPath
	}
	switch b.Shape {
	case Collection, Membership:
		b.Create = c.Operation("POST", b.Path)
		b.List = c.Operation("GET", list)
		bindItem(b, c)
		bindInBody(b, c)
		if b.Shape == Membership {
			b.Update = nil
		}
	case Singleton:
		b.Create = c.Operation("POST", b.Path)
		b.Read = c.Operation("GET", b.Path)
		if b.Read != nil {
			_, _, b.Listed = b.Read.Envelope()
		}
		if b.Listed && b.Create == nil {
			bindSet(b, c)
		}
		if b.Listed {
			b.List = b.Read
			bindItem(b, c)
		} else if b.Set == "" {
			b.Update = changeOf(c, b.Path)
			b.Rewrite = rewriteOf(c, b.Update)
			b.Delete = c.Operation("DELETE", b.Path)
			if b.Create == nil && b.Delete != nil {
				b.Create = b.Update // the first change makes it
			}
		}
	case Map:
		if len(b.Identity) != 1 {
			return fmt.Errorf("the key of %s is one field, and its identity has %d", b.Path, len(b.Identity))
		}
		b.MapKey = b.Identity[0]
		b.Create = firstOf(c, b.Path, "PUT", "PATCH")
		b.Update = b.Create
		b.Read = c.Operation("GET", b.Path)
		b.Delete = c.Operation("DELETE", b.Path)
		if b.ListPath == "" {
			list = list[:strings.LastIndexByte(list, '/')]
		}
		b.List = c.Operation("GET", list)
		if b.Create == nil {
			bindLink(b, c)
		}
	}
	b.puts = puts(b)
	b.ListParent, b.ListKind = parentInList(b)
	if err := check(b); err != nil {
		return err
	}
	if b.Shape == Collection && b.Writer == "" && len(b.Identity) == 1 && b.Returned().At([]string{"id"}, nil) == nil {
		b.IDField = b.Identity[0]
	}
	if b.KeyIn = b.MapKey; b.MapKey != "" && b.List != nil && b.Returned().At([]string{b.MapKey}, nil) == nil {
		b.KeyIn = "id" // of what it leads to
	}
	for _, word := range append(withoutFamily(b.Type), b.Kind) {
		if flag := "system_" + word; b.Returned().At([]string{flag}, nil) != nil {
			b.SystemFlag = flag
		}
	}
	b.neutral = newNeutral(b)
	return nil
}

// parentInList are the fields in which items of a list over all parents name theirs
// and its kind. A list that several types share has one field for all of them.
func parentInList(b *Bound) (id, kind string) {
	if b.ListPath == "" || b.Parent == nil || b.List == nil || len(b.List.PathParams()) >= b.Depth() {
		return "", ""
	}
	id = b.Parent.Kind + "_id"
	_, item, _ := b.List.Envelope()
	o := item.Object(nil)
	for _, name := range o.Names() {
		if slices.Contains(o.Field(name).Schema.Deref().Enum, any(b.Parent.Kind)) {
			kind = name
		}
	}
	if kind == "" || o.Field(id) != nil {
		return id, kind
	}
	for _, name := range o.Names() {
		if s := o.Field(name).Schema.Deref(); s.ReadOnly && s.Format == "uuid" && name != b.MapKey {
			return name, kind
		}
	}
	return id, kind
}

func bindItem(b *Bound, c *contract.Contract) {
	path := itemPath(c, b.Path)
	b.Read = c.Operation("GET", path)
	b.Update = firstOf(c, path, "PATCH", "PUT")
	if put := c.Operation("PUT", path); b.Create != nil && put != nil && lacks(b.Update, put, b.Create) {
		b.Update = put
	}
	b.Delete = c.Operation("DELETE", path)
}

// lacks reports whether an update cannot change a mapping of the create that another
// one can.
func lacks(update, other, create *contract.Operation) bool {
	has := func(op *contract.Operation, name string) bool { return op.Body().Object(nil).Field(name) != nil }
	o := create.Body().Object(nil)
	return slices.ContainsFunc(o.Names(), func(name string) bool {
		s := o.Field(name).Schema
		return (s.Type == "object" || len(s.Branches()) > 0) && has(other, name) && !has(update, name)
	})
}

func firstOf(c *contract.Contract, path string, methods ...string) *contract.Operation {
	for _, m := range methods {
		if op := c.Operation(m, path); op != nil {
			return op
		}
	}
	return nil
}

// changeOf is the operation that changes a singleton: a PATCH, unless it lets
// parts of the whole go missing that the PUT beside it requires.
func changeOf(c *contract.Contract, path string) *contract.Operation {
	put, patch := c.Operation("PUT", path), c.Operation("PATCH", path)
	if put != nil && patch != nil && stricter(put.Body(), patch.Body(), 0) {
		return put
	}
	return firstOf(c, path, "PATCH", "PUT")
}

// rewriteOf is the PUT beside a PATCH that takes the same body, or nil.
func rewriteOf(c *contract.Contract, update *contract.Operation) *contract.Operation {
	if update == nil || update.Method != "PATCH" {
		return nil
	}
	put, name := c.Operation("PUT", update.Path), update.Body().Deref().Name
	if put == nil || name == "" || put.Body().Deref().Name != name {
		return nil
	}
	return put
}

// UpdateBy is the operation of an update that a plan carries out by a method.
func UpdateBy(b *Bound, method string) *contract.Operation {
	if b.Rewrite != nil && method == b.Rewrite.Method {
		return b.Rewrite
	}
	return b.Update
}

// maxDepth is how deep two bodies are compared.
const maxDepth = 4

// stricter reports whether a schema requires a field inside of another field that
// the other schema does not require.
func stricter(one, other *contract.Schema, depth int) bool {
	if one == nil || other == nil || depth > maxDepth {
		return false
	}
	a, b := one.Object(nil), other.Object(nil)
	for _, name := range a.Names() {
		f, g := a.Field(name), b.Field(name)
		if g == nil {
			continue
		}
		if depth > 0 && f.Required && !g.Required || stricter(f.Schema, g.Schema, depth+1) {
			return true
		}
	}
	return false
}

// Keys are the values that the key of a Map can have; none where any will do.
func Keys(b *Bound) []string {
	if b.MapKey == "" {
		return nil
	}
	names := b.Create.PathParams()
	for _, p := range b.Create.Params() {
		if p.In == "path" && p.Name == names[len(names)-1] && p.Schema != nil {
			var out []string
			for _, v := range p.Schema.Deref().Enum {
				if text, ok := v.(string); ok {
					out = append(out, text)
				}
			}
			return out
		}
	}
	return nil
}

// Listable reports whether all resources below a parent can be read: in a list, or
// at each key that a Map can have.
func Listable(b *Bound) bool { return b.List != nil || b.Read != nil && len(Keys(b)) > 0 }

// ItemPath is the path of one resource.
func (b *Bound) ItemPath() string {
	for _, op := range []*contract.Operation{b.Update, b.Delete, b.Read} {
		if op != nil && (op != b.Create || !InBody(b)) {
			return op.Path
		}
	}
	return b.Path
}

// itemPath is the path below a collection that ends in the id.
func itemPath(c *contract.Contract, path string) string {
	below := path + "/{"
	for _, op := range c.Operations() {
		rest, ok := strings.CutPrefix(op.Path, below)
		if ok && strings.HasSuffix(rest, "}") && !strings.Contains(rest, "/") {
			return op.Path
		}
	}
	return ""
}

func check(b *Bound) error {
	switch {
	case b.Writer != "" && !b.ReadOnly:
		return fmt.Errorf("%s writes it, and it is not read-only here", b.Writer)
	case b.Read == nil && b.List == nil:
		return fmt.Errorf("no way to read %s", b.Path)
	case b.ReadOnly:
		return checkFields(b, b.Returned(), b.List.Key())
	case b.Create == nil && b.Update == nil:
		return fmt.Errorf("no way to write %s", b.Path)
	case b.ListParent != "" && b.Returned().At([]string{b.ListParent}, nil) == nil:
		return fmt.Errorf("the items of %s do not name their %s", b.ListPath, b.Parent.Kind)
	}
	b.write = b.WriteOp().Body()
	if b.Link != "" {
		b.write = contract.Nothing()
	}
	if b.write == nil {
		return fmt.Errorf("%s takes no body", b.WriteOp().Key())
	}
	return checkFields(b, b.write, b.WriteOp().Key())
}

// checkFields tells of the first field that the type names and a schema lacks.
func checkFields(b *Bound, s *contract.Schema, where string) error {
	var fields []string
	fields = append(fields, b.Identity...)
	fields = append(fields, b.Unordered...)
	fields = append(fields, b.ReplaceOn...)
	fields = append(fields, b.Computed...)
	fields = append(fields, b.Unique...)
	fields = append(fields, b.Parts...)
	for _, f := range b.Formats {
		fields = append(fields, f.Field)
	}
	for _, f := range b.InPlace {
		fields = append(fields, f.Field, f.Where)
	}
	for _, f := range b.Inherits {
		fields = append(fields, f.Field)
	}
	for _, f := range b.Keeps {
		fields = append(append(fields, f.Field), f.Words...)
		if f.Copies != "" {
			fields = append(fields, f.Copies)
		}
	}
	for _, r := range b.References {
		fields = append(fields, r.Field)
	}
	for _, e := range b.Elsewhere {
		fields = append(fields, e.Field)
	}
	if b.Emptied != "" {
		fields = append(fields, b.Emptied)
	}
	if b.Orders != "" && OrderField(b) == "" {
		return fmt.Errorf("no field refers to the %s that it orders", b.Orders)
	}
	for _, f := range fields {
		if f != b.MapKey && !hasField(s, strings.Split(f, ".")) {
			return fmt.Errorf("the contract has no field %s in %s", f, where)
		}
	}
	return nil
}

// hasField reports whether a schema has a field, in any form of a union.
func hasField(s *contract.Schema, path []string) bool {
	if s.At(path, nil) != nil {
		return true
	}
	for _, b := range s.Branches() {
		if hasField(b, path) {
			return true
		}
	}
	f := s.Object(nil).Field(path[0])
	return len(path) > 1 && f != nil && hasField(f.Schema, path[1:])
}

// WriteOp is the operation whose body holds all that people may declare.
func (b *Bound) WriteOp() *contract.Operation {
	if b.Create != nil {
		return b.Create
	}
	return b.Update
}
