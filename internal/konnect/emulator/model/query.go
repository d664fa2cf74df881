package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

const (
	pageDefault   = 10
	offsetDefault = 100
	pageLimit     = 1000
)

// query is the parameters of a list.
type query struct {
	number, size int
	after        string
	before       string
	offset       string
	filters      []filter
	sort         []order
	labels       []labelPick
	tags         []string
	anyTag       bool // one of the tags is enough
}

// order is one field to sort by.
type order struct {
	field string
	desc  bool
}

// labelPick asks for a label, with a value or with any.
type labelPick struct {
	key, value string
	any        bool
}

// readParams validates the parameters of the path and of the query.
func (c *Call) readParams() (err error) {
	for _, name := range c.Op.PathParams() {
		if vs := c.Op.ValidateParam(name, c.Params[name]); len(vs) > 0 {
			return Violations("path", name, vs)
		}
	}
	c.query, err = parseQuery(c)
	return err
}

// parseQuery validates the parameters of the query against the contract.
func parseQuery(c *Call) (*query, error) {
	q := &query{number: 1, size: pageDefault}
	if c.Op.Paging() == contract.PagingOffset {
		q.size = offsetDefault
	}
	for _, key := range slices.Sorted(maps.Keys(c.Raw)) {
		values := c.Raw[key]
		if strings.HasPrefix(key, "filter") {
			f, err := parseFilter(c.Op, key, values)
			if err != nil {
				return nil, err
			}
			q.filters = append(q.filters, f)
			continue
		}
		p, ok := c.Op.Query(key)
		if !ok {
			return nil, Bad("query", key, "unknown_property", "is not a parameter of "+c.Op.ID)
		}
		if values[0] == "" {
			continue // the contract allows empty values: as if it were not there
		}
		if vs := c.Op.ValidateParam(key, typed(p.Schema, values[0])); len(vs) > 0 {
			return nil, Violations("query", key, vs)
		}
		if err := q.set(key, values[0]); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *query) set(key, value string) error {
	switch key {
	case "page[number]":
		return Positive(key, value, 1<<31-1, &q.number)
	case "page[size]", "size":
		return Positive(key, value, pageLimit, &q.size)
	case "page[after]":
		q.after = value
	case "page[before]":
		q.before = value
	case "offset":
		q.offset = value
	case "sort":
		return q.sorted(value)
	case "labels":
		for _, part := range strings.Split(value, ",") {
			k, v, ok := strings.Cut(part, ":")
			q.labels = append(q.labels, labelPick{key: k, value: v, any: !ok})
		}
	case "tags":
		return q.tagged(value)
	case "custom_id":
		q.filters = append(q.filters, filter{field: key, op: "eq", value: value})
	}
	return nil
}

// tagged reads tags: all of a,b or one of a/b.
func (q *query) tagged(value string) error {
	q.anyTag = strings.Contains(value, "/")
	if q.anyTag && strings.Contains(value, ",") {
		return Bad("query", "tags", "invalid", "must not join tags with both , and /")
	}
	q.tags = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == '/' })
	return nil
}

func (q *query) sorted(value string) error {
	for _, part := range strings.Split(value, ",") {
		words := strings.Fields(part)
		switch {
		case len(words) == 1 && strings.HasPrefix(words[0], "-"):
			q.sort = append(q.sort, order{words[0][1:], true})
		case len(words) == 1:
			q.sort = append(q.sort, order{words[0], false})
		case len(words) == 2 && (words[1] == "asc" || words[1] == "desc"):
			q.sort = append(q.sort, order{words[0], words[1] == "desc"})
		default:
			return Bad("query", "sort", "invalid", fmt.Sprintf("%q is not a field with asc or desc", part))
		}
	}
	return nil
}

// Positive reads a whole number from 1 out of a parameter of the query.
func Positive(key, value string, most int, to *int) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return Bad("query", key, "invalid", fmt.Sprintf("must be a whole number from 1 to %d", most))
	}
	*to = n
	return nil
}

// typed reads a parameter as the schema sees it.
func typed(schema *contract.Schema, text string) any {
	switch schema.Deref().Type {
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	case "boolean":
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return text
}

// with is the query with one parameter replaced.
func with(raw url.Values, key, value string) string {
	out := url.Values{}
	for k, v := range raw {
		if k != "page[after]" && k != "page[before]" {
			out[k] = v
		}
	}
	out.Set(key, value)
	return out.Encode()
}
