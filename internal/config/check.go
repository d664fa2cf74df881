package config

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/contract"
	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// finish checks everything that needs the whole set.
func (b *builder) finish() {
	b.unique()
	for _, r := range b.set.Resources {
		c := checker{builder: b, r: r, told: map[string]bool{}, plain: r.Fields.Plain(placeholder)}
		c.given()
		c.expressions()
		c.unknownKeys(r.Type.Write(), nil, r.Fields)
		c.labels()
		c.contract()
	}
	b.requireNamespaces()
}

// checker checks one resource.
type checker struct {
	*builder
	r    *Resource
	told map[string]bool // paths that were told of
	// plain is the resource with placeholders for what is not known.
	plain any
}

func placeholder(value.Path, *value.Expression) any { return value.UnknownText }

func (c checker) add(code diag.Code, p value.Path, detail, fix string) {
	if c.told[p.String()] {
		return
	}
	c.told[p.String()] = true
	c.diags.Add(code, c.r.Fields.Nearest(p), detail, fix)
}

func (c checker) what() string { return fmt.Sprintf("%s %q", catalog.Words(c.r.Type.Kind), c.r.Ref) }

// given tells of an id, which only the server gives.
func (c checker) given() {
	if c.r.Fields.Has(keyID) {
		c.add(diag.CfgIDGiven, value.Path{keyID}, fmt.Sprintf("The %s is managed, and the server gives managed resources their ids.", c.what()), "remove the id; to refer to what exists, write its id where it is needed.")
	}
}

// expressions checks where tags stand.
func (c checker) expressions() {
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		schema := c.schema(p)
		secret := schema != nil && schema.Secret
		e := v.Expr()
		switch {
		case e == nil:
			c.literal(p, v, secret)
			return true
		case e.Op == value.OpLookup:
			c.add(diag.CfgLater, p, "The tags !lookup and !external belong to the configuration language, but this version does not read them.", "write the id of what exists.")
		case e.Op == value.OpSecret && !secret:
			c.add(diag.CfgSecretPlace, p, fmt.Sprintf("The field %s of the %s is not a secret, so Konnect would show it to everyone who can read it.", p, c.what()), "use !env or !file here.")
		case e.Op == value.OpEnv:
			c.environment(p, e)
		}
		return false
	})
	c.r.Fields = c.r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		if e := v.Expr(); e != nil && e.Op == value.OpEnv {
			if s := c.schema(p); s != nil && s.Secret {
				return value.ExprAt(v.Pos(), value.Expression{Op: value.OpSecret, Parts: []value.Value{v}})
			}
		}
		return v
	})
}

func (c checker) environment(p value.Path, e *value.Expression) {
	s := c.schema(p)
	switch {
	case s != nil && s.Secret:
		return // becomes a secret, which is looked up when it is written
	case c.r.Type.IsIdentity(p.Generic()):
		c.add(diag.CfgEnvPlace, p, fmt.Sprintf("A %s is found by its %s, so that field cannot depend on the environment.", catalog.Words(c.r.Type.Kind), p), "write the value itself.")
	default:
		if _, ok := c.opts.Env(e.Name); !ok {
			c.add(diag.CfgEnvUnset, p, fmt.Sprintf("The %s takes %s from the environment variable %s, which is not set.", c.what(), p, e.Name), "set it: export "+e.Name+"=…")
		}
	}
}

// literal refuses a secret in clear. References into a vault are not secret.
func (c checker) literal(p value.Path, v value.Value, secret bool) {
	if !secret || v.Kind() == value.Map || v.Kind() == value.List || v.Kind() == value.Null {
		return
	}
	if s, ok := v.Text(); ok && strings.HasPrefix(s, "{vault://") && strings.HasSuffix(s, "}") {
		return
	}
	c.add(diag.CfgSecretLiteral, p, fmt.Sprintf("The field %s of the %s is secret and stands here in clear.", p, c.what()), fmt.Sprintf("take it from the environment or a file: %s: !secret {source: !env MY_SECRET}", p[len(p)-1]))
}

// schema finds what the contract says of a field of this resource.
func (c checker) schema(p value.Path) *contract.Schema {
	return c.r.Type.Write().At(p.Generic(), c.plain)
}

// unknownKeys tells of keys that the contract does not have. The contract
// leaves some objects open; a typo there must be found all the same.
func (c checker) unknownKeys(s *contract.Schema, p value.Path, v value.Value) {
	s = s.Deref()
	if s == nil {
		return
	}
	if v.Kind() == value.List {
		if s.Items != nil {
			for i, item := range v.Items() {
				c.unknownKeys(s.Items, p.Index(i), item)
			}
		}
		return
	}
	if v.Kind() != value.Map {
		return
	}
	plain, _ := v.Plain(placeholder).(map[string]any)
	o := s.Object(plain)
	for _, e := range v.Entries() {
		at := p.Child(e.Key)
		f := o.Field(e.Key)
		switch {
		case f != nil && f.Schema.ReadOnly:
			c.add(diag.CfgReadOnly, at, fmt.Sprintf("Konnect sets the field %s of a %s; it cannot be declared.", at, catalog.Words(c.r.Type.Kind)), "remove it.")
		case f != nil:
			c.unknownKeys(f.Schema, at, e.Value)
		case o.Values != nil:
			c.unknownKeys(o.Values, at, e.Value)
		case o.Open, len(p) == 0 && e.Key == c.r.Type.MapKey:
		default:
			c.unknown(o, at, e)
		}
	}
}

