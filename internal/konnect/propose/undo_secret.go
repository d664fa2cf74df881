package propose

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// sendsAgain gives an update that undoes another one the secrets that the latter sent
// and Konnect would lose, from where it took them. A secret that came with a part, or
// with a form of it, is not one of the part that was there before.
// The others are returned.
func sendsAgain(t *catalog.Bound, c, back *plan.Change, o *resource.Object, desired build.Desired, d diff.Delta) (others []string) {
	whole := maps.Clone(o.Fields)
	maps.Copy(whole, back.Fields)
	whole, _ = value.Clone(whole).(map[string]any)
	is := build.Desired{Plain: whole, Env: desired.Env}
	for _, e := range c.SecretWrites {
		p := placeBefore(t, c, back.Fields, value.ParsePath(e.Field))
		withList(whole, c.Fields, p, value.ParsePath(e.Field))
		if is.Secrets = nil; p != nil {
			is.Secrets = []plan.Expression{{Field: p.String(), Expression: e.Expression}}
		}
		again := resent(t, is, d)
		if back.SecretWrites = append(back.SecretWrites, again...); len(again) == 0 {
			others = append(others, e.Field)
		}
	}
	besideSecrets(t, back.Fields, o.Fields, is, back.SecretWrites)
	return others
}

// withList adds the list of secrets that a secret is an item of, where nobody sees it.
func withList(whole, wrote map[string]any, p, secret value.Path) {
	last := len(p) - 1
	if last < 1 {
		return
	}
	_, isItem := value.Place(p[last])
	if _, there := value.Get(whole, p[:last]); isItem && !there {
		list, _ := value.Get(wrote, secret[:last])
		value.Set(whole, p[:last], value.Clone(list))
	}
}

// askedFor are the secrets that an update wrote of a resource that is as it was before,
// but for those that went along with a change.
func askedFor(t *catalog.Bound, c *plan.Change, o *resource.Object) (out []string) {
	is, _ := strip(t.Update.Body(), value.Clone(o.Fields)).(map[string]any)
	for _, e := range c.SecretWrites {
		if len(c.ChangedFields) == 0 || placeBefore(t, c, is, value.ParsePath(e.Field)) == nil {
			out = append(out, e.Field)
		}
	}
	return out
}

// placeBefore is where a secret that an update wrote stands in what is sent to undo it;
// nil where what it belongs to was not there before, or was another one.
func placeBefore(t *catalog.Bound, c *plan.Change, sent map[string]any, secret value.Path) value.Path {
	if x, changed := c.ChangedFields[secret.String()]; changed && x.Old == nil {
		return nil
	}
	if pluginOf(t, c.Fields, secret) != pluginOf(t, c.CurrentState, secret) {
		return nil
	}
	var wrote, is any = c.Fields, sent
	var out value.Path
	for n, seg := range secret {
		if m, isMap := wrote.(map[string]any); isMap {
			before, _ := is.(map[string]any)
			if before == nil || picksAnother(t.Update.Body().At(secret[:n], c.Fields), m, before) {
				return nil
			}
			wrote, is, out = m[seg], before[seg], out.Child(seg)
			continue
		}
		place, isPlace := value.Place(seg)
		items, _ := wrote.([]any)
		before, _ := is.([]any)
		if !isPlace || place >= len(items) {
			return nil
		}
		if wrote = items[place]; is == nil && n == len(secret)-1 && wrote == nil {
			return out.Index(place) // nobody sees the list
		}
		if !value.Equal(items, before) {
			var key string // leads on to the secret, and is compared by itself
			if n < len(secret)-1 {
				key = secret[n+1]
			}
			if place = only(before, wrote, key); place < 0 || only(items, wrote, key) < 0 {
				return nil
			}
		}
		is, out = before[place], out.Index(place)
	}
	return out
}

