package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// secretsToWrite are the secrets of an existing resource that were asked for
// by name: Konnect does not return secrets, so nothing else can tell that one
// changed.
func secretsToWrite(b *Draft, r *resource.Resource, desired Desired) []plan.Expression {
	var out []plan.Expression
	for _, e := range desired.Secrets {
		if again(b, r, e.Field) && !r.Type.Immutable(value.ParsePath(e.Field).Generic()) {
			out = append(out, e)
		}
	}
	return out
}

// fixedSecrets are the secrets that were asked for and that only a new resource can
// have.
func fixedSecrets(b *Draft, r *resource.Resource, desired Desired) []string {
	var out []string
	for _, e := range desired.Secrets {
		if again(b, r, e.Field) && r.Type.Immutable(value.ParsePath(e.Field).Generic()) {
			out = append(out, e.Field)
		}
	}
	return out
}

// again reports whether a field was asked to be written though the resource exists.
// What needs a replace must be asked for by name.
func again(b *Draft, r *resource.Resource, field string) bool {
	found := false
	for _, want := range b.WriteSecrets {
		if !matchesSecret(want, r, field) || want == "*" && r.Type.Immutable(value.ParsePath(field).Generic()) {
			continue
		}
		b.asked[want] = true
		found = true
	}
	return found
}

// tellUnseen lists what could not be compared.
func tellUnseen(b *Draft, r *resource.Resource, fields []string) {
	for _, field := range fields {
		x := plan.NotCompared{
			ResourceType: r.Type.Kind, ResourceRef: r.Ref, Field: field, Immutable: r.Type.Immutable(value.ParsePath(field).Generic()), Null: saysNull(r, field),
		}
		if field == r.Type.Withheld {
			x.Noun = r.Type.Noun()
		}
		b.Plan.NotCompared = append(b.Plan.NotCompared, x)
	}
}

// saysNull reports whether a declaration says null for a field.
func saysNull(r *resource.Resource, field string) bool {
	p := value.ParsePath(field)
	return r.Fields.Lookup(p).Kind() == value.Null || slices.ContainsFunc(r.Nulled, func(n value.Path) bool { return n.String() == p.String() })
}

// matchesSecret reads "[type:]ref[#field]"; "*" is every secret, and "[]" in a field
// every item of a list.
func matchesSecret(want string, r *resource.Resource, field string) bool {
	if want == "*" {
		return true
	}
	want, wantField, hasField := strings.Cut(want, "#")
	if kind, ref, ok := strings.Cut(want, ":"); ok {
		if kind != r.Type.Kind {
			return false
		}
		want = ref
	}
	return want == r.Ref && (!hasField || value.ParsePath(field).Fits(value.ParsePath(wantField)))
}

// unmatchedSecrets tells of names that fit no secret.
func unmatchedSecrets(b *Draft) {
	for _, want := range b.WriteSecrets {
		if want == "*" || b.asked[want] || writtenOnCreate(b, want) {
			continue
		}
		b.diags.Add(diag.CfgSecretUnknown, value.Pos{}, fmt.Sprintf("--write-secret %s fits no secret field of a declared resource that exists.", want), "write it as [type:]ref[#field], with a field that is given by !secret; [] in it stands for every item of a list.")
	}
}

// writtenOnCreate tells that a new resource writes the secret anyway.
func writtenOnCreate(b *Draft, want string) bool {
	for r, c := range b.Making {
		for _, e := range c.SecretWrites {
			if matchesSecret(want, r, e.Field) {
				return true
			}
		}
	}
	return false
}
