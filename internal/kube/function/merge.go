package function

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// merge returns what a function made of a node, written as far as possible like
// the node that it got: the order of keys, quotes and comments that the function
// did not keep come back. It reports whether anything but these differs. Both
// nodes are plain.
func merge(base, got *yaml.Node) (*yaml.Node, bool) {
	m := &merger{said: map[string]bool{}}
	m.listen(got)
	return m.merge(base, got)
}

// merger merges one object.
type merger struct {
	// said holds the comments that the function wrote: one that has moved to
	// another place does not come back at the old one.
	said map[string]bool
}

func (m *merger) listen(n *yaml.Node) {
	for _, c := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		m.said[c] = true
	}
	for _, c := range n.Content {
		m.listen(c)
	}
}

func (m *merger) merge(base, got *yaml.Node) (*yaml.Node, bool) {
	if base.Kind != got.Kind {
		m.commented(got, base)
		return got, true
	}
	var out *yaml.Node
	changed := false
	switch got.Kind {
	case yaml.MappingNode:
		out, changed = m.mapping(base, got)
	case yaml.SequenceNode:
		out, changed = m.sequence(base, got)
	default:
		if sameScalar(base, got) {
			copied := *base
			out = &copied
			break
		}
		out, changed = got, true
		if base.ShortTag() == "!!str" && got.ShortTag() == "!!str" {
			out.Style = styled(out.Value, base.Style)
		}
	}
	out.HeadComment, out.LineComment, out.FootComment = got.HeadComment, got.LineComment, got.FootComment
	return out, m.commented(out, base) || changed
}

// commented gives a node the comments of another where it has none, and reports
// whether it has one that the other does not have.
func (m *merger) commented(n, base *yaml.Node) bool {
	changed := false
	for _, c := range []struct{ to, from *string }{
		{&n.HeadComment, &base.HeadComment}, {&n.LineComment, &base.LineComment}, {&n.FootComment, &base.FootComment},
	} {
		switch {
		case *c.to == "" && !m.said[*c.from]:
			*c.to = *c.from
		case *c.to == "" && *c.from == "":
		case *c.to != *c.from:
			changed = true
		}
	}
	return changed
}

// mapping keeps the order of the keys; new ones come last.
func (m *merger) mapping(base, got *yaml.Node) (*yaml.Node, bool) {
	out := *base
	out.Content = nil
	changed := false
	add := func(key, keyGot, value *yaml.Node) {
		k := *key
		k.HeadComment, k.LineComment, k.FootComment = keyGot.HeadComment, keyGot.LineComment, keyGot.FootComment
		if m.commented(&k, key) {
			changed = true
		}
		out.Content = append(out.Content, &k, value)
	}
	for i := 0; i+1 < len(base.Content); i += 2 {
		j := index(got, base.Content[i])
		if j < 0 {
			changed = true
			continue
		}
		value, differs := m.merge(base.Content[i+1], got.Content[j+1])
		changed = changed || differs
		add(base.Content[i], got.Content[j], value)
	}
	for i := 0; i+1 < len(got.Content); i += 2 {
		if index(base, got.Content[i]) < 0 {
			changed = true
			add(got.Content[i], got.Content[i], got.Content[i+1])
		}
	}
	if changed && len(base.Content) == 0 {
		out.Style = 0 // {} has grown
	}
	return &out, changed
}

func index(n, key *yaml.Node) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if sameScalar(n.Content[i], key) {
			return i
		}
	}
	return -1
}

// sequence takes the elements as they come; each is compared with the one
// that it most probably was.
func (m *merger) sequence(base, got *yaml.Node) (*yaml.Node, bool) {
	out := *base
	out.Content = nil
	changed := len(base.Content) != len(got.Content)
	was := counterparts(base.Content, got.Content)
	for i, element := range got.Content {
		if was[i] < 0 {
			changed = true
			out.Content = append(out.Content, element)
			continue
		}
		changed = changed || was[i] != i
		value, differs := m.merge(base.Content[was[i]], element)
		changed = changed || differs
		out.Content = append(out.Content, value)
	}
	if changed && len(base.Content) == 0 {
		out.Style = 0 // [] has grown
	}
	return &out, changed
}

// counterparts finds for each new element the old one: by name where all have
// one, by position where their number is the same, else by value. -1 means none.
func counterparts(base, got []*yaml.Node) []int {
	out := make([]int, len(got))
	old, named := names(base)
	if _, all := names(got); named && all {
		for i, g := range got {
			out[i] = -1
			if j, known := old[text(field(g, "name"))]; known {
				out[i] = j
			}
		}
		return out
	}
	next := 0
	for i, g := range got {
		out[i] = -1
		if len(base) == len(got) {
			out[i] = i
			continue
		}
		for j := next; j < len(base); j++ {
			if same(base[j], g) {
				out[i], next = j, j+1
				break
			}
		}
	}
	return out
}

// names returns the positions of elements by their name, and whether each has one
// of its own.
func names(elements []*yaml.Node) (map[string]int, bool) {
	out := map[string]int{}
	for i, e := range elements {
		name := text(field(e, "name"))
		if _, twice := out[name]; twice || name == "" {
			return nil, false
		}
		out[name] = i
	}
	return out, len(out) > 0
}

// isJSON reports whether an object was written as JSON.
func isJSON(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 && len(n.Content) > 0
}

// tidy writes an object that is JSON as people write YAML.
func tidy(n *yaml.Node) {
	switch {
	case n.Kind != yaml.ScalarNode && len(n.Content) > 0:
		n.Style &^= yaml.FlowStyle
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		n.Style = styled(n.Value, n.Style&^yaml.DoubleQuotedStyle)
	}
	for _, c := range n.Content {
		tidy(c)
	}
}

// misread reports whether YAML 1.1, which Kubernetes reads, takes a string for
// something else when it is not quoted.
func misread(value string) bool {
	switch strings.ToLower(value) {
	case "", "~", "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	digits := strings.TrimLeft(value, "-+.")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

// styled returns the style for a string: quotes stay where they are needed.
func styled(value string, style yaml.Style) yaml.Style {
	if style == 0 && misread(value) {
		return yaml.DoubleQuotedStyle
	}
	return style
}
