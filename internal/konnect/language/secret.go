package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// oneSecret reports a secret for a field that takes several, or a mapping: a
// secret is one text.
func oneSecret(c checker, p value.Path, e *value.Expression) bool {
	takes := c.r.Type.Takes(c.r, p)
	if takes == 0 || takes&^(resource.Lists|resource.Mappings) != 0 || e.Op != value.OpSecret && e.Op != value.OpEnv {
		return false
	}
	fix := "write the secret into the fields of the mapping."
	if takes&resource.Lists != 0 {
		fix = fmt.Sprintf("write a list: %s: %s", p[len(p)-1], catalog.SecretForm(c.schema(p), secretSource(e)))
	}
	c.add(diag.ValType, p, fmt.Sprintf("The field %s of the %s takes %s, and a secret is one text.", p, c.what(), takes), fix)
	return true
}

// secretFix says how to write the secret at a path: the whole field, or an item of a
// list of secrets. What stands in a secret in another form than the field takes is part
// of that field.
func secretFix(c checker, p value.Path) string {
	field := p
	for n := range p {
		if s := c.schema(p[:n+1]); s != nil && s.Secret {
			field = p[:n+1]
			break
		}
	}
	s, before := c.schema(field), ""
	if _, isItem := value.Place(p[len(p)-1]); isItem && s.Type == "array" && len(p) == len(field)+1 {
		s = c.schema(p)
	} else if _, isItem := value.Place(field[len(field)-1]); !isItem {
		before = field[len(field)-1] + ": "
	}
	return fmt.Sprintf("write %s%s or %s%s.", before, catalog.SecretForm(s, "!env VAR"), before, catalog.SecretForm(s, "!file PATH"))
}

// secretTypes reports values of another type than a secret of a plugin has, or what holds
// such secrets: the contract takes any configuration of a plugin. What is written in
// clear is reported as such, with a fix that is of the right type.
func secretTypes(c checker) {
	const scalars = resource.Texts | resource.Numbers | resource.Booleans
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		s := c.schema(p)
		if v.Expr() != nil || !s.Tabled() || s.Loose() && !s.Secret {
			return v.Expr() == nil
		}
		says, given := catalog.Kinds(s), resource.KindsOf(v)
		takes := says
		if s.Secret && says&scalars != 0 {
			takes |= scalars
		}
		_, isItem := value.Place(p[len(p)-1])
		switch {
		case v.Kind() == value.Null && isItem:
			c.violation(contract.Violation{Path: p, Rule: contract.RuleNull, Detail: "cannot be null"})
		case !given.Fit(takes) && reportedIn(c, p):
			return false
		case !given.Fit(takes):
			c.violation(contract.Violation{Path: p, Rule: contract.RuleType, Detail: fmt.Sprintf("takes %s, not %s", says, given)})
			return false
		}
		return true
	})
}

// reportedIn reports whether something in a value was reported.
func reportedIn(c checker, p value.Path) bool {
	found := false
	c.r.Fields.Lookup(p).Walk(func(in value.Path, _ value.Value) bool {
		found = found || c.reported[slices.Concat(p, in).String()]
		return !found
	})
	return found
}

// misplacedSecret reports a secret in a field that is not secret, or of which nobody
// knows whether it is.
func misplacedSecret(c checker, p value.Path) {
	if undecidedSecret(c, p) {
		return
	}
	c.add(diag.CfgSecretPlace, p, fmt.Sprintf("The field %s of the %s is not a secret: Konnect shows it to everyone who may read the resource.", p, c.what()), "use !env or !file here.")
}

// identifiers takes the variables out of secrets in fields of plugins that are no
// secrets and look like ones, as gateways encrypt them. They are compared and shown
// like any other field.
func identifiers(c checker) {
	op := catalog.Of(c.r).WriteOp()
	if op == nil {
		return
	}
	c.r.Fields = c.r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		if e := v.Expr(); e != nil && e.Op == value.OpSecret && len(e.Parts) == 1 && op.Identifier(p, c.plain) {
			if from := e.Parts[0].Expr(); from != nil && from.Op == value.OpEnv {
				return value.ExprAt(v.Pos(), *from)
			}
		}
		return v
	})
}

// openSecrets reports secrets in fields that the contract does not know, of
// mappings that take any key: nothing says that they are secret. Where a field is
// wrong for another reason, that is reported already.
func openSecrets(c checker) {
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		if e := v.Expr(); e == nil || e.Op != value.OpSecret || c.schema(p) != nil {
			return e == nil
		}
		for n := range p {
			if c.reported[p[:n+1].String()] {
				return false
			}
		}
		misplacedSecret(c, p)
		return false
	})
}

// secretSource is where a secret comes from, as it is written.
func secretSource(e *value.Expression) string {
	if e.Op == value.OpSecret && len(e.Parts) == 1 && e.Parts[0].Expr() != nil {
		e = e.Parts[0].Expr()
	}
	switch {
	case e.Op == value.OpEnv && e.Field == "":
		return "!env " + e.Name
	case e.Op == value.OpFile && e.Field == "":
		return "!file " + e.Name
	default:
		return "!env VAR"
	}
}
