package contract

import (
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
)

// route is a tree of path segments. Fixed segments win over parameters.
type route struct {
	fixed map[string]*route
	param *route
	ops   map[string]*Operation
}

func (r *route) add(op *Operation) {
	at := r
	for _, seg := range strings.Split(strings.Trim(op.Path, "/"), "/") {
		var next *route
		if strings.HasPrefix(seg, "{") {
			if at.param == nil {
				at.param = &route{}
			}
			next = at.param
		} else {
			if at.fixed == nil {
				at.fixed = map[string]*route{}
			}
			if at.fixed[seg] == nil {
				at.fixed[seg] = &route{}
			}
			next = at.fixed[seg]
		}
		at = next
	}
	if at.ops == nil {
		at.ops = map[string]*Operation{}
	}
	at.ops[op.Method] = op
}

// Match finds the operation for a request path and the values of its path
// parameters. When the path is known but not the method, allowed lists the
// methods that are.
func (c *Contract) Match(method, escapedPath string) (op *Operation, params map[string]string, allowed []string) {
	segs := strings.Split(strings.Trim(escapedPath, "/"), "/")
	at, values := c.routes.find(segs, nil)
	if at == nil {
		return nil, nil, nil
	}
	op, ok := at.ops[method]
	if !ok {
		for m := range at.ops {
			allowed = append(allowed, m)
		}
		sort.Strings(allowed)
		return nil, nil, allowed
	}
	params = map[string]string{}
	for i, name := range op.PathParams() {
		params[name] = values[i]
	}
	return op, params, nil
}

func (r *route) find(segs, values []string) (*route, []string) {
	if len(segs) == 0 {
		if r.ops == nil {
			return nil, nil
		}
		return r, values
	}
	if next := r.fixed[segs[0]]; next != nil {
		if at, v := next.find(segs[1:], values); at != nil {
			return at, v
		}
	}
	if r.param == nil || segs[0] == "" {
		return nil, nil
	}
	value, err := url.PathUnescape(segs[0])
	if err != nil {
		return nil, nil
	}
	return r.param.find(segs[1:], append(values[:len(values):len(values)], value))
}

// Next returns how a path that was begun can continue, by one segment, to an operation
// with the method. What leads further ends with a slash. Where the next segment is a
// parameter, nothing is known.
func (c *Contract) Next(method, begun string) []string {
	given := strings.Split(begun, "/")
	last := len(given) - 1
	found := map[string]bool{}
	for _, op := range c.ops {
		segs := strings.Split(op.Path, "/")
		if op.Method != method || len(segs) <= last || !leads(segs[:last], given[:last]) || isParam(segs[last]) || !strings.HasPrefix(segs[last], given[last]) {
			continue
		}
		path := strings.Join(append(given[:last:last], segs[last]), "/")
		if len(segs) > last+1 {
			path += "/"
		}
		found[path] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// leads reports whether segments that were given are those of a template.
func leads(template, given []string) bool {
	for i, seg := range template {
		if isParam(seg) && given[i] != "" {
			continue
		}
		if seg != given[i] {
			return false
		}
	}
	return true
}

func isParam(seg string) bool { return strings.HasPrefix(seg, "{") }
