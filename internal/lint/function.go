package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/pattern"
)

// check says what is wrong with a target. It never quotes the value: it may be
// a secret.
type check func(target) []violation

type violation struct {
	text string
	at   node.Found // where, if not at the target
}

func broken(format string, args ...any) []violation {
	return []violation{{text: fmt.Sprintf(format, args...)}}
}

// functions are those that rules may name; each makes a check of its options.
func functions() map[string]func(*yaml.Node) (check, error) {
	return map[string]func(*yaml.Node) (check, error){
		"truthy":    plain(func(t target) bool { return truthy(t.node) }, "must be set"),
		"falsy":     plain(func(t target) bool { return !truthy(t.node) }, "must not be set"),
		"defined":   plain(func(t target) bool { return t.node != nil }, "must be there"),
		"undefined": plain(func(t target) bool { return t.node == nil }, "must not be there"),
		"pattern":   matches, "enumeration": enumeration, "length": length, "casing": casing, "alphabetical": alphabetical,
		"schema": schema, "xor": properties("exactly one", func(n int) bool { return n == 1 }), "or": properties("at least one", func(n int) bool { return n > 0 }),
		"typedEnum": typedEnum,
	}
}

// only refuses options that a function does not have.
func only(options *yaml.Node, known ...string) error {
	if options.Kind != yaml.MappingNode {
		return errors.New("they are not a mapping")
	}
	for i := 0; i+1 < len(options.Content); i += 2 {
		if key := options.Content[i].Value; !slices.Contains(known, key) {
			if len(known) == 0 {
				return fmt.Errorf("%q is not known: there are no options", key)
			}
			return fmt.Errorf("%q is not known; use %s", key, diag.Join(known, "or"))
		}
	}
	return nil
}

func plain(holds func(target) bool, text string) func(*yaml.Node) (check, error) {
	return func(options *yaml.Node) (check, error) {
		return func(t target) []violation {
			if holds(t) {
				return nil
			}
			if t.name == "" || t.name == "$" {
				return broken("%s", text)
			}
			return broken("%q %s", t.name, text)
		}, only(options)
	}
}

func truthy(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	switch v := node.Plain(n).(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	default:
		return true
	}
}

// text is the text of a target, where it is one.
func text(t target) (string, bool) {
	if t.node == nil || t.node.Kind != yaml.ScalarNode {
		return "", false
	}
	v, ok := node.Plain(t.node).(string)
	return v, ok
}

func matches(options *yaml.Node) (check, error) {
	if err := only(options, "match", "notMatch"); err != nil {
		return nil, err
	}
	match, err := expression(node.Child(options, "match"))
	if err != nil {
		return nil, err
	}
	not, err := expression(node.Child(options, "notMatch"))
	switch {
	case err != nil:
		return nil, err
	case match == nil && not == nil:
		return nil, errors.New("match or notMatch is missing")
	}
	return func(t target) []violation {
		v, ok := text(t)
		var out []violation
		if ok && match != nil && !match.MatchString(v) {
			out = append(out, broken("must match the pattern %q", match)...)
		}
		if ok && not != nil && not.MatchString(v) {
			out = append(out, broken("must not match the pattern %q", not)...)
		}
		return out
	}, nil
}

var delimited = pattern.New(`^/(.*)/([a-z]*)$`)

// expression compiles a regular expression, which may have the form /…/flags.
func expression(n *yaml.Node) (*regexp.Regexp, error) {
	if n == nil {
		return nil, nil
	}
	source := n.Value
	if m := delimited.FindStringSubmatch(source); m != nil {
		source = m[1]
		if flags := strings.Map(keepFlags, m[2]); flags != "" {
			source = "(?" + flags + ")" + source
		}
	}
	out, err := regexp.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("%q is not a regular expression of RE2, which has no lookaround and no backreferences", n.Value)
	}
	return out, nil
}

// keepFlags keeps the flags of JavaScript that change what matches here.
func keepFlags(r rune) rune {
	if strings.ContainsRune("ims", r) {
		return r
	}
	return -1
}

