package contract

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/kongctl/kongctl/internal/value"
)

// Rule is what a value broke.
type Rule string

// The rules that a Violation may name.
const (
	RuleRequired Rule = "required"
	RuleUnknown  Rule = "unknown"
	RuleType     Rule = "type"
	RuleNull     Rule = "null"
	RuleEnum     Rule = "enum"
	RulePattern  Rule = "pattern"
	RuleLength   Rule = "length"
	RuleRange    Rule = "range"
	RuleItems    Rule = "items"
	RuleFormat   Rule = "format"
	RuleUnion    Rule = "union"
	RuleOther    Rule = "other"
)

// Violation is one rule broken at one place. List places in the path read
// "[n]".
type Violation struct {
	Path   []string
	Rule   Rule
	Detail string
	// Allowed lists the values of an enum.
	Allowed []string
}

// Error renders path and detail.
func (v Violation) Error() string {
	if len(v.Path) == 0 {
		return v.Detail
	}
	return strings.ReplaceAll(strings.Join(v.Path, "."), ".[", "[") + ": " + v.Detail
}

// ValidateBody checks a request body of the operation.
func (o *Operation) ValidateBody(v any, skip func(path []string) bool) []Violation {
	return o.c.check(operationURL(Request, o, "body"), v, skip)
}

// ValidateResponse checks a response of the operation.
func (o *Operation) ValidateResponse(status string, v any) []Violation {
	if o.Response(status) == nil {
		return nil
	}
	return o.c.check(operationURL(Response, o, status), v, nil)
}

// ValidateParam checks one parameter's value.
func (o *Operation) ValidateParam(name string, v any) []Violation {
	return o.c.check(operationURL(Request, o, "param:"+name), v, nil)
}

// Validate checks a value against a named schema.
func (c *Contract) Validate(name string, dir Direction, v any, skip func(path []string) bool) []Violation {
	return c.check(schemaURL(dir, name), v, skip)
}

const urlBase = "contract:///"

func schemaURL(dir Direction, name string) string {
	return urlBase + string(dir) + "/schema/" + name
}

func operationURL(dir Direction, o *Operation, part string) string {
	// Braces are not allowed in URLs, so operations go by number.
	return fmt.Sprintf("%s%s/operation/%d/%s", urlBase, dir, o.number, part)
}

// Load makes the schema behind a URL; it is called by the compiler.
func (c *Contract) Load(url string) (any, error) {
	parts := strings.Split(strings.TrimPrefix(url, urlBase), "/")
	e := emitter{dir: Direction(parts[0])}
	if parts[1] == "schema" {
		s := c.Schema(parts[2])
		if s == nil {
			return nil, fmt.Errorf("no schema %s", parts[2])
		}
		return e.schema(s), nil
	}
	i, err := strconv.Atoi(parts[2])
	if err != nil {
		return nil, err
	}
	op := c.ops[i]
	switch name, isParam := strings.CutPrefix(parts[3], "param:"); {
	case parts[3] == "body":
		return e.schema(op.Body()), nil
	case isParam:
		for _, p := range op.Params() {
			if p.Name == name {
				return e.schema(p.Schema), nil
			}
		}
		return nil, fmt.Errorf("no parameter %s", name)
	default:
		return e.schema(op.Response(parts[3])), nil
	}
}

func (c *Contract) check(url string, v any, skip func([]string) bool) []Violation {
	s, err := c.compile(url)
	if err != nil {
		panic(fmt.Sprintf("contract: %s: %v", url, err))
	}
	err = s.Validate(v)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []Violation{{Rule: RuleOther, Detail: err.Error()}}
	}
	if skip == nil {
		skip = func([]string) bool { return false }
	}
	return collector{root: v, skip: skip}.collect(ve)
}

// compile needs its own lock: compiling calls Load, which takes the other one.
func (c *Contract) compile(url string) (*jsonschema.Schema, error) {
	if s, ok := c.compiled.Load(url); ok {
		return s.(*jsonschema.Schema), nil
	}
	c.compiling.Lock()
	defer c.compiling.Unlock()
	if c.compiler == nil {
		c.compiler = jsonschema.NewCompiler()
		c.compiler.DefaultDraft(jsonschema.Draft7)
		c.compiler.UseLoader(c)
		c.compiler.AssertFormat()
	}
	s, err := c.compiler.Compile(url)
	if err != nil {
		return nil, err
	}
	c.compiled.Store(url, s)
	return s, nil
}

// collector turns the validator's tree of errors into a flat list.
type collector struct {
	root any
	skip func([]string) bool
}

func (w collector) collect(e *jsonschema.ValidationError) []Violation {
	path := w.path(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		if len(e.Causes) == 0 {
			if w.skipsBelow(path) {
				return nil
			}
			return []Violation{{Path: path, Rule: RuleUnion, Detail: "fits several variants at once; it must fit exactly one"}}
		}
		return w.variants(e, path)
	case *kind.AnyOf:
		return w.variants(e, path)
	default:
		if len(e.Causes) > 0 {
			var out []Violation
			for _, c := range e.Causes {
				out = append(out, w.collect(c)...)
			}
			return out
		}
		return w.leaf(k, path)
	}
}

