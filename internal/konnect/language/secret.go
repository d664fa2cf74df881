package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
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
		fix = fmt.Sprintf("write a list: %s: [!secret {source: %s}]", p[len(p)-1], secretSource(e))
	}
	c.add(diag.ValType, p, fmt.Sprintf("The field %s of the %s takes %s, and a secret is one text.", p, c.what(), takes), fix)
	return true
}

// misplacedSecret reports a secret in a field that is not secret.
func misplacedSecret(c checker, p value.Path) {
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
