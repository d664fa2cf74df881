package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Place is a field of what Konnect returns.
type Place struct {
	// Schema is nil where anything may stand.
	Schema *contract.Schema
	OK     bool
	Secret bool
	// names are the fields beside the one that does not exist, at its place.
	names []string
	at    int
}

// ReturnedAt follows a path through what Konnect returns of a type.
func (b *Bound) ReturnedAt(p value.Path) Place { return follow(b, b.Returned(), p, nil) }

// ReturnedIn follows a path through what Konnect returned: values say which plugin it
// configures, and so what is secret.
func (b *Bound) ReturnedIn(body map[string]any, p value.Path) Place {
	return follow(b, b.Returned(), p, body)
}

func follow(b *Bound, s *contract.Schema, p value.Path, body any) Place {
	out := reach(s, p)
	out.Secret = out.OK && (out.Secret || hidden(b, p.Generic(), body))
	return out
}

// reach follows a path through a schema, which alone says what is secret.
func reach(s *contract.Schema, p value.Path) Place {
	if s = s.Deref(); s == nil {
		return Place{}
	}
	out := Place{OK: len(p) > 0}
	for i, seg := range p.Generic() {
		for s != nil && s.Type == "array" && s.Items != nil {
			s = s.Items.Deref()
		}
		if s == nil {
			return Place{OK: true, Secret: out.Secret}
		}
		o := s.Object(nil)
		f := o.Field(seg)
		switch {
		case f != nil:
			s = f.Schema
		case o.Values != nil:
			s = o.Values
		case o.Open:
			s = nil
		default:
			return Place{names: o.Names(), at: i}
		}
		out.Secret = out.Secret || s != nil && s.Secret
	}
	out.Schema = s
	return out
}

// hidden reports whether a field holds a secret: by what people may write there,
// or by its name in a core entity, of which the contract does not class what is
// read. A name that stands in the contract is classed there.
func hidden(b *Bound, p value.Path, body any) bool {
	var write *contract.Schema
	if b.Create != nil {
		write = b.Create.Body()
	}
	if at := b.Returned().At(p, nil); at != nil && at.Type == "boolean" {
		return false // it says something about a secret and does not hold it
	}
	byName := b.Writer != "" && !b.IsIdentity(p)
	for n, name := range p {
		var in any
		if write.Configured(p[0]) {
			in = body
		}
		written := write.At(p[:n+1], in)
		switch {
		case written != nil && written.Secret,
			byName && !classed(write.At(p[:n], nil), name) && value.MentionsSecret(name),
			byName && slices.Contains([]string{"key", "jwk", "pem"}, strings.ToLower(name)):
			return true
		}
	}
	return false
}

// classed reports whether a schema has a field of this name.
func classed(s *contract.Schema, name string) bool {
	for s != nil && s.Type == "array" && s.Items != nil {
		s = s.Items.Deref()
	}
	return s != nil && s.Object(nil).Field(name) != nil
}

// Fix says what may have been meant by a path that leads nowhere.
func (at Place) Fix(p value.Path, before string) string {
	if len(at.names) == 0 {
		return "use a field that Konnect returns."
	}
	if near := diag.Nearest(p[at.at], at.names); near != "" {
		return fmt.Sprintf("did you mean %s%s?", before, append(slices.Clone(p[:at.at]), near))
	}
	if len(at.names) == 1 {
		return fmt.Sprintf("use %s%s.", before, append(slices.Clone(p[:at.at]), at.names[0]))
	}
	return fmt.Sprintf("use one of %s.", strings.Join(at.names, ", "))
}

// ReturnedField reports whether Konnect returns a field of a type, whether it is
// secret, and, where it does not exist, what to write; before stands in front
// of the field that is proposed.
func (b *Bound) ReturnedField(p value.Path, before string) (ok, secret bool, fix string) {
	at := returns(b, p)
	if at.OK {
		return true, at.Secret || hidden(b, p.Generic(), nil), ""
	}
	return false, false, at.Fix(p, before)
}

// returns follows a path through what Konnect returns: what a list leaves out,
// reading one resource gives.
func returns(b *Bound, p value.Path) Place {
	at := reach(b.Returned(), p)
	if at.OK || b.Read == nil || b.Set != "" {
		return at
	}
	_, single := b.Read.Success()
	if w := b.Read.Wrapper(); single != nil && w != "" {
		single = single.At([]string{w}, nil)
	}
	if alone := reach(single, p); alone.OK {
		return alone
	}
	return at
}

// Holds reports whether an answer of a schema may have a field: it names it, or
// says nothing of what stands there.
func Holds(s *contract.Schema, p value.Path) bool { return reach(s, p).OK }

// Withheld is a field that every declaration must have, that Konnect never returns,
// and that no text can stand for; "" where all can be declared.
func Withheld(b *Bound) string {
	if b.ReadOnly || b.Read == nil || len(b.Elsewhere) > 0 {
		return ""
	}
	o := b.write.Object(nil)
	for _, name := range o.Names() {
		f := o.Field(name)
		if s := f.Schema.Deref(); !f.Required || s.ReadOnly || s.Secret || s.Type == "string" && len(s.Enum) == 0 {
			continue
		}
		if !returns(b, value.Path{name}).OK {
			return name
		}
	}
	return ""
}
