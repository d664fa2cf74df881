package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
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
