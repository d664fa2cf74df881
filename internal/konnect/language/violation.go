package language

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/konnect/catalog"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// few is how many values a sentence can list.
const few = 6

// violation words what the contract refuses.
func (c checker) violation(v contract.Violation) {
	p := value.Path(v.Path)
	if from, ok := c.variable(p); ok {
		c.badVariable(from, v)
		return
	}
	if v.Rule == contract.RuleUnion && c.takesBelow(p) {
		v.Detail = "has none of the forms that are allowed there"
	}
	code := catalog.Code(v.Rule)
	subject := fmt.Sprintf("The field %s of the %s", p, c.what())
	if len(p) == 0 {
		subject = fmt.Sprintf("The %s", c.what())
	}
	if v.Rule == contract.RuleUnion && c.r.Fields.Lookup(p).Kind() == value.Null {
		v = contract.Violation{Path: v.Path, Rule: contract.RuleNull, Detail: "cannot be null"}
		code = diag.ValNull
	}
	switch v.Rule {
	case contract.RuleRequired:
		c.add(code, p, fmt.Sprintf("The %s needs the field %s.", c.what(), p), c.addFix(p))
	case contract.RuleUnknown:
		if nowhere(c, p) {
			return
		}
		detail, fix := c.conflict(p)
		c.addKey(code, p, subject+" "+detail, fix)
	case contract.RuleEnum:
		c.add(code, p, subject+" "+c.refusedValue(p, v.Allowed), c.allowedFix(p, v.Allowed))
	case contract.RulePattern, contract.RuleLength:
		if text, ok := c.r.Fields.Lookup(p).Text(); ok && text == "" {
			c.add(code, p, subject+" must not be empty.", "write a text"+c.orRemove(p)+".")
			return
		}
		if v.Rule == contract.RuleLength {
			c.add(code, p, subject+" "+v.Detail+".", c.fix(p, v.Rule))
			return
		}
		detail, fix := c.pattern(p, v.Detail)
		c.add(code, p, subject+" "+detail, fix)
	case contract.RuleType:
		if s := c.schema(p).Deref(); s != nil && s.Type == "" && catalog.Kinds(s) != 0 { // a union, and not one of its variants
			v.Detail = fmt.Sprintf("must be %s, not %s", catalog.Kinds(s), shape(c.r.Fields.Lookup(p)))
		}
		c.add(code, p, subject+" "+v.Detail+".", c.fix(p, v.Rule))
	case contract.RuleFormat:
		if catalog.IsImage(c.schema(p)) {
			v.Detail = dataURL
		}
		c.add(code, p, subject+" "+v.Detail+".", c.fix(p, v.Rule))
	default:
		c.add(code, p, subject+" "+v.Detail+".", c.fix(p, v.Rule))
	}
}

// addFix shows the missing field, with its values where they are few.
func (c checker) addFix(p value.Path) string {
	n := len(p) - 1
	var values []string
	if parent := c.schema(p[:n]); parent != nil {
		if property, branches := parent.Selector(); property == p[n] {
			values = contract.SelectorValues(branches)
		}
	}
	if s := c.schema(p); s != nil && s.Secret {
		return fmt.Sprintf("add %s: %s", p[n], catalog.SecretForm(s, "!env VAR"))
	}
	if s := c.schema(p); s != nil && len(values) == 0 {
		for _, x := range s.Enum {
			values = append(values, fmt.Sprint(x))
		}
	}
	if len(values) > 0 && len(values) <= few {
		return fmt.Sprintf("add %s: %s.", p[n], diag.Join(values, "or"))
	}
	return fmt.Sprintf("add %s: …", p[n])
}

// refusedValue says what a field takes in place of what it was given.
func (c checker) refusedValue(p value.Path, allowed []string) string {
	got := "this value"
	if s, ok := c.r.Fields.Lookup(p).Text(); ok && len(s) <= maxRef {
		got = fmt.Sprintf("%q", s)
	}
	if len(allowed) > few {
		return fmt.Sprintf("does not take %s.", got)
	}
	return fmt.Sprintf("takes %s, not %s.", diag.Join(allowed, "or"), got)
}

