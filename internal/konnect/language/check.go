package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// finish checks everything that needs the whole set.
func (b *reader) finish() {
	b.unique()
	for _, r := range b.set.Resources {
		if r.External != nil {
			continue // checked where it was read: others own its fields
		}
		c := checker{state: b.state, r: r, reported: map[string]bool{}, plain: r.Fields.Plain(placeholder), env: map[string]variable{}}
		c.given()
		c.expressions()
		c.unknownKeys(catalog.Of(r).Write(), nil, r.Fields)
		c.identity()
		c.mapKey()
		c.labels()
		c.contract()
		openSecrets(c)
		secretTypes(c)
		configured(c)
		noDocuments(c)
		emptied(c)
		distinct(c)
		bothForms(c)
	}
}

// preferByLabel orders resources after those that a label of theirs names: the
// label is sent as text, so the order is a courtesy.
func (b *reader) preferByLabel() {
	refs, names := map[string][]*resource.Resource{}, map[string][]*resource.Resource{}
	for _, r := range b.set.Resources {
		refs[r.Ref] = append(refs[r.Ref], r)
		if r.Name != r.Ref && r.Called(r.Name) {
			names[r.Name] = append(names[r.Name], r)
		}
	}
	for _, r := range b.set.Resources {
		for _, e := range r.Fields.Field(fieldLabels).Entries() {
			name, ok := e.Value.Text()
			if !ok {
				continue
			}
			for _, t := range slices.Concat(refs[name], names[name]) {
				if catalog.Of(t).OrderedByLabel == e.Key {
					r.Prefer = append(r.Prefer, t)
				}
			}
		}
	}
}

// checker checks one resource. Of several problems with one field it tells the
// first.
type checker struct {
	*state
	r        *resource.Resource
	reported map[string]bool // paths that were reported
	// plain is the resource with placeholders for what is not known.
	plain any
	// env has what is taken from the environment, by path.
	env map[string]variable
}

// saying is a problem of a value. One value may stand in many resources, by an
// alias or a merge; it is reported once.
type saying struct {
	code diag.Code
	pos  value.Pos
	path string
}

func placeholder(value.Path, *value.Expression) any { return value.UnknownText }

// add tells of the value at a path, or of where it is missing.
func (c checker) add(code diag.Code, p value.Path, detail, fix string) {
	c.tell(code, c.r.Fields.Nearest(p), p, detail, fix)
}

// addKey tells of the key that a path ends in.
func (c checker) addKey(code diag.Code, p value.Path, detail, fix string) {
	n := len(p) - 1
	c.tell(code, c.r.Fields.Lookup(p[:n]).KeyPos(p[n]), p, detail, fix)
}

func (c checker) tell(code diag.Code, pos value.Pos, p value.Path, detail, fix string) {
	c.say(diag.New(code, pos, detail, fix), p)
}

// say reports what is wrong at a path, unless something was reported there.
func (c checker) say(d diag.Diagnostic, p value.Path) {
	if c.reported[p.String()] {
		return
	}
	c.reported[p.String()] = true
	s := saying{d.Code, d.Pos, p.String()}
	if d.Pos.Line > 0 && c.said[s] {
		return
	}
	c.said[s] = true
	c.diags = append(c.diags, d)
}

func (c checker) what() string { return c.r.Describe() }

// kind is the type in a sentence: a portal.
func (c checker) kind() string { return diag.A(catalog.Words(catalog.Of(c.r).Kind)) }

// given tells of an id, which only the server gives.
func (c checker) given() {
	if c.r.Fields.Has(keyID) {
		c.addKey(diag.CfgIDGiven, value.Path{keyID}, fmt.Sprintf("The %s is managed, and the server gives managed resources their ids.", c.what()), fmt.Sprintf("remove the id. If others own the resource, declare it with nothing but ref: %s and _external: {id: …}.", c.r.Ref))
	}
}

// emptied tells of a list without items that stands for no resource at all.
func emptied(c checker) {
	name := catalog.Of(c.r).Emptied
	if list := c.r.Fields.Field(name); name != "" && list.Kind() == value.List && len(list.Items()) == 0 {
		c.add(diag.ValItems, value.Path{name}, fmt.Sprintf("The field %s of the %s must have an item: Konnect keeps none without.", name, c.what()),
			"add an item. To remove all of them, use `kongctl delete`.")
	}
}

