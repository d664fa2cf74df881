package profile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/pattern"
)

// Config is the config file, to be changed. Comments, blank lines and the order
// of its keys stay.
type Config struct {
	path    string
	raw     []byte // nil: there is no file
	doc     *yaml.Node
	root    *yaml.Node // of doc
	content *content
}

// Open reads the config file; it need not be there.
func Open(src Source) (*Config, error) {
	_, path, _, err := begin(src)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("config file: no home folder is known; name the file with --config-file")
	}
	c := &Config{path: path}
	raw, mode, err := readBytes(path, false)
	if err != nil {
		return nil, err
	}
	c.raw = raw
	if err := c.parse(raw); err != nil {
		return nil, err
	}
	return c, private(path, c.content, mode)
}

func (c *Config) parse(raw []byte) (err error) {
	r := reader{path: c.path}
	if c.doc, err = r.document(raw); err != nil {
		return err
	}
	if c.doc == nil {
		c.doc = &yaml.Node{Kind: yaml.DocumentNode, HeadComment: strings.TrimSpace(string(raw)), Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!null"}}}
	}
	c.root = c.doc.Content[0]
	if c.root.Kind == yaml.ScalarNode && c.root.Tag == "!!null" {
		*c.root = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	c.content = &content{profiles: map[string]map[string]entry{}}
	return r.read(c.content, c.root)
}

// Path is where the file is.
func (c *Config) Path() string { return c.path }

// Exists reports whether the file is there.
func (c *Config) Exists() bool { return c.raw != nil }

// Profiles are the names of the profiles, in the order of the file.
func (c *Config) Profiles() []string {
	var out []string
	for i := 0; i+1 < len(c.root.Content); i += 2 {
		if key := c.root.Content[i]; !isCurrent(key.Value, c.root.Content[i+1]) {
			out = append(out, key.Value)
		}
	}
	return out
}

// Has reports whether there is such a profile.
func (c *Config) Has(profile string) bool { return c.content.profiles[profile] != nil }

// Current is the profile that the file chooses, or "".
func (c *Config) Current() string { return c.content.current.value }

// Value is a setting in a profile of the file.
func (c *Config) Value(profile, name string) (string, bool) {
	e, ok := c.content.profiles[profile][name]
	return e.value, ok
}

// Names are the settings of a profile of the file, sorted.
func (c *Config) Names(profile string) []string {
	return slices.Sorted(maps.Keys(c.content.profiles[profile]))
}

// Set gives a setting of a profile a value; a profile that is missing is added.
func (c *Config) Set(profile, name, text string) error {
	if err := CheckName(profile); err != nil {
		return err
	}
	below, err := c.child(c.root, profile)
	if err != nil {
		return err
	}
	if node := find(below, name); node != nil {
		comment := node.LineComment
		*node = *scalar(text)
		node.LineComment = comment
		return c.changed()
	}
	words := strings.Split(name, ".")
	for _, word := range words[:len(words)-1] {
		if below, err = c.child(below, word); err != nil {
			return err
		}
	}
	if len(below.Content) == 0 {
		below.Style &^= yaml.FlowStyle
	}
	below.Content = append(below.Content, scalar(words[len(words)-1]), scalar(text))
	return c.changed()
}

// Add adds a profile without settings; one that is there stays as it is.
func (c *Config) Add(profile string) error {
	if err := CheckName(profile); err != nil {
		return err
	}
	if _, err := c.child(c.root, profile); err != nil {
		return err
	}
	return c.changed()
}

// Unset removes a setting of a profile and reports whether it was there. The
// profile stays.
func (c *Config) Unset(profile, name string) (bool, error) {
	if _, ok := c.Value(profile, name); !ok {
		return false, nil
	}
	prune(lookup(c.root, profile), name)
	return true, c.changed()
}

// Use makes a profile the current one.
func (c *Config) Use(profile string) error {
	if profile == DefaultName && !c.Has(profile) {
		c.remove(func(key string, value *yaml.Node) bool { return isCurrent(key, value) })
		return c.changed()
	}
	if !c.Has(profile) {
		return c.unknown(profile)
	}
	for i := 0; i+1 < len(c.root.Content); i += 2 {
		if value := c.root.Content[i+1]; isCurrent(c.root.Content[i].Value, value) {
			value.Value, value.Tag, value.Style = profile, "!!str", 0
			return c.changed()
		}
	}
	first := []*yaml.Node{scalar(currentKey), scalar(profile)}
	c.root.Content = append(first, c.root.Content...)
	return c.changed()
}

// Delete removes a profile; where it was the current one, the choice too.
func (c *Config) Delete(profile string) error {
	if !c.Has(profile) {
		return c.unknown(profile)
	}
	current := c.Current() == profile
	c.remove(func(key string, value *yaml.Node) bool {
		if isCurrent(key, value) {
			return current
		}
		return key == profile
	})
	return c.changed()
}

func (c *Config) unknown(profile string) error {
	return &UnknownProfileError{Profile: profile, File: c.path, Known: names(c.content.profiles)}
}

// remove removes keys of the file.
func (c *Config) remove(gone func(key string, value *yaml.Node) bool) {
	var left []*yaml.Node
	above := "" // what stood above the choice of a profile is about the file
	for i := 0; i+1 < len(c.root.Content); i += 2 {
		key, value := c.root.Content[i], c.root.Content[i+1]
		if gone(key.Value, value) {
			if isCurrent(key.Value, value) {
				above = key.HeadComment
			}
			continue
		}
		if above != "" {
			key.HeadComment = strings.TrimSpace(above + "\n\n" + key.HeadComment)
			above = ""
		}
		left = append(left, key, value)
	}
	if above != "" && len(left) == 0 {
		c.doc.HeadComment = strings.TrimSpace(c.doc.HeadComment + "\n\n" + above)
	}
	c.root.Content = left
}

// Save writes the file, whole, for its owner alone. A file that another program
// changed meanwhile is left as it is.
func (c *Config) Save() error {
	now, _, err := readBytes(c.path, false)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.raw) {
		return fmt.Errorf("config file %s: changed meanwhile; run the command again", c.path)
	}
	out, err := c.text()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", c.path, disk.Cause(err))
	}
	return disk.Write(c.path, out)
}

