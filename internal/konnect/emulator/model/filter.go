package model

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// filter is one condition of a list.
type filter struct {
	field string
	key   string // of a mapping, as in labels.KEY
	op    string
	value string
}

const opExists = "exists"

// parseFilter reads filter[field], filter[field][op] and filter[field.key].
func parseFilter(op *contract.Operation, name string, values []string) (filter, error) {
	wrong := func(reason string) (filter, error) { return filter{}, Bad("query", name, "invalid", reason) }
	field, operator, ok := splitFilter(name)
	if !ok {
		return wrong("must look like filter[field] or filter[field][operator]")
	}
	f := filter{field: field, op: operator, value: values[0]}
	known := op.Filters()
	schema, ok := known[field]
	if !ok {
		if f.field, f.key, ok = strings.Cut(field, "."); ok {
			schema, ok = known[f.field]
		}
	}
	if !ok {
		return wrong("the list cannot be filtered by " + field)
	}
	if f.op == "" {
		f.op = "eq"
		if f.value == "" {
			f.op = opExists
			return f, nil
		}
		return f, f.check(op, name, schema)
	}
	if !operators(op, name, schema)[f.op] {
		return wrong("the operator " + f.op + " is not known for " + field)
	}
	return f, f.check(op, name, schema)
}

// check refuses values that no resource can have: the filter's schema knows
// times, that of the listed resource ids.
func (f filter) check(op *contract.Operation, name string, schema *contract.Schema) error {
	if schema != nil {
		if operator := schema.Object(nil).Field(f.op); operator != nil && operator.Schema.Deref().Format == "date-time" {
			if _, err := time.Parse(time.RFC3339Nano, f.value); err != nil {
				return Bad("query", name, "is_date_time", "must be a date-time")
			}
		}
	}
	_, item, _ := op.Envelope()
	if f.key != "" || item == nil {
		return nil
	}
	field := item.At([]string{f.field}, nil)
	if field == nil || field.Deref().Format != "uuid" {
		return nil
	}
	values := []string{f.value}
	switch f.op {
	case "oeq":
		values = strings.Split(f.value, ",")
	case "eq", "neq":
	default:
		return nil
	}
	for _, v := range values {
		if uuid.Validate(v) != nil {
			return Bad("query", name, "is_uuid", "must be a uuid")
		}
	}
	return nil
}

func splitFilter(name string) (field, op string, ok bool) {
	rest, ok := strings.CutPrefix(name, "filter[")
	if !ok {
		return "", "", false
	}
	field, rest, ok = strings.Cut(rest, "]")
	if !ok || field == "" {
		return "", "", false
	}
	if rest == "" {
		return field, "", true
	}
	op, ok = strings.CutPrefix(rest, "[")
	if !ok || !strings.HasSuffix(op, "]") {
		return "", "", false
	}
	return field, strings.TrimSuffix(op, "]"), true
}

// operators are those that the contract lists for a field: as properties of its
// filter, or as parameters with their full name.
func operators(op *contract.Operation, name string, schema *contract.Schema) map[string]bool {
	out := map[string]bool{}
	if _, ok := op.Query(name); ok {
		_, operator, _ := splitFilter(name)
		out[operator] = true
	}
	if schema == nil {
		return out
	}
	o := schema.Object(nil)
	for _, n := range o.Names() {
		out[n] = true
	}
	if schema.Deref().Type == "boolean" {
		out["eq"] = true
	}
	return out
}

// match reports whether a resource fulfils the condition.
func (f filter) match(view map[string]any, shows *shown) bool {
	v := shows.at(view, f.field)
	if f.key != "" {
		m, _ := v.(map[string]any)
		v = m[f.key]
	}
	have := Texts(v)
	if f.op == opExists {
		return v != nil
	}
	if f.op == "neq" {
		return !f.some(have, func(x string) bool { return x == f.value })
	}
	return f.some(have, f.test(v))
}

func (f filter) some(have []string, test func(string) bool) bool {
	for _, x := range have {
		if test(x) {
			return true
		}
	}
	return false
}

func (f filter) test(v any) func(string) bool {
	switch f.op {
	case "contains":
		return func(x string) bool { return strings.Contains(x, f.value) }
	case "oeq":
		return func(x string) bool { return anyPart(f.value, func(p string) bool { return x == p }) }
	case "ocontains":
		return func(x string) bool { return anyPart(f.value, func(p string) bool { return strings.Contains(x, p) }) }
	case "lt":
		return func(string) bool { return f.compare(v) < 0 }
	case "lte":
		return func(string) bool { return f.compare(v) <= 0 }
	case "gt":
		return func(string) bool { return f.compare(v) > 0 }
	case "gte":
		return func(string) bool { return f.compare(v) >= 0 }
	default:
		if _, isTime := v.(time.Time); isTime {
			return func(string) bool { return f.compare(v) == 0 }
		}
		return func(x string) bool { return x == f.value }
	}
}

func anyPart(list string, test func(string) bool) bool {
	for _, p := range strings.Split(list, ",") {
		if test(p) {
			return true
		}
	}
	return false
}

func (f filter) compare(v any) int {
	if _, ok := v.(time.Time); ok {
		if t, err := time.Parse(time.RFC3339Nano, f.value); err == nil {
			return compare(v, t.Truncate(time.Millisecond))
		}
	}
	return compare(v, f.value)
}

// compare orders values of the same kind; others by their text.
func compare(a, b any) int {
	if x, ok := a.(time.Time); ok {
		if y, ok := b.(time.Time); ok {
			return x.Truncate(time.Millisecond).Compare(y.Truncate(time.Millisecond))
		}
	}
	x, y := strings.Join(Texts(a), ","), strings.Join(Texts(b), ",")
	if _, isNumber := a.(json.Number); isNumber {
		if n, ok := compareNumbers(x, y); ok {
			return n
		}
	}
	return cmp.Compare(x, y)
}

// compareNumbers orders whole numbers as they are, others as far as floating
// point can tell.
func compareNumbers(x, y string) (int, bool) {
	i, errI := strconv.ParseInt(x, 10, 64)
	j, errJ := strconv.ParseInt(y, 10, 64)
	if errI == nil && errJ == nil {
		return cmp.Compare(i, j), true
	}
	f, errF := strconv.ParseFloat(x, 64)
	g, errG := strconv.ParseFloat(y, 64)
	return cmp.Compare(f, g), errF == nil && errG == nil
}
