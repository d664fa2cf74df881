package contract

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// leaf words one error of the validator.
func (w collector) leaf(k jsonschema.ErrorKind, path []string) []Violation {
	switch k := k.(type) {
	case *kind.Required:
		return w.required(k, path)
	case *kind.AdditionalProperties:
		var out []Violation
		for _, p := range k.Properties {
			out = append(out, Violation{Path: child(path, p), Rule: RuleUnknown, Detail: "is not a field here"})
		}
		return out
	}
	if w.skip(path) {
		return nil
	}
	v := Violation{Path: path, Rule: RuleOther}
	switch k := k.(type) {
	case *kind.Type:
		v.Rule = RuleType
		v.Detail = fmt.Sprintf("must be %s, not %s", typeNames(k.Want), typeName(k.Got))
		if k.Got == "null" {
			v.Rule, v.Detail = RuleNull, fmt.Sprintf("must be %s and cannot be null", typeNames(k.Want))
		}
	case *kind.Not: // no schema but that of a required field says so
		v.Rule, v.Detail = RuleNull, "cannot be null"
	case *kind.Enum:
		v.Rule = RuleEnum
		for _, x := range k.Want {
			if x != nil {
				v.Allowed = append(v.Allowed, fmt.Sprint(x))
			}
		}
		if v.Detail = "must be one of " + strings.Join(v.Allowed, ", "); len(v.Allowed) == 0 {
			v.Detail = "must be null"
		}
	case *kind.Const:
		v.Rule, v.Allowed = RuleEnum, []string{fmt.Sprint(k.Want)}
		v.Detail = fmt.Sprintf("must be %v", k.Want)
	case *kind.Pattern:
		v.Rule, v.Detail = RulePattern, "must match "+k.Want
	case *kind.Format:
		v.Rule, v.Detail = RuleFormat, "must be a valid "+k.Want
	case *kind.MinLength:
		v.Rule, v.Detail = RuleLength, fmt.Sprintf("must have at least %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		v.Rule, v.Detail = RuleLength, fmt.Sprintf("must have at most %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		v.Rule, v.Detail = RuleItems, fmt.Sprintf("must have at least %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		v.Rule, v.Detail = RuleItems, fmt.Sprintf("must have at most %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.UniqueItems:
		v.Rule, v.Detail = RuleItems, fmt.Sprintf("must not repeat items, but items %d and %d are the same", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.MinProperties:
		v.Rule, v.Detail = RuleItems, fmt.Sprintf("must have at least %s, has %d", count(k.Want, "entry"), k.Got)
	case *kind.MaxProperties:
		v.Rule, v.Detail = RuleItems, fmt.Sprintf("must have at most %s, has %d", count(k.Want, "entry"), k.Got)
	default:
		v.Rule, v.Detail = numberRule(k)
	}
	return []Violation{v}
}

func numberRule(k jsonschema.ErrorKind) (Rule, string) {
	switch k := k.(type) {
	case *kind.Minimum:
		return RuleRange, fmt.Sprintf("must be at least %s", k.Want.RatString())
	case *kind.Maximum:
		return RuleRange, fmt.Sprintf("must be at most %s", k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return RuleRange, fmt.Sprintf("must be more than %s", k.Want.RatString())
	case *kind.ExclusiveMaximum:
		return RuleRange, fmt.Sprintf("must be less than %s", k.Want.RatString())
	case *kind.MultipleOf:
		return RuleRange, fmt.Sprintf("must be a multiple of %s", k.Want.RatString())
	case *kind.FalseSchema:
		return RuleUnknown, "is not a field here"
	default:
		return RuleOther, strings.Join(k.KeywordPath(), "/") + " is not fulfilled"
	}
}

func (w collector) required(k *kind.Required, path []string) []Violation {
	var out []Violation
	for _, p := range k.Missing {
		if at := child(path, p); !w.skip(at) {
			out = append(out, Violation{Path: at, Rule: RuleRequired, Detail: "is required"})
		}
	}
	return out
}

func child(path []string, seg string) []string { return append(path[:len(path):len(path)], seg) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func typeName(t string) string {
	switch t {
	case "object":
		return "a mapping"
	case "array":
		return "a list"
	case "string":
		return "a string"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	default:
		return t
	}
}

func typeNames(want any) string {
	var names []string
	switch w := want.(type) {
	case []string:
		for _, t := range w {
			if t != "null" {
				names = append(names, typeName(t))
			}
		}
	default:
		for _, t := range strings.Fields(strings.Trim(fmt.Sprint(w), "[]")) {
			if t != "null" {
				names = append(names, typeName(t))
			}
		}
	}
	if len(names) == 0 {
		return "null"
	}
	return strings.Join(names, " or ")
}
