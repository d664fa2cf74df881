package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
)

const maxFileSize = 1 << 20

// entry is one setting in the file.
type entry struct {
	value string
	line  int
}

// DefaultFile is where the config file stands unless somebody says otherwise.
func DefaultFile(homeConfigDir string) string {
	if homeConfigDir == "" {
		return ""
	}
	return filepath.Join(homeConfigDir, "kongctl", "config.yaml")
}

// content is what a config file says.
type content struct {
	profiles map[string]map[string]entry
	// current is the profile that is used where nobody names another.
	current entry
}

// currentKey is the key beside the profiles that names the current one. A profile
// of that name has settings, so the two differ.
const currentKey = "current-profile"

// readFile reads a config file. One that nobody asked for may be missing: then
// there is no content.
func readFile(path string, required bool) (*content, error) {
	raw, mode, err := readBytes(path, required)
	if raw == nil || err != nil {
		return nil, err
	}
	c, err := parse(path, raw)
	if err != nil {
		return nil, err
	}
	return c, private(path, c, mode)
}

// readBytes returns nil where the file is missing and need not be there.
func readBytes(path string, required bool) ([]byte, fs.FileMode, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("config file: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("config file: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, 0, fmt.Errorf("config file: %w", err)
	}
	if len(raw) > maxFileSize {
		return nil, 0, fmt.Errorf("config file %s: larger than %d KiB", path, maxFileSize>>10)
	}
	if raw == nil {
		raw = []byte{}
	}
	return raw, info.Mode().Perm(), nil
}

// private refuses a file with a token that others may read.
func private(path string, c *content, mode fs.FileMode) error {
	if holdsToken(c.profiles) && mode&0o077 != 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("config file %s: holds a token and is open to others (mode %04o); run: chmod 600 %s", path, mode, path)
	}
	return nil
}

func holdsToken(profiles map[string]map[string]entry) bool {
	for _, p := range profiles {
		for name, e := range p {
			if IsToken(name) && e.value != "" {
				return true
			}
		}
	}
	return false
}

// reader turns nodes into settings; every error names file and line, and none
// shows a value.
type reader struct{ path string }

func (r reader) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.path, line, fmt.Sprintf(format, args...))
}

func parse(path string, raw []byte) (*content, error) {
	c := &content{profiles: map[string]map[string]entry{}}
	r := reader{path: path}
	doc, err := r.document(raw)
	if doc == nil || err != nil {
		return c, err
	}
	return c, r.read(c, doc.Content[0])
}

// document is the one document of a file, nil for an empty one.
func (r reader) document(raw []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, r.syntax(err)
	}
	if err := dec.Decode(&second); err == nil {
		return nil, r.errorf(second.Line, "a second document; the config file is one")
	} else if !errors.Is(err, io.EOF) {
		return nil, r.syntax(err)
	}
	return &doc, nil
}

func (r reader) read(c *content, root *yaml.Node) error {
	out := c.profiles
	return r.each(root, "a map of profiles", func(name string, line int, node *yaml.Node) error {
		if isCurrent(name, node) {
			c.current = entry{value: strings.TrimSpace(node.Value), line: line}
			return nil
		}
		if !profileName.MatchString(name) {
			return r.errorf(line, "profile %q: a name has letters, digits, - and _", name)
		}
		if out[name] != nil {
			return r.errorf(line, "profile %s stands here twice", name)
		}
		out[name] = map[string]entry{}
		return r.flatten(out[name], "", "a map of settings", node)
	})
}

// isCurrent reports whether a key of the file names the current profile.
func isCurrent(key string, value *yaml.Node) bool {
	return key == currentKey && value.Kind == yaml.ScalarNode && value.Tag != "!!null"
}

// each calls f for every pair of a mapping. Null counts as an empty one.
func (r reader) each(node *yaml.Node, want string, f func(key string, line int, value *yaml.Node) error) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode || node.Tag != "!!map" {
		return r.errorf(node.Line, "not %s", want)
	}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return r.errorf(key.Line, "a key must be a plain word")
		}
		if err := f(key.Value, key.Line, node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// flatten writes nested keys as a.b-c. Each and every one is a single value.
func (r reader) flatten(out map[string]entry, prefix, want string, node *yaml.Node) error {
	return r.each(node, want, func(key string, line int, value *yaml.Node) error {
		name := prefix + key
		if value.Kind == yaml.MappingNode {
			return r.flatten(out, name+".", want, value)
		}
		if value.Kind != yaml.ScalarNode || !strings.HasPrefix(value.Tag, "!!") {
			return r.errorf(value.Line, "setting %s: not a single plain value", name)
		}
		if _, taken := out[name]; taken {
			return r.errorf(line, "setting %s stands here twice", name)
		}
		if value.Tag != "!!null" {
			out[name] = entry{value: strings.TrimSpace(value.Value), line: value.Line}
		}
		return nil
	})
}

var (
	syntaxLine = pattern.New(`^yaml: line (\d+): `)
	anchorName = pattern.New(`anchor '.*'`)
)

// syntax puts the parser's line where an editor finds it. The parser has no
// type for that, only text. The name of an anchor is the user's: it could be a
// token that begins with an asterisk.
func (r reader) syntax(err error) error {
	text, place := err.Error(), r.path
	if m := syntaxLine.FindStringSubmatch(text); m != nil {
		text, place = text[len(m[0]):], r.path+":"+m[1]
	}
	text = anchorName.ReplaceAllString(strings.TrimPrefix(text, "yaml: "), "anchor")
	return fmt.Errorf("%s: not valid YAML: %s", place, text)
}