func (c checker) allowedFix(p value.Path, allowed []string) string {
	written, ok := c.r.Fields.Lookup(p).Text()
	if near := diag.Nearest(written, allowed); ok && near != "" && (fixer{c}).accepts(p, near) {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(allowed) <= few {
		return fmt.Sprintf("write %s.", diag.Join(allowed, "or"))
	}
	return fmt.Sprintf("use one of %s.", strings.Join(slices.Sorted(slices.Values(allowed)), ", "))
}

// nowhere tells of a key that no variant of its mapping has.
func nowhere(c checker, p value.Path) bool {
	n := len(p) - 1
	s, in := c.schema(p[:n]), c.r.Fields.Lookup(p[:n])
	if s == nil {
		return false
	}
	for _, b := range append(s.Branches(), s) {
		if b.Object(nil).Field(p[n]) != nil {
			return false
		}
	}
	c.unknown(s, s.Object(nil), p, in)
	return true
}

// conflict explains a key that does not go with the others of its mapping:
// none of the variants has them all.
func (c checker) conflict(p value.Path) (detail, fix string) {
	n := len(p) - 1
	var others []string
	if union := c.schema(p[:n]); union != nil {
		for _, b := range union.Branches() {
			o := b.Object(nil)
			if o.Field(p[n]) == nil {
				continue
			}
			for _, key := range c.r.Fields.Lookup(p[:n]).Keys() {
				if o.Field(key) == nil {
					others = append(others, key)
				}
			}
			break
		}
	}
	if len(others) == 0 {
		return "does not go with the other fields there.", "remove it."
	}
	return fmt.Sprintf("does not go with %s.", diag.Join(others, "and")), fmt.Sprintf("keep %s or %s.", p[n], diag.Join(others, "and"))
}

// fix says what to type instead.
func (c checker) fix(p value.Path, rule contract.Rule) string {
	v, s := c.r.Fields.Lookup(p), c.schema(p)
	if s == nil {
		return "correct it."
	}
	if s.Secret && rule == contract.RuleType {
		return secretFix(c, p)
	}
	switch rule {
	case contract.RuleType:
		return fixer{c}.typeFix(p, s, v)
	case contract.RuleNull:
		return "give it a value" + c.orRemove(p) + "."
	case contract.RuleLength:
		return lengthFix(s, v, c.orRemove(p))
	case contract.RuleRange:
		return rangeFix(s)
	case contract.RuleItems:
		return itemsFix(s, v, c.orRemove(p))
	case contract.RuleFormat:
		if f, ok := catalog.Of(c.r).Format(p.Generic()); ok {
			text, _ := c.r.Fields.Lookup(p).Text()
			return f.Fix(p[len(p)-1], text)
		}
		text, _ := c.r.Fields.Lookup(p).Text()
		return fixer{c}.formatFix(p, s, text)
	case contract.RuleUnion:
		return formsFix(s, v)
	default:
		return "correct it."
	}
}

// formsFix names the forms of a union by the fields that make them.
func formsFix(s *contract.Schema, v value.Value) string {
	var forms []string
	fit := 0
	for _, b := range s.Branches() {
		o := b.Object(nil)
		var needed []string
		for _, name := range o.Names() {
			if f := o.Field(name); f.Required && !f.Schema.ReadOnly {
				needed = append(needed, name)
			}
		}
		form := diag.Join(needed, "and")
		if form == "" || slices.Contains(forms, form) {
			return "write it in one of its forms."
		}
		forms = append(forms, form)
		if !slices.ContainsFunc(needed, func(name string) bool { return !v.Has(name) }) {
			fit++
		}
	}
	switch {
	case len(forms) < 2 || len(forms) > few:
		return "write it in one of its forms."
	case fit > 1:
		return fmt.Sprintf("keep %s.", diag.Join(forms, "or"))
	default:
		return fmt.Sprintf("write %s.", diag.Join(forms, "or"))
	}
}

// orRemove offers to leave out what is not required.
func (c checker) orRemove(p value.Path) string {
	n := len(p) - 1
	plain, _ := c.r.Fields.Lookup(p[:n]).Plain(placeholder).(map[string]any)
	if above := c.schema(p[:n]); above != nil && plain != nil {
		if f := above.Object(plain).Field(p[n]); f != nil && f.Required {
			return ""
		}
	}
	return ", or remove the field"
}

func lengthFix(s *contract.Schema, v value.Value, orRemove string) string {
	text, _ := v.Text()
	n := utf8.RuneCountInString(text)
	switch {
	case s.MaxLength != nil && n > *s.MaxLength:
		return fmt.Sprintf("shorten it by %s.", diag.Count(n-*s.MaxLength, "character"))
	case n == 0:
		return "write a text" + orRemove + "."
	default:
		return "write a longer text."
	}
}

func rangeFix(s *contract.Schema) string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("write a number from %v to %v.", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf("write %v or more.", *s.Minimum)
	case s.Maximum != nil:
		return fmt.Sprintf("write %v or less.", *s.Maximum)
	default:
		return "write another number."
	}
}

func itemsFix(s *contract.Schema, v value.Value, orRemove string) string {
	n, limit := len(v.Items()), s.MaxItems
	if v.Kind() == value.Map {
		n, limit = len(v.Keys()), s.MaxProperties
	}
	switch {
	case limit != nil && n > *limit:
		return fmt.Sprintf("remove %d.", n-*limit)
	case n == 0:
		return "add one" + orRemove + "."
	case s.UniqueItems:
		return "keep each item once."
	default:
		return "add some."
	}
}