// variants reports the branch that comes nearest: none when a branch fails
// only where values are not known yet.
func (w collector) variants(e *jsonschema.ValidationError, path []string) []Violation {
	var best, chosen []Violation
	var all [][]Violation
	choices := 0
	for i, c := range e.Causes {
		vs := w.collect(c)
		if len(vs) == 0 {
			return nil
		}
		all = append(all, vs)
		if inside(vs, path) {
			chosen = vs
			choices++
		}
		if i == 0 || score(vs) < score(best) {
			best = vs
		}
	}
	if choices == 1 {
		return chosen
	}
	if vs := named(all); vs != nil {
		return vs
	}
	if v, none := unnamed(all); none {
		return []Violation{v}
	}
	if v, lacks := missing(all, path); lacks {
		return []Violation{v}
	}
	if len(best) == 1 {
		return best
	}
	details := make([]string, len(best))
	for i, v := range best {
		details[i] = v.Error()
	}
	return []Violation{{Path: path, Rule: RuleUnion, Detail: "fits no variant; the nearest misses: " + strings.Join(details, "; ")}}
}

// inside tells that a variant has the keys of the value: what is wrong lies in
// the values below them.
func inside(vs []Violation, path []string) bool {
	for _, v := range vs {
		if len(v.Path) <= len(path) {
			return false
		}
		direct := len(v.Path) == len(path)+1
		if direct && (v.Rule == RuleUnknown || v.Rule == RuleRequired || v.Rule == RuleEnum) {
			return false
		}
	}
	return true
}

// score ranks variants: unknown keys, other types and other values of the field that
// names the variant mean another one was meant.
func score(vs []Violation) int {
	n := 0
	for _, v := range vs {
		n++
		if v.Rule == RuleUnknown || v.Rule == RuleType || names(v) {
			n += 10
		}
	}
	return n
}

// names reports whether a violation is of a field that names a variant: it takes one
// value.
func names(v Violation) bool { return v.Rule == RuleEnum && len(v.Allowed) == 1 }

// named are the violations of the one variant that a value names; nil where it names
// none, or several.
func named(all [][]Violation) []Violation {
	var out []Violation
	for _, vs := range all {
		if slices.ContainsFunc(vs, names) {
			continue
		}
		if out != nil {
			return nil
		}
		out = vs
	}
	return out
}

// unnamed is the violation of a value that names no variant, where all have one field
// for that: it lists what may stand there.
func unnamed(all [][]Violation) (Violation, bool) {
	var out Violation
	for i, vs := range all {
		at := slices.IndexFunc(vs, func(v Violation) bool { return names(v) && (i == 0 || slices.Equal(v.Path, out.Path)) })
		if at < 0 {
			return Violation{}, false
		}
		if i == 0 {
			out = vs[at]
			out.Allowed = nil
		}
		if name := vs[at].Allowed[0]; !slices.Contains(out.Allowed, name) {
			out.Allowed = append(out.Allowed, name)
		}
	}
	out.Detail = "must be one of " + strings.Join(out.Allowed, ", ")
	return out, len(out.Allowed) > 1
}

// missing is the violation of a value that lacks fields of every variant, and has
// nothing else that is wrong: it lists what may be added.
func missing(all [][]Violation, path []string) (Violation, bool) {
	var choices []string
	for _, vs := range all {
		fields := make([]string, len(vs))
		for i, v := range vs {
			if v.Rule != RuleRequired || len(v.Path) != len(path)+1 {
				return Violation{}, false
			}
			fields[i] = v.Path[len(path)]
		}
		if choice := strings.Join(fields, " and "); !slices.Contains(choices, choice) {
			choices = append(choices, choice)
		}
	}
	or := " or "
	if slices.ContainsFunc(choices, func(choice string) bool { return strings.Contains(choice, " and ") }) {
		or = ", or "
	}
	return Violation{Path: path, Rule: RuleUnion, Detail: "needs " + strings.Join(choices, or)}, len(choices) > 1
}

func (w collector) skipsBelow(path []string) bool {
	found := false
	part, _ := value.Get(w.root, path)
	walkPaths(part, path, func(p []string) {
		found = found || w.skip(p)
	})
	return found
}

func walkPaths(v any, p value.Path, f func([]string)) {
	f(p)
	switch x := v.(type) {
	case map[string]any:
		for k, y := range x {
			walkPaths(y, p.Child(k), f)
		}
	case []any:
		for i, y := range x {
			walkPaths(y, p.Index(i), f)
		}
	}
}

// path turns the validator's location into ours, where list places are marked.
func (w collector) path(location []string) []string {
	v := w.root
	out := make([]string, 0, len(location))
	for _, seg := range location {
		switch x := v.(type) {
		case []any:
			out = append(out, "["+seg+"]")
			i, err := strconv.Atoi(seg)
			if err != nil || i >= len(x) {
				return out
			}
			v = x[i]
		case map[string]any:
			out = append(out, seg)
			v = x[seg]
		default:
			out = append(out, seg)
		}
	}
	return out
}