func (c checker) unknown(o *contract.Object, at value.Path, e value.Entry) {
	if c.told[at.String()] {
		return
	}
	c.told[at.String()] = true
	var known []string
	for _, n := range o.Names() {
		if !o.Field(n).Schema.ReadOnly {
			known = append(known, n)
		}
	}
	where := fmt.Sprintf("A %s", catalog.Words(c.r.Type.Kind))
	if len(at) == 1 {
		known = append(known, c.ownKeys()...)
	} else {
		where = fmt.Sprintf("%s of a %s", at[:len(at)-1], catalog.Words(c.r.Type.Kind))
	}
	c.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s has no field %q.", where, e.Key), suggest(e.Key, known))
}

// ownKeys are the keys of a resource that are not fields.
func (c checker) ownKeys() []string {
	t := c.r.Type
	keys := []string{keyRef}
	if t.Parent == nil {
		keys = append(keys, keyMeta)
	}
	if t.MapKey != "" {
		keys = append(keys, t.MapKey)
	}
	if t.Tree != nil {
		keys = append(keys, t.Tree.Children)
	}
	for _, child := range t.Children {
		if !child.External {
			keys = append(keys, child.Key)
		}
	}
	return keys
}

// contract checks values against the contract.
func (c checker) contract() {
	t := c.r.Type
	if t.MapKey != "" && !c.r.Fields.Has(t.MapKey) {
		c.add(diag.ValRequired, value.Path{t.MapKey}, fmt.Sprintf("The %s needs the field %s.", c.what(), t.MapKey), fmt.Sprintf("add %s: …", strings.TrimSuffix(t.MapKey, "_id")))
	}
	body, _ := value.Clone(c.plain).(map[string]any)
	delete(body, t.MapKey)
	unknown := func(path []string) bool {
		v := c.r.Fields.Lookup(path)
		return v.Kind() == value.Expr
	}
	for _, v := range t.WriteOp().ValidateBody(body, unknown) {
		c.violation(v)
	}
}

var ruleCodes = map[contract.Rule]diag.Code{
	contract.RuleRequired: diag.ValRequired,
	contract.RuleType:     diag.ValType,
	contract.RuleNull:     diag.ValNull,
	contract.RuleEnum:     diag.ValEnum,
	contract.RulePattern:  diag.ValPattern,
	contract.RuleLength:   diag.ValLength,
	contract.RuleRange:    diag.ValRange,
	contract.RuleItems:    diag.ValItems,
	contract.RuleFormat:   diag.ValFormat,
	contract.RuleUnion:    diag.ValUnion,
	contract.RuleUnknown:  diag.CfgUnknownKey,
	contract.RuleOther:    diag.ValOther,
}

func (c checker) violation(v contract.Violation) {
	p := value.Path(v.Path)
	if len(p) == 0 {
		c.add(ruleCodes[v.Rule], p, fmt.Sprintf("The %s %s.", c.what(), v.Detail), "")
		return
	}
	if v.Rule == contract.RuleRequired {
		if len(p) == 1 && slices.Contains(c.r.Type.Identity, p[0]) && c.noName(p[0]) {
			return // told as a resource without a name
		}
		c.add(diag.ValRequired, p, fmt.Sprintf("The %s needs the field %s.", c.what(), p), fmt.Sprintf("add %s: …", p[len(p)-1]))
		return
	}
	c.add(ruleCodes[v.Rule], p, fmt.Sprintf("The field %s of the %s %s.", p, c.what(), v.Detail), c.fix(p, v))
}

func (c checker) noName(field string) bool {
	_, ok := identity(c.r)
	return !ok && !c.r.Fields.Has(field)
}

// fix says what to type instead.
func (c checker) fix(p value.Path, v contract.Violation) string {
	written := c.r.Fields.Lookup(p)
	switch v.Rule {
	case contract.RuleEnum:
		if s, ok := written.Text(); ok {
			return suggest(s, slices.Clone(v.Allowed))
		}
		return "use one of " + strings.Join(v.Allowed, ", ") + "."
	case contract.RuleType:
		if s := c.schema(p); s != nil && s.Type == "string" && (written.Kind() == value.Number || written.Kind() == value.Bool) {
			return fmt.Sprintf("write it in quotes: %s: \"%v\"", p[len(p)-1], written.Plain(nil))
		}
		return ""
	case contract.RuleNull:
		return "remove it, or give it a value."
	default:
		return ""
	}
}
