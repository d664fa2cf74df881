package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/node"
)

// cases are the ways to write names: words without separators, and what joins them.
// %[1]s stands for digits, where they are allowed.
func cases() map[string]string {
	return map[string]string{
		"flat":   `[a-z][a-z%[1]s]*`,
		"camel":  `[a-z][a-z%[1]s]*(?:[A-Z%[1]s](?:[a-z%[1]s]+|$))*`,
		"pascal": `[A-Z][a-z%[1]s]*(?:[A-Z%[1]s](?:[a-z%[1]s]+|$))*`,
		"kebab":  `[a-z][a-z%[1]s]*(?:-[a-z%[1]s]+)*`,
		"cobol":  `[A-Z][A-Z%[1]s]*(?:-[A-Z%[1]s]+)*`,
		"snake":  `[a-z][a-z%[1]s]*(?:_[a-z%[1]s]+)*`,
		"macro":  `[A-Z][A-Z%[1]s]*(?:_[A-Z%[1]s]+)*`,
	}
}

func casing(options *yaml.Node) (check, error) {
	if err := only(options, "type", "disallowDigits", "separator"); err != nil {
		return nil, err
	}
	kind := node.Child(options, "type")
	if kind == nil || cases()[kind.Value] == "" {
		return nil, errors.New("type must be flat, camel, pascal, kebab, cobol, snake or macro")
	}
	digits := "0-9"
	if n := node.Child(options, "disallowDigits"); n != nil && node.Plain(n) == true {
		digits = ""
	}
	word := fmt.Sprintf(cases()[kind.Value], digits)
	whole := word
	if separator := node.Child(options, "separator"); separator != nil {
		if err := only(separator, "char", "allowLeading"); err != nil {
			return nil, err
		}
		char := node.Child(separator, "char")
		if char == nil || len([]rune(char.Value)) != 1 {
			return nil, errors.New("separator.char must be one character")
		}
		join := regexp.QuoteMeta(char.Value)
		whole = "(?:" + word + ")(?:" + join + "(?:" + word + "))*"
		if leading := node.Child(separator, "allowLeading"); leading != nil && node.Plain(leading) == true {
			whole = "(?:" + join + ")?" + whole
		}
	}
	form, err := regexp.Compile("^(?:" + whole + ")$")
	if err != nil {
		return nil, err
	}
	return func(t target) []violation {
		if v, ok := text(t); !ok || v == "" || form.MatchString(v) {
			return nil
		}
		return broken("must be in %s case", kind.Value)
	}, nil
}

// alphabetical asks for the order of the keys of a mapping, or of the items of a list,
// by a key of theirs where there is one.
func alphabetical(options *yaml.Node) (check, error) {
	if err := only(options, "keyedBy"); err != nil {
		return nil, err
	}
	by := ""
	if n := node.Child(options, "keyedBy"); n != nil {
		by = n.Value
	}
	return func(t target) []violation {
		items, paths := ordered(t, by)
		for i := 1; i < len(items); i++ {
			if compare(items[i-1], items[i]) > 0 {
				return []violation{{text: "must be in alphabetical order", at: node.Found{Node: items[i], Path: paths[i]}}}
			}
		}
		return nil
	}, nil
}

// ordered are the nodes whose order matters, and their paths.
func ordered(t target, by string) (items []*yaml.Node, paths []string) {
	if t.node == nil {
		return nil, nil
	}
	for i, n := range t.node.Content {
		switch {
		case t.node.Kind == yaml.MappingNode && i%2 == 0:
			items, paths = append(items, n), append(paths, node.Below(t.path, n.Value))
		case t.node.Kind == yaml.SequenceNode:
			path := fmt.Sprintf("%s[%d]", t.path, i)
			if by != "" {
				if n = node.Child(n, by); n == nil {
					continue
				}
			}
			if n.Kind == yaml.ScalarNode {
				items, paths = append(items, n), append(paths, path)
			}
		}
	}
	return items, paths
}

// compare orders numbers by size and all else by text.
func compare(a, b *yaml.Node) int {
	x, isNumber := node.Plain(a).(json.Number)
	y, both := node.Plain(b).(json.Number)
	if isNumber && both {
		f, errX := x.Float64()
		g, errY := y.Float64()
		if errX == nil && errY == nil {
			return slices.Compare([]float64{f}, []float64{g})
		}
	}
	return strings.Compare(a.Value, b.Value)
}
