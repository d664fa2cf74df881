package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/value"
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
func (b *Bound) ReturnedAt(p value.Path) Place { return b.follow(b.Returned(), p) }

func (b *Bound) follow(s *contract.Schema, p value.Path) Place {
	if s = s.Deref(); s == nil {
		return Place{}
	}
	out := Place{OK: len(p) > 0, Secret: b.hidden(p.Generic())}
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

// secretName is how fields are called that the contract does not class in
// responses, though a gateway returns them.
var secretName = regexp.MustCompile(`(?i)secret|passw|passphrase|private_key|token|api_?key|^key$|^jwk$|^pem$`)

// hidden tells of fields that hold a secret by what people may write there, or
// by their name in a core entity: the contract does not say of those that they
// are secret where they are read.
func (b *Bound) hidden(p value.Path) bool {
	if b.Create != nil {
		for n := range p {
			if s := b.Create.Body().At(p[:n+1], nil); s != nil && s.Secret {
				return true
			}
		}
	}
	return b.External && !b.IsIdentity(p) && slices.ContainsFunc(p, secretName.MatchString)
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

// ReturnedField tells whether Konnect returns a field of a type, whether it is
// secret, and, where it does not exist, what to write; before stands in front
// of the field that is proposed.
func (b *Bound) ReturnedField(p value.Path, before string) (ok, secret bool, fix string) {
	at := b.ReturnedAt(p)
	if !at.OK && b.Read != nil {
		// What a list leaves out, reading one resource gives.
		_, single := b.Read.Success()
		if w := b.Read.Wrapper(); single != nil && w != "" {
			single = single.At([]string{w}, nil)
		}
		if alone := b.follow(single, p); alone.OK {
			at = alone
		}
	}
	if at.OK {
		return true, at.Secret, ""
	}
	return false, false, at.Fix(p, before)
}
