package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Extension adds what one target knows to the language of another: a key of
// resources, and a way to say that the target makes an external resource.
type Extension struct {
	// Key is the key that resources may have; Fits reports of which types, and
	// Read reads what stands there.
	Key  string
	Fits func(t *Type) bool
	Read func(in *Reading, r *Resource, e value.Entry)
	// Says is what the key is for, Schema the JSON Schema of what stands there;
	// ProviderSchema is that of what stands below Provider.
	Says                   string
	Schema, ProviderSchema map[string]any
	// Provider is the way to say that the target makes a resource; Provides
	// reports of which types, and Provide reads it. Form shows how to write it.
	Provider string
	Provides func(t *Type) bool
	Provide  func(in *Reading, r *Resource, v value.Value) *Made
	Form     string
	// WrittenWith says with what people write the resources that it provides.
	WrittenWith string
}

// Reading is a document that an extension reads from.
type Reading struct {
	Types *Types
	// Files finds what the document names at a position: a file, or several.
	Files  func(at value.Pos) (source.Named, bool)
	Env    func(name string) (string, bool)
	Report func(d diag.Diagnostic)
}

// Add reports a problem.
func (in *Reading) Add(code diag.Code, pos value.Pos, detail, fix string) {
	in.Report(diag.New(code, pos, detail, fix))
}

// WrongShape reports a value of the wrong form, unless it was reported already.
func (in *Reading) WrongShape(v value.Value, detail, fix string) {
	if !Unreadable(v) {
		in.Add(diag.CfgWrongShape, v.Pos(), detail, fix)
	}
}

// KindsOf lists the types that something is true of.
func (in *Reading) KindsOf(fits func(*Type) bool) string {
	var out []string
	for _, t := range in.Types.All() {
		if fits(t) {
			out = append(out, diag.A(t.Words))
		}
	}
	return diag.Join(out, "or")
}

// Unreadable reports whether a value could not be read, which was reported.
func Unreadable(v value.Value) bool { return v.Kind() == value.Expr && v.Expr().Op == value.OpNone }

// Shape names what a value is.
func Shape(v value.Value) string {
	if v.Kind() == value.Expr {
		return "the tag !" + string(v.Expr().Op)
	}
	return v.Kind().String()
}

// Explained names the command that describes what may stand in resources of a kind.
func Explained(kind, what string) string {
	return fmt.Sprintf(" kongctl explain %s describes the %s.", kind, what)
}

// Suggest says what may have been meant, else what there is.
func Suggest(got string, known []string) string {
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	if near := diag.Nearest(got, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	switch len(known) {
	case 0:
		return "remove it."
	case 1:
		return fmt.Sprintf("use %s.", known[0])
	default:
		return fmt.Sprintf("use one of %s.", strings.Join(known, ", "))
	}
}