func enumeration(options *yaml.Node) (check, error) {
	values := node.Child(options, "values")
	if err := only(options, "values"); err != nil {
		return nil, err
	}
	if values == nil || values.Kind == yaml.MappingNode {
		return nil, errors.New("values is not a list")
	}
	var allowed []any
	var shown []string
	for _, n := range values.Content {
		allowed, shown = append(allowed, node.Plain(n)), append(shown, n.Value)
	}
	if values.Kind == yaml.ScalarNode { // a list in a text: any kind of value is compared by how it is written
		for part := range strings.SplitSeq(values.Value, ",") {
			shown = append(shown, strings.TrimSpace(part))
		}
	}
	return func(t target) []violation {
		switch {
		case t.node == nil || t.node.Kind != yaml.ScalarNode, slices.Contains(allowed, node.Plain(t.node)):
			return nil
		case values.Kind == yaml.ScalarNode && slices.Contains(shown, t.node.Value):
			return nil
		}
		return broken("must be one of %s", strings.Join(shown, ", "))
	}, nil
}

func length(options *yaml.Node) (check, error) {
	if err := only(options, "min", "max"); err != nil {
		return nil, err
	}
	bounds := map[string]float64{}
	for _, key := range []string{"min", "max"} {
		if n := node.Child(options, key); n != nil {
			f, err := strconv.ParseFloat(n.Value, 64)
			if err != nil {
				return nil, fmt.Errorf("%s is not a number", key)
			}
			bounds[key] = f
		}
	}
	if len(bounds) == 0 {
		return nil, errors.New("min or max is missing")
	}
	return func(t target) []violation {
		size, what, ok := measure(t.node)
		if !ok {
			return nil
		}
		if limit, bound := bounds["min"]; bound && size < limit {
			return broken("%s must be at least %v", what, limit)
		}
		if limit, bound := bounds["max"]; bound && size > limit {
			return broken("%s must be at most %v", what, limit)
		}
		return nil
	}, nil
}

// measure is the length of a text, a list or a mapping, or a number itself.
func measure(n *yaml.Node) (size float64, what string, ok bool) {
	if n == nil {
		return 0, "", false
	}
	switch v := node.Plain(n).(type) {
	case string:
		return float64(utf8.RuneCountInString(v)), "the length", true
	case json.Number:
		f, err := v.Float64()
		return f, "the number", err == nil
	case []any:
		return float64(len(v)), "the number of items", true
	case map[string]any:
		return float64(len(v)), "the number of keys", true
	default:
		return 0, "", false
	}
}

func properties(want string, fine func(int) bool) func(*yaml.Node) (check, error) {
	return func(options *yaml.Node) (check, error) {
		if err := only(options, "properties"); err != nil {
			return nil, err
		}
		list := node.Child(options, "properties")
		if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) < 2 {
			return nil, errors.New("properties is not a list of two names or more")
		}
		var names []string
		for _, n := range list.Content {
			names = append(names, n.Value)
		}
		return func(t target) []violation {
			if t.node == nil || t.node.Kind != yaml.MappingNode {
				return nil
			}
			n := 0
			for _, name := range names {
				if node.Child(t.node, name) != nil {
					n++
				}
			}
			if fine(n) {
				return nil
			}
			return broken("must have %s of %s, and has %d", want, diag.Join(names, "and"), n)
		}, nil
	}
}

// typedEnum asks whether the values of an enum have its type.
func typedEnum(options *yaml.Node) (check, error) {
	return func(t target) []violation {
		kind, values := node.Child(t.node, "type"), node.Child(t.node, "enum")
		if kind == nil || values == nil || values.Kind != yaml.SequenceNode {
			return nil
		}
		var out []violation
		for i, n := range values.Content {
			if !slices.ContainsFunc(listed(kind), func(k *yaml.Node) bool { return isA(node.Plain(n), k.Value) }) {
				out = append(out, violation{
					text: fmt.Sprintf("an item of enum does not have the type %s", diag.Join(names(listed(kind)), "or")),
					at:   node.Found{Node: n, Path: fmt.Sprintf("%s.enum[%d]", t.path, i)},
				})
			}
		}
		return out
	}, only(options)
}

func names(list []*yaml.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Value)
	}
	return out
}

// isA reports whether data has a type of JSON Schema.
func isA(v any, kind string) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case json.Number:
		f, err := v.Float64()
		return kind == "number" || kind == "integer" && err == nil && f == float64(int64(f))
	default:
		return kind == map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Slice: "array", reflect.Map: "object"}[reflect.TypeOf(v).Kind()]
	}
}