// only is the place of the one item of a list that has the fields of another one, but for
// one of them; negative where none has them, or several.
func only(list []any, item any, but string) int {
	found := -1
	for i, x := range list {
		if !value.Equal(lessKey(x, but), lessKey(item, but)) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func lessKey(x any, key string) any {
	m, isMap := x.(map[string]any)
	if !isMap {
		return x
	}
	m = maps.Clone(m)
	delete(m, key)
	return m
}

// pluginOf is the name of the plugin that a body configures at a place; "" for none.
func pluginOf(t *catalog.Bound, body map[string]any, at value.Path) string {
	c, configures := t.Update.Configuration()
	if !configures || !at.HasPrefix(value.ParsePath(c.Field)) {
		return ""
	}
	if c.By == "" {
		return c.Plugin
	}
	name, _ := body[c.By].(string)
	return name
}

// hasSecrets reports whether an update that undoes another one can be made without
// the secrets that a plan does not hold, and says which of them do not come back:
// what an update keeps elsewhere, it cannot keep of a part that is not there now. It
// takes away no secret that there is, unless it shows that.
func hasSecrets(v undoing, t *catalog.Bound, c, back *plan.Change, o *resource.Object) bool {
	needed, unset := lostSecrets(t, o.Fields, back.Fields, back.SecretWrites)
	unset = slices.DeleteFunc(unset, func(name string) bool {
		lost := isThere(c, o, name)
		if lost && !showsRemoval(back, value.ParsePath(name)) {
			needed = append(needed, name)
		}
		return lost
	})
	whole := maps.Clone(o.Fields)
	maps.Copy(whole, back.Fields)
	whole, _ = value.Clone(whole).(map[string]any)
	for _, e := range back.SecretWrites {
		value.Set(whole, value.ParsePath(e.Field), plan.UnknownID)
	}
	missing, optional := gaps(t.Write(), whole, nil)
	for _, name := range missing {
		if s := t.Write().At(value.ParsePath(name), whole); s != nil && s.Secret && comesBack(t, name, back.Fields, o.Fields) {
			needed = append(needed, name)
		}
	}
	for _, name := range optional {
		if comesBack(t, name, back.Fields, o.Fields) {
			unset = append(unset, name)
		}
	}
	if len(needed) > 0 {
		slices.Sort(needed)
		v.Cannot(c, nil, "the plan does not hold its %s", strings.Join(slices.Compact(needed), ", "))
		return false
	}
	if len(back.SecretWrites) > 0 {
		names := make([]string, len(back.SecretWrites))
		for i, e := range back.SecretWrites {
			names[i] = e.Field
		}
		v.Warn(back, "plans never contain secrets; those that the plan to undo sent are sent again, from the same places ("+strings.Join(names, ", ")+")")
	}
	if len(unset) > 0 {
		slices.Sort(unset)
		v.Cannot(c, back, "plans never contain secrets; set them again with --write-secret (%s)", strings.Join(slices.Compact(unset), ", "))
	}
	return true
}

func cannotSecret(v undoing, c *plan.Change, field string) {
	v.Cannot(c, nil, "the plan does not hold what the secret %s was before", field)
}

// isThere reports whether a resource has a secret that an update would unset: Konnect
// returned it, or the plan wrote it. Of what a plan did not write all together, nothing
// says which secrets it has.
func isThere(c *plan.Change, o *resource.Object, name string) bool {
	_, returned := value.Get(o.Fields, value.ParsePath(name))
	return returned || c.With != nil || slices.ContainsFunc(c.SecretWrites, func(e plan.Expression) bool {
		return value.ParsePath(e.Field).HasPrefix(value.ParsePath(name))
	})
}

// showsRemoval reports whether a change shows that a field, or all around it, goes.
func showsRemoval(c *plan.Change, p value.Path) bool {
	for n := range p {
		if x, shown := c.ChangedFields[p[:n+1].String()]; shown && x.New == nil {
			return true
		}
	}
	return false
}

// comesBack reports whether what a field stands in is sent and is not there now.
func comesBack(t *catalog.Bound, name string, sent, live map[string]any) bool {
	p := value.ParsePath(name)
	if _, is := sent[p[0]]; !is || len(p) == 1 {
		return false
	}
	above, _ := value.Get(live, p[:len(p)-1])
	_, there := above.(map[string]any)
	return !there || t.Write().At(p, live) == nil
}