// identity tells of a resource that nothing tells apart from others.
func (c checker) identity() {
	t := catalog.Of(c.r)
	if t.Shape == catalog.Singleton || identified(c.r) || c.unreadable() {
		return
	}
	var keys []string
	for _, f := range t.Identity {
		key := t.ShortName(value.ParsePath(f)[0])
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		if c.reported[f] {
			return // a misspelled one was found
		}
	}
	fix := fmt.Sprintf("add %s: …", keys[0])
	if len(keys) > 1 {
		fix = fmt.Sprintf("add %s.", diag.Join(keys, "or"))
	}
	for _, key := range keys {
		if v := c.r.Fields.Field(key); !v.IsAbsent() && v.Kind() != value.Map {
			fix = fmt.Sprintf("write %s: {%s}.", key, strings.Join(identityBelow(t, key), ", "))
			break
		}
	}
	c.add(diag.CfgNoIdentity, value.Path{t.Identity[0]}, fmt.Sprintf("%s is known by its %s, and this one has none.", diag.Sentence(c.kind()), diag.Join(t.Identity, "and")), fix)
	c.reported[""] = true
}

// identityBelow are the fields of the identity below a key, as they are written.
func identityBelow(t *catalog.Bound, key string) []string {
	var out []string
	for _, f := range t.Identity {
		if inner, ok := strings.CutPrefix(f, key+"."); ok {
			out = append(out, inner+": …")
		}
	}
	return out
}

// unreadable tells whether a part of the resource could not be read: what
// seems to be missing may stand there.
func (c checker) unreadable() bool {
	found := false
	c.r.Fields.Walk(func(_ value.Path, v value.Value) bool {
		found = found || unread(v)
		return !found
	})
	return found
}

// expressions checks where tags stand.
func (c checker) expressions() {
	identifiers(c)
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		schema := c.schema(p)
		secret := schema != nil && schema.Secret
		e := v.Expr()
		switch {
		case e == nil:
			c.literal(p, v, schema)
			return true
		case e.Op == value.OpLookup:
			c.misplacedLookup(p, v)
		case e.Op == value.OpSecret && !secret && schema != nil:
			misplacedSecret(c, p)
		case secret && oneSecret(c, p, e):
		case e.Op == value.OpEnv:
			c.environment(p, e, schema)
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

// misplacedLookup tells of a lookup where no reference stands.
func (c checker) misplacedLookup(p value.Path, v value.Value) {
	c.reported[p.String()] = true
	var fields []string
	for _, ref := range catalog.Of(c.r).References {
		fields = append(fields, ref.Field)
	}
	where := fmt.Sprintf("; %s has none", c.kind())
	if len(fields) > 0 {
		where = fmt.Sprintf(", which in %s are %s", c.kind(), diag.Join(fields, "and"))
	}
	c.diags.Add(diag.ExtLookup, v.Pos(), fmt.Sprintf("The tags !lookup and !external stand in fields that refer to other resources%s.", where), fmt.Sprintf("declare it under %s, and write !ref NAME#FIELD here.", keyExternals))
}

// literal refuses a secret in clear. References into a vault are not secret.
func (c checker) literal(p value.Path, v value.Value, schema *contract.Schema) {
	if schema == nil || !schema.Secret || v.Kind() == value.Map || v.Kind() == value.List || v.Kind() == value.Null {
		return
	}
	s, _ := v.Text()
	if value.FromVault(s) {
		return
	}
	fix := secretFix(c, p)
	if strings.Contains(s, "${") || strings.Contains(s, "{vault://") {
		fix += ` A reference is all of the text: '${vault.env["NAME"]}'.`
	}
	c.add(diag.CfgSecretLiteral, p, fmt.Sprintf("The field %s of the %s is secret: its value may not stand in the configuration, nor be read into it.", p, c.what()), fix)
}

// schema finds what the contract says of a field of this resource.
func (c checker) schema(p value.Path) *contract.Schema {
	return catalog.SchemaAt(catalog.Of(c.r).Write(), p, c.plain)
}

// contract checks values against the contract.
func (c checker) contract() {
	t := catalog.Of(c.r)
	body := withoutTaken(t, c.known())
	delete(body, t.MapKey)
	unknown := func(path []string) bool {
		_, fromEnv := c.variable(path)
		return !fromEnv && c.r.Fields.Lookup(path).Kind() == value.Expr
	}
	for _, v := range t.ValidateBody(t.WriteOp(), body, unknown) {
		c.violation(v)
	}
	for _, v := range t.Misfits(body, func(path []string) bool { return unknown(path) || isPlaceholder(body, path) }) {
		c.violation(v)
	}
}

// isPlaceholder reports whether an exported configuration still holds what stands
// for a text that Konnect does not return: it is compared, never sent.
func isPlaceholder(body map[string]any, path []string) bool {
	v, _ := value.Get(body, path)
	return v == catalog.Placeholder
}