// text is the file as it will be.
func (c *Config) text() ([]byte, error) {
	if len(c.root.Content) == 0 {
		return []byte(strings.TrimSpace(c.doc.HeadComment) + "\n"), nil
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(c.doc), enc.Close()); err != nil {
		return nil, fmt.Errorf("config file %s: %w", c.path, err)
	}
	return spaced(c.raw, out.Bytes()), nil
}

// changed reads the file as it will be: what cannot be read is not written.
func (c *Config) changed() error {
	out, err := c.text()
	if err != nil {
		return err
	}
	next, err := parse(c.path, out)
	if err != nil {
		return fmt.Errorf("config file %s: cannot be edited; edit it by hand", c.path)
	}
	c.content = next
	return nil
}

// child is the mapping below a key, made where it is missing.
func (c *Config) child(node *yaml.Node, key string) (*yaml.Node, error) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != key {
			continue
		}
		value := node.Content[i+1]
		switch {
		case value.Kind == yaml.MappingNode:
			return value, nil
		case value.Kind == yaml.ScalarNode && value.Tag == "!!null":
			*value = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", LineComment: value.LineComment}
			return value, nil
		default:
			return nil, fmt.Errorf("%s:%d: %s is not a map of settings", c.path, node.Content[i].Line, key)
		}
	}
	value := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	node.Content = append(node.Content, scalar(key), value)
	node.Style &^= yaml.FlowStyle
	return value, nil
}

// lookup is the value of a key, or nil.
func lookup(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// find is the value of a setting, however its name is divided among keys; nil
// where it is not there.
func find(node *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		if key == name && value.Kind == yaml.ScalarNode {
			return value
		}
		if rest, below := strings.CutPrefix(name, key+"."); below && value.Kind == yaml.MappingNode {
			if found := find(value, rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// prune removes a setting, and mappings that are empty without it.
func prune(node *yaml.Node, name string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		gone := key == name && value.Kind == yaml.ScalarNode
		if rest, below := strings.CutPrefix(name, key+"."); below && value.Kind == yaml.MappingNode && find(value, rest) != nil {
			prune(value, rest)
			gone = len(value.Content) == 0
		}
		if gone {
			node.Content = slices.Delete(node.Content, i, i+2)
			return
		}
	}
}

var (
	wholeNumber = pattern.New(`^(0|[1-9][0-9]*)$`)
	number      = pattern.New(`^(0|[1-9][0-9]*)\.[0-9]+$`)
)

// scalar is a value as people write it: numbers and truth without quotes.
func scalar(text string) *yaml.Node {
	tag := "!!str"
	switch {
	case wholeNumber.MatchString(text):
		tag = "!!int"
	case number.MatchString(text):
		tag = "!!float"
	case text == "true" || text == "false":
		tag = "!!bool"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// spaced puts the blank lines of the old text, which YAML's encoder drops, before
// the same lines of the new one.
func spaced(old, next []byte) []byte {
	lines := strings.SplitAfter(string(next), "\n")
	var out strings.Builder
	at, blank, first := 0, false, true
	for line := range strings.Lines(string(old)) {
		text := strings.TrimSpace(line)
		if text == "" {
			blank = !first
			continue
		}
		if i := slices.IndexFunc(lines[at:], func(l string) bool { return strings.TrimSpace(l) == text }); i >= 0 {
			for _, l := range lines[at : at+i] {
				out.WriteString(l)
			}
			if blank && out.Len() > 0 && !strings.HasSuffix(out.String(), "\n\n") {
				out.WriteString("\n")
			}
			out.WriteString(lines[at+i])
			at += i + 1
		}
		blank, first = false, false
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return []byte(out.String())
}
