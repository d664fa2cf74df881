package plan

import (
	"maps"
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/value"
)

// references checks that what is shown of a reference is what is sent, and that
// a change that makes a value comes first.
func (v *validator) references(c *Change, t *catalog.Bound) {
	if c.Action == Delete && len(c.References) > 0 {
		v.say(c, "a delete sends nothing")
		return
	}
	for _, path := range slices.Sorted(maps.Keys(c.References)) {
		r, p := c.References[path], value.ParsePath(path)
		sent, there := value.Get(c.Fields, p)
		if path == t.MapKey && t.MapKey != "" {
			sent, there = any(c.ResourceID), true
		}
		if !there || path != p.String() {
			v.say(c, "references.%s: no such field is sent", path)
			continue
		}
		if v.cat.Kind(r.Type) == nil {
			v.say(c, "references.%s: unknown resource type %q", path, r.Type)
		}
		if r.Change != "" {
			v.made(c, path, r)
			if path != t.MapKey && !alike(sent, unknownID) {
				v.say(c, "references.%s: the value is not known before %s", path, r.Change)
			}
			continue
		}
		text, ok := sent.(string)
		if !ok {
			text = string(value.Canonical(sent))
		}
		if text != r.ID || r.ID == unknownID || r.ID == PendingDeck {
			v.say(c, "references.%s: the id shown is not the one sent", path)
		}
	}
}

// made checks a reference to what another change of the plan makes.
func (v *validator) made(c *Change, path string, r Reference) {
	made := v.byID[r.Change]
	switch {
	case made == nil || made.Action == Delete:
		v.say(c, "references.%s: %s does not make it", path, r.Change)
	case !v.after(c, r.Change):
		v.say(c, "references.%s: does not depend on %s, which makes it", path, r.Change)
	case made.Action == ExternalTool:
		if r.ID != PendingDeck || !slices.ContainsFunc(v.plan.DeckDependencies, func(d DeckDependency) bool {
			return d.Change == r.Change && d.GatewayServiceRef == r.Ref
		}) {
			v.say(c, "references.%s: decK makes no %q", path, r.Ref)
		}
	case r.ID != unknownID || r.Type != made.ResourceType || r.Ref != made.ResourceRef:
		v.say(c, "references.%s: %s makes another resource", path, r.Change)
	}
}

// expressions checks that values come from elsewhere only where a configuration
// may say so: secrets in secret fields, variables in other fields that are sent.
func (v *validator) expressions(c *Change, t *catalog.Bound) {
	if c.Action == Delete {
		if len(c.Expressions)+len(c.SecretWrites) > 0 {
			v.say(c, "a delete sends nothing")
		}
		return
	}
	body := v.operation(c, t).Body()
	seen := map[string]bool{}
	once := func(e Expression) value.Path {
		p := value.ParsePath(e.Field)
		if e.Field == "" || seen[e.Field] || p.String() != e.Field || c.References[e.Field].Change != "" {
			v.say(c, "%q: more than one value for it", e.Field)
		}
		seen[e.Field] = true
		return p
	}
	for _, e := range c.Expressions {
		p := once(e)
		_, sent := value.Get(c.Fields, p)
		s := fieldSchema(body, p, c.Fields)
		switch {
		case !sent || s != nil && s.ReadOnly:
			v.say(c, "expressions: %s is not sent", e.Field)
		case s != nil && s.Secret:
			v.say(c, "expressions: %s is a secret field", e.Field)
		case t.IsIdentity(p.Generic()):
			v.say(c, "expressions: %s identifies the resource", e.Field)
		case len(p) > 1 && p[0] == "labels" && label.Ours(p[1]):
			v.say(c, "expressions: %s is a label of kongctl", e.Field)
		}
		v.source(c, e.Field, e.Expression, false)
	}
	for _, e := range c.SecretWrites {
		p := once(e)
		if s := fieldSchema(body, p, c.Fields); s == nil || !s.Secret {
			v.say(c, "secret_writes: %s is not a secret field", e.Field)
		}
		v.secret(c, e)
	}
}

// source checks the form of an expression. Variables that hold kongctl's own
// credentials are refused by whoever reads them, too.
func (v *validator) source(c *Change, field string, e map[string]any, files bool) {
	kinds, known := 0, []string{"extract"}
	for _, kind := range []string{"env", "file", "text"} {
		if _, ok := e[kind].(string); ok {
			kinds++
			known = append(known, kind)
		}
	}
	_, isFile := e["file"]
	_, isText := e["text"]
	if isFile {
		known = append(known, "base")
	}
	for k, x := range e {
		if _, text := x.(string); !text || !slices.Contains(known, k) {
			kinds = 0
		}
	}
	name, _ := e["env"].(string)
	switch {
	case kinds != 1:
		v.say(c, "%s: unknown expression", field)
	case (isFile || isText) && !files:
		v.say(c, "%s: only a secret comes from a file", field)
	case value.IsCredential(name):
		v.say(c, "%s: the variable %s holds a credential of kongctl, which no plan may read", field, name)
	}
}

// secret checks the parts of a secret: one at least is not in the plan.
func (v *validator) secret(c *Change, e Expression) {
	parts := secretParts(e.Expression)
	hidden := false
	for _, p := range parts {
		v.source(c, e.Field, p, true)
		_, text := p["text"]
		hidden = hidden || !text
	}
	if len(e.Expression) != 1 || len(parts) == 0 || !hidden {
		v.say(c, "secret_writes: %s does not say where the secret comes from", e.Field)
	}
}

// secretParts are the sources that a secret is joined from.
func secretParts(e map[string]any) []map[string]any {
	list, _ := e["parts"].([]any)
	if one, ok := e["source"]; ok {
		list = append(slices.Clone(list), one)
	}
	var out []map[string]any
	for _, x := range list {
		m, _ := x.(map[string]any)
		out = append(out, m)
	}
	return out
}
