package language

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// unknownKeys tells of keys that the contract does not have. The contract
// leaves some objects open; a typo there must be found all the same.
func (c checker) unknownKeys(s *contract.Schema, p value.Path, v value.Value) {
	s = s.Deref()
	if s == nil {
		return
	}
	if items := s.Item(); v.Kind() == value.List && items != nil {
		for i, item := range v.Items() {
			c.unknownKeys(items, p.Index(i), item)
		}
		return
	}
	if v.Kind() != value.Map {
		return
	}
	plain, _ := v.Plain(placeholder).(map[string]any)
	o := s.Object(plain)
	if len(o.Names()) == 0 && o.Values == nil && (len(p) > 0 || catalog.Of(c.r).Link == "") {
		return // anything goes, or no mapping at all, which is another problem
	}
	for _, e := range v.Entries() {
		at := p.Child(e.Key)
		f := o.Field(e.Key)
		switch {
		case f != nil && f.Schema.ReadOnly:
			c.addKey(diag.CfgReadOnly, at, fmt.Sprintf("Konnect sets the field %s of %s; it cannot be declared.", at, c.kind()), "remove it.")
		case f != nil && differs(s, plain, e.Key):
			// Which variant is meant is not known, and reported as such.
		case f != nil:
			c.unknownKeys(f.Schema, at, e.Value)
		case o.Values != nil:
			c.unknownKeys(o.Values, at, e.Value)
		case o.Open, len(p) == 0 && e.Key == catalog.Of(c.r).MapKey:
		case len(p) == 0 && inGroup(c, e):
		default:
			c.unknown(s, o, at, v)
		}
	}
}

// differs tells that the variants of a union mean different things by a field,
// and that the value does not say which of them it is.
func differs(s *contract.Schema, plain map[string]any, key string) bool {
	branches := s.Branches()
	if len(branches) == 0 || s.Pick(plain) != nil {
		return false
	}
	var seen *contract.Schema
	for _, b := range branches {
		f := b.Object(nil).Field(key)
		if f == nil {
			continue
		}
		if seen != nil && seen != f.Schema {
			return true
		}
		seen = f.Schema
	}
	return false
}

// unknown tells of the last key of a path, and what it may have been meant for.
func (c checker) unknown(s *contract.Schema, o *contract.Object, at value.Path, in value.Value) {
	n := len(at) - 1
	key, above := at[n], at[:n]
	where := c.kind()
	if n > 0 {
		where = fmt.Sprintf("%s of %s", above, c.kind())
	}
	if detail, fix := otherVariant(s, in, nil, key, where); detail != "" {
		c.addKey(diag.CfgUnknownKey, at, detail, fix+described(c, above))
		return
	}
	var known, open []string
	for _, name := range o.Names() {
		if !o.Field(name).Schema.ReadOnly {
			known = append(known, name)
		}
	}
	if n == 0 {
		known = append(known, ownKeys(c)...)
	}
	for _, name := range known {
		if !in.Has(name) {
			open = append(open, name)
		}
	}
	if chosenAbove(c, at, where, known, open) {
		return
	}
	meant := nearKey(key, open)
	if n == 0 && meant == "" {
		meant = nearKey(key, coreKeys(c))
	}
	if fix := spaceFix(key); fix != "" {
		c.addKey(diag.CfgUnknownKey, at, fmt.Sprintf("There is no field %q in %s.", key, where), fix)
		return
	}
	if n == 0 && meant == "" && slices.Contains(metaKeys, key) {
		c.addKey(diag.CfgUnknownKey, at, fmt.Sprintf("There is no field %q in %s.", key, where), metaFix(catalog.Of(c.r), key))
		return
	}
	if by := catalog.MadeBy(catalog.Of(c.r), key); n == 0 && by != "" {
		c.addKey(diag.CfgUnknownKey, at, fmt.Sprintf("There is no field %q in %s.", key, where), "remove it: no configuration declares it; "+by+" makes one.")
		return
	}
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	fix := fmt.Sprintf("use one of %s.", strings.Join(known, ", "))
	switch {
	case meant != "":
		fix = fmt.Sprintf("did you mean %s?", meant)
	case len(open) == 0:
		fix = "remove it." // all that there is was written
	case len(known) == 1:
		meant = known[0]
		fix = fmt.Sprintf("use %s.", meant)
	}
	if meant != "" {
		c.reported[above.Child(meant).String()] = true // so it is not missing
	}
	c.addKey(diag.CfgUnknownKey, at, fmt.Sprintf("There is no field %q in %s.", key, where), fix+described(c, above))
}

// nearKey is the key that another one is a typo of, "" where none is.
func nearKey(key string, known []string) string {
	best, least := "", 1<<10
	for _, k := range known {
		if d, near := typo(snake(key), snake(k)); near && d < least {
			best, least = k, d
		}
	}
	if best == "" {
		best = onlyLonger(key, known)
	}
	return best
}

// onlyLonger is the one known key whose words include all words of the key, or are all
// among them: insecure_skip_verify for skip_verify. At least two words must agree. It is ""
// for none and for several.
func onlyLonger(key string, known []string) string {
	words, found := strings.Split(snake(key), "_"), ""
	for _, k := range known {
		few, many := words, strings.Split(snake(k), "_")
		if len(few) > len(many) {
			few, many = many, few
		}
		if len(few) < 2 || slices.ContainsFunc(few, func(w string) bool { return !slices.Contains(many, w) }) {
			continue
		}
		if found != "" {
			return ""
		}
		found = k
	}
	return found
}

// described names the command that describes the fields at a path.
func described(c checker, p value.Path) string {
	return fmt.Sprintf(" kongctl explain %s describes the fields.", strings.Join(append([]string{catalog.Of(c.r).Kind}, p.Generic()...), "."))
}

// chosenAbove explains a key that belongs to another variant, where a mapping
// further up chooses the variant.
func chosenAbove(c checker, at value.Path, where string, known, open []string) bool {
	n := len(at) - 1
	for i := n - 1; i >= 0; i-- {
		detail, fix := otherVariant(c.schema(at[:i]), c.r.Fields.Lookup(at[:i]), at[i:n], at[n], where)
		if detail == "" {
			continue
		}
		if len(known) == 1 && len(open) == 1 {
			c.reported[at[:n].Child(open[0]).String()] = true // so it is not missing
			fix = strings.Replace(fix, "remove it", "use "+open[0], 1)
		}
		c.addKey(diag.CfgUnknownKey, at, detail, fix+described(c, at[:n]))
		return true
	}
	return false
}

// otherVariant explains a key that belongs to another variant of a union than
// the one that the mapping chooses. Below is the way from the mapping to the key.
func otherVariant(s *contract.Schema, in value.Value, below value.Path, key, where string) (detail, fix string) {
	if s == nil {
		return "", ""
	}
	property, branches := s.Selector()
	chosen, ok := in.Field(property).Text()
	if property == "" || !ok {
		return "", ""
	}
	var fitting []string
	for choice, b := range branches {
		at := b.At(below, nil)
		if at == nil || choice == chosen {
			continue
		}
		if f := at.Object(nil).Field(key); f != nil && !f.Schema.ReadOnly {
			fitting = append(fitting, choice)
		}
	}
	if len(fitting) == 0 {
		return "", ""
	}
	sort.Strings(fitting)
	return fmt.Sprintf("With %s: %s there is no field %q in %s.", property, chosen, key, where),
		fmt.Sprintf("remove it, or write %s: %s.", property, strings.Join(fitting, " or "))
}
