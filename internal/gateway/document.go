package gateway

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// FormatVersion is the one that Konnect's gateways take.
const FormatVersion = "3.0"

// Document is a decK file that was read, or a state that stands in the
// configuration.
type Document struct {
	Name string
	// Content is the state in JSON, templates filled in.
	Content []byte
	// Secrets are the values of variables, Variables their names.
	Secrets   []string
	Variables []string
	// ControlPlane is the one that the file says it is for, "" for none.
	ControlPlane    string
	ControlPlanePos value.Pos
	// SelectTags are those under _info, sorted.
	SelectTags []string
	// Format is _format_version.
	Format string

	root  map[string]any
	where func(path ...string) value.Pos
}

// File is the document for a request.
func (d *Document) File() File { return File{Name: d.Name, Content: d.Content, Where: d.where} }

// Holds tells whether a service of that name is in the document.
func (d *Document) Holds(service string) bool {
	services, _ := d.root["services"].([]any)
	return slices.ContainsFunc(services, func(s any) bool { return text(asMap(s), "name") == service })
}

// Read reads a decK file. Variables of its templates come from env.
func Read(name string, content []byte, env Env) (*Document, diag.List) {
	r, diags := render(name, string(content), env)
	if len(diags) > 0 {
		return nil, diags
	}
	data, node, err := decodeYAML([]byte(r.text))
	if err != nil {
		return nil, unreadable(name, err, r)
	}
	// Lines of the file itself, where the values of variables do not matter.
	still := sync.OnceValue(func() *yaml.Node {
		if r.still != r.text {
			if _, n, err := decodeYAML([]byte(r.still)); err == nil {
				return n
			}
		}
		return node
	})
	d := &Document{Name: name, Secrets: r.secrets, Variables: r.variables}
	where := func(path ...string) value.Pos { return find(name, still(), path) }
	d.where = where
	if diags = append(d.fill(data, where), d.checkTags(r, where)...); len(diags) > 0 {
		return nil, diags
	}
	return d, nil
}

var yamlLine = pattern.New(`line (\d+): `)

func unreadable(name string, err error, r rendered) (diags diag.List) {
	pos, message := value.Pos{File: name}, Mask(source.WithoutNames(strings.TrimPrefix(err.Error(), "yaml: ")), r.secrets)
	fix := "correct it; `deck file validate` checks such files, too."
	if errors.Is(err, errSeveral) {
		fix = "make a file of each: decK would read the first alone."
	} else if m := yamlLine.FindStringSubmatch(message); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		message = strings.Replace(message, m[0], "", 1)
	}
	if strings.Contains(message, "unknown anchor") {
		fix = "quote a value that begins with *, or define the anchor with & above the line that uses it."
	}
	diags.Add(diag.DeckNotAFile, pos, "It cannot be read: "+message+".", fix)
	return diags
}

// fill takes what matters out of a state.
func (d *Document) fill(data any, where func(...string) value.Pos) (diags diag.List) {
	root, ok := data.(map[string]any)
	if !ok || !isState(root) {
		diags.Add(diag.DeckNotAFile, value.Pos{File: d.Name}, "It has neither _format_version nor a list of entities, such as services.", "name a file that decK reads; `deck gateway dump` writes one.")
		return diags
	}
	d.root = root
	if w := text(root, "_workspace"); w != "" {
		diags.Add(diag.DeckWorkspace, where("_workspace"), fmt.Sprintf("It is for the workspace %q, and a control plane of Konnect has no workspaces.", Mask(w, d.Secrets)), "remove _workspace.")
	}
	if f, has := root["_format_version"]; has {
		d.Format = fmt.Sprint(f)
		if d.Format != FormatVersion {
			diags.Add(diag.DeckFormat, where("_format_version"), fmt.Sprintf("It has the format version %s, and Konnect takes %s.", Mask(d.Format, d.Secrets), FormatVersion), formatFix(d.Format))
		}
		root["_format_version"] = d.Format
	}
	diags = append(diags, d.fillKonnect(asMap(root["_konnect"]), where)...)
	d.SelectTags = tags(asMap(root["_info"])["select_tags"])
	diags = append(diags, unsupported(root, where)...)
	diags = append(diags, checkItems(root, where)...)
	raw, err := Encode(root)
	if err != nil {
		diags.Add(diag.DeckNotAFile, value.Pos{File: d.Name}, "It cannot be read: "+Mask(err.Error(), d.Secrets)+".", "correct it.")
	}
	d.Content = raw
	return diags
}

func (d *Document) fillKonnect(konnect map[string]any, where func(...string) value.Pos) (diags diag.List) {
	name, old := text(konnect, "control_plane_name"), text(konnect, "runtime_group_name")
	if name != "" && old != "" {
		diags.Add(diag.DeckControlPlane, where("_konnect", "runtime_group_name"), "It says control_plane_name, and runtime_group_name as well, which is the old word for it.", "remove runtime_group_name.")
	}
	switch {
	case name != "":
		d.ControlPlane, d.ControlPlanePos = name, where("_konnect", "control_plane_name")
	case old != "":
		d.ControlPlane, d.ControlPlanePos = old, where("_konnect", "runtime_group_name")
	}
	return diags
}

func formatFix(found string) string {
	if strings.HasPrefix(found, "1.") {
		return "convert it: `deck file convert --from kong-gateway-2.x --to kong-gateway-3.x`."
	}
	return fmt.Sprintf("write _format_version: %q.", FormatVersion)
}

func isState(root map[string]any) bool {
	for _, key := range []string{"_format_version", "_info", "_konnect", pluginConfigs, "_transform", "_workspace"} {
		if _, has := root[key]; has {
			return true
		}
	}
	return slices.ContainsFunc(shapes, func(s shape) bool { _, has := root[s.key]; return has })
}

// MayBeState reports whether a file may be a state of decK: anything but a mapping
// without a word of decK's.
func MayBeState(content []byte) bool {
	var root map[string]any
	return yaml.Unmarshal(content, &root) != nil || isState(root)
}

func tags(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// find is where a path of keys and places of lists stands, or as much of it as
// there is.
func find(name string, n *yaml.Node, path []string) value.Pos {
	pos := value.Pos{File: name}
	for _, key := range path {
		next := step(n, key, &pos)
		if next == nil {
			return pos
		}
		n = next
	}
	pos.Line, pos.Column = n.Line, n.Column
	return pos
}

// step goes one key or place of a list down, or nil. Pos
// becomes where the key stands.
func step(n *yaml.Node, key string, pos *value.Pos) (next *yaml.Node) {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				pos.Line, pos.Column, next = n.Content[i].Line, n.Content[i].Column, n.Content[i+1]
			}
		}
	case n.Kind == yaml.SequenceNode:
		if i, ok := value.Place(key); ok && i < len(n.Content) {
			next = n.Content[i]
			pos.Line, pos.Column = next.Line, next.Column
		}
	}
	return next
}
