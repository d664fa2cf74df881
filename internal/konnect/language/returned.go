package language

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/value"
)

// place is a field of what Konnect returns.
type place struct {
	// schema is nil where anything may stand.
	schema *contract.Schema
	ok     bool
	secret bool
	// names are the fields beside the one that does not exist, at its place.
	names []string
	at    int
}

// returned follows a path through what Konnect returns of a type.
func returned(t *catalog.Bound, p value.Path) place { return follow(t, t.Returned(), p) }

func follow(t *catalog.Bound, s *contract.Schema, p value.Path) place {
	if s = s.Deref(); s == nil {
		return place{}
	}
	out := place{ok: len(p) > 0, secret: hidden(t, p.Generic())}
	for i, seg := range p.Generic() {
		for s != nil && s.Type == "array" && s.Items != nil {
			s = s.Items.Deref()
		}
		if s == nil {
			return place{ok: true, secret: out.secret}
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
			return place{names: o.Names(), at: i}
		}
		out.secret = out.secret || s != nil && s.Secret
	}
	out.schema = s
	return out
}

// secretName is how fields are called that the contract does not class in
// responses, though a gateway returns them.
var secretName = regexp.MustCompile(`(?i)secret|passw|passphrase|private_key|token|api_?key|^key$|^jwk$|^pem$`)

// hidden tells of fields that hold a secret by what people may write there, or
// by their name in a core entity: the contract does not say of those that they
// are secret where they are read.
func hidden(t *catalog.Bound, p value.Path) bool {
	if t.Create != nil {
		for n := range p {
			if s := t.Create.Body().At(p[:n+1], nil); s != nil && s.Secret {
				return true
			}
		}
	}
	return t.External && !t.IsIdentity(p) && slices.ContainsFunc(p, secretName.MatchString)
}

// fix says what may have been meant by a path that leads nowhere.
func (at place) fix(p value.Path, before string) string {
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
func ReturnedField(t *catalog.Bound, p value.Path, before string) (ok, secret bool, fix string) {
	at := returned(t, p)
	if !at.ok && t.Read != nil {
		// What a list leaves out, reading one resource gives.
		_, single := t.Read.Success()
		if w := t.Read.Wrapper(); single != nil && w != "" {
			single = single.At([]string{w}, nil)
		}
		if alone := follow(t, single, p); alone.ok {
			at = alone
		}
	}
	if at.ok {
		return true, at.secret, ""
	}
	return false, false, at.fix(p, before)
}
