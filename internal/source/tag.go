package source

import (
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// The tags of the configuration language.
const (
	tagRef      = "!ref"
	tagEnv      = "!env"
	tagFile     = "!file"
	tagSecret   = "!secret"
	tagLookup   = "!lookup"
	tagExternal = "!external"
)

// tagForm shows how a tag is written, "" for one that does not exist.
func tagForm(tag string) string {
	switch tag {
	case tagRef:
		return "!ref NAME or !ref NAME#FIELD"
	case tagEnv:
		return "!env VAR, !env VAR#PATH or !env {var: VAR, extract: PATH}"
	case tagFile:
		return "!file PATH, !file PATH#KEY or !file {path: PATH, extract: KEY}"
	case tagSecret:
		return `!secret {source: !env VAR}, !secret {source: !file PATH} or !secret {parts: ["Bearer ", !env VAR]}`
	case tagLookup, tagExternal:
		return tag + " {name: NAME} or " + tag + " name:NAME"
	default:
		return ""
	}
}

func (c *converter) tagged(n *yaml.Node, m mode) value.Value {
	switch {
	case tagForm(n.Tag) == "":
		return c.unknownTag(n)
	case m.tags == noTag:
		return c.refuse(diag.SrcTagNesting, n, fmt.Sprintf("The tag %s stands in a file that a part is taken from.", n.Tag), "take a part that holds plain data.")
	case m.tags == envAlone && n.Tag != tagEnv:
		return c.misplaced(n, tagLookup)
	}
	switch n.Tag {
	case tagRef:
		return c.ref(n)
	case tagEnv:
		return c.env(n)
	case tagFile:
		if m.tags == filesUnread {
			return c.secretFile(n)
		}
		return c.fileContent(n)
	case tagSecret:
		return c.secret(n)
	default:
		return c.lookup(n)
	}
}

// unknownTag refuses a tag that does not exist. Its name is not repeated: it may be
// a secret that begins with an exclamation mark and is not quoted.
func (c *converter) unknownTag(n *yaml.Node) value.Value {
	known := []string{tagEnv, tagExternal, tagFile, tagLookup, tagRef, tagSecret}
	const quoted = "quote the value if it begins with an exclamation mark."
	if standardTag(n.Tag) {
		return c.refuse(diag.SrcUnknownTag, n, fmt.Sprintf("%s has no equivalent in JSON.", n.Tag), "leave the tag out.")
	}
	fix := "use one of " + strings.Join(known, ", ") + ", or " + quoted
	if near := diag.Nearest(n.Tag, known); near != "" {
		fix = "write " + tagForm(near) + ", or " + quoted
	}
	return c.refuse(diag.SrcUnknownTag, n, "There is no such tag.", fix)
}

// standardTag reports whether YAML itself defines a tag.
func standardTag(tag string) bool {
	switch tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge", "!!map", "!!seq", "!!binary", "!!set", "!!omap", "!!pairs":
		return true
	default:
		return false
	}
}

// tagName names a tag in a sentence, if it is known.
func tagName(tag string) string {
	if tagForm(tag) == "" && !standardTag(tag) {
		return "unknown tag"
	}
	return "tag " + tag
}

// misplaced reports a tag inside another that may not hold it.
func (c *converter) misplaced(n *yaml.Node, in string) value.Value {
	return c.refuse(diag.SrcTagNesting, n, fmt.Sprintf("The %s stands inside %s.", tagName(n.Tag), in),
		"!secret may hold !env and !file, !lookup may hold !env; nothing else nests.")
}

// malformed reports a tag whose argument is wrong and shows the right form.
func (c *converter) malformed(n *yaml.Node, tag, detail string) value.Value {
	return c.refuse(diag.SrcBadTag, n, detail, "write "+tagForm(tag)+".")
}

func (c *converter) ref(n *yaml.Node) value.Value {
	if n.Kind != yaml.ScalarNode {
		return c.malformed(n, tagRef, "!ref takes the ref of a resource, not "+argKind(n)+".")
	}
	name, field, ok := c.split(n)
	if !ok {
		return c.unread(n)
	}
	if field == "" {
		field = "id"
	}
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpRef, Name: name, Field: field})
}

var envName = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (c *converter) env(n *yaml.Node) value.Value {
	if c.file.remote {
		return c.refuse(diag.CfgEnvPlace, n, "A document from a URL may not read environment variables of this machine.", downloadFix)
	}
	name, field, ok := c.nameAndPart(n, "var")
	if !ok {
		return c.unread(n)
	}
	if !envName.MatchString(name) {
		// The text is not shown: it may be the secret itself.
		return c.malformed(n, tagEnv, "The argument of !env is not the name of an environment variable.")
	}
	if value.IsCredential(name, c.credentials...) {
		return c.refuse(diag.SrcCredential, n, fmt.Sprintf("The variable %s holds a credential of kongctl, which no configuration may read.", name), "keep the value in another variable.")
	}
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpEnv, Name: name, Field: field})
}

func (c *converter) fileContent(n *yaml.Node) value.Value {
	path, extract, ok := c.filePath(n)
	if !ok {
		return c.unread(n)
	}
	data, p := c.read.value(c.file.dir, c.file.base, path, extract)
	if p != nil {
		return c.refuse(p.code, n, p.detail, p.fix)
	}
	if at, p := c.read.open(c.file.dir, c.file.base, path); p == nil {
		c.contents[c.pos(n)] = at.name
	}
	nodes, levels := measure(data)
	c.depth += levels
	fits := c.count(n, nodes)
	c.depth -= levels
	if !fits {
		return c.unread(n)
	}
	return value.From(c.pos(n), data)
}

// secretFile keeps the path: a secret's content is read when it is written.
func (c *converter) secretFile(n *yaml.Node) value.Value {
	path, extract, ok := c.filePath(n)
	if !ok {
		return c.unread(n)
	}
	at, p := c.read.locate(c.file.dir, c.file.base, path)
	if p == nil {
		p = at.check()
	}
	if p != nil {
		return c.refuse(p.code, n, p.detail, p.fix)
	}
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpFile, Name: at.name, Field: extract})
}

func (c *converter) filePath(n *yaml.Node) (path, extract string, ok bool) {
	if !c.mayRead(n) {
		return "", "", false
	}
	path, extract, ok = c.nameAndPart(n, "path")
	if ok && strings.Contains(path, "://") {
		c.malformed(n, tagFile, "!file reads files of this machine, not URLs.")
		return "", "", false
	}
	return path, extract, ok
}

const downloadFix = "download the document, read it, and name it with -f."

// mayRead refuses files to documents of others.
func (c *converter) mayRead(n *yaml.Node) bool {
	if c.file.remote {
		c.refuse(diag.SrcOutsideBase, n, "A document from a URL may not read files of this machine.", downloadFix)
	}
	return !c.file.remote
}

func (c *converter) secret(n *yaml.Node) value.Value {
	const inClear = "The secret stands in the file itself."
	if n.Kind == yaml.ScalarNode && value.FromVault(n.Value) {
		return value.StringAt(c.pos(n), n.Value)
	}
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		return c.refuse(diag.CfgSecretLiteral, n, inClear, "keep it elsewhere and write "+tagForm(tagSecret)+".")
	}
	args, ok := c.args(n, "source", "parts")
	if !ok {
		return c.unread(n)
	}
	nodes := []*yaml.Node{args["source"]}
	if parts := args["parts"]; parts != nil {
		if parts.Kind != yaml.SequenceNode || isCustom(parts) || len(parts.Content) == 0 {
			return c.malformed(n, tagSecret, "The parts of a secret are a list with at least one item.")
		}
		nodes = parts.Content
	}
	if len(args) != 1 {
		return c.malformed(n, tagSecret, "!secret takes either source or parts.")
	}
	hidden := false
	parts := make([]value.Value, 0, len(nodes))
	for _, node := range nodes {
		part, ok := c.secretPart(follow(node))
		if !ok {
			return c.unread(n)
		}
		hidden = hidden || part.Kind() == value.Expr
		parts = append(parts, part)
	}
	if text, _ := parts[0].Text(); len(parts) == 1 && value.FromVault(text) {
		return value.StringAt(c.pos(n), text) // a reference is no secret
	}
	if !hidden {
		return c.refuse(diag.CfgSecretLiteral, n, inClear,
			"keep it elsewhere and write "+tagForm(tagSecret)+"; a vault reference stands in the field without a tag.")
	}
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpSecret, Parts: parts})
}

func (c *converter) secretPart(n *yaml.Node) (value.Value, bool) {
	if !c.count(n, 1) {
		return value.Value{}, false
	}
	var v value.Value
	switch {
	case n.Tag == tagEnv:
		v = c.env(n)
	case n.Tag == tagFile:
		v = c.secretFile(n)
	case isCustom(n) && tagForm(n.Tag) == "":
		v = c.unknownTag(n)
	case isCustom(n):
		v = c.misplaced(n, tagSecret)
	case n.Kind != yaml.ScalarNode || isNull(n):
		v = c.malformed(n, tagSecret, "A part of a secret is text, !env or !file.")
	default:
		return value.StringAt(c.pos(n), n.Value), true
	}
	return v, v.Kind() == value.Expr && v.Expr().Op != value.OpNone
}

func (c *converter) lookup(n *yaml.Node) value.Value {
	var args value.Value
	switch n.Kind {
	case yaml.MappingNode:
		args = value.MapAt(c.pos(n), c.entries(n, mode{tags: envAlone})...)
	case yaml.ScalarNode:
		key, text, ok := strings.Cut(n.Value, ":")
		key, text = strings.TrimSpace(key), strings.TrimSpace(text)
		if !ok || key == "" || text == "" {
			return c.malformed(n, n.Tag, fmt.Sprintf("%s takes a field and its value.", n.Tag))
		}
		args = value.MapAt(c.pos(n), value.Entry{Key: key, KeyPos: c.pos(n), Value: value.StringAt(c.pos(n), text)})
	default:
		return c.malformed(n, n.Tag, fmt.Sprintf("%s takes fields and their values, not a list.", n.Tag))
	}
	if len(args.Keys()) == 0 {
		return c.malformed(n, n.Tag, fmt.Sprintf("%s names no field to look for.", n.Tag))
	}
	return value.ExprAt(c.pos(n), value.Expression{Op: value.OpLookup, Args: &args})
}

// nameAndPart reads "NAME#PART" or {key: NAME, extract: PART}.
func (c *converter) nameAndPart(n *yaml.Node, key string) (name, part string, ok bool) {
	if n.Kind == yaml.ScalarNode {
		return c.split(n)
	}
	if n.Kind != yaml.MappingNode {
		c.malformed(n, n.Tag, fmt.Sprintf("%s does not take %s.", n.Tag, argKind(n)))
		return "", "", false
	}
	args, ok := c.args(n, key, "extract")
	if !ok {
		return "", "", false
	}
	for _, arg := range []string{key, "extract"} {
		switch node := args[arg]; {
		case node == nil:
		case isCustom(node):
			c.misplaced(node, n.Tag)
			return "", "", false
		case node.Kind != yaml.ScalarNode || strings.TrimSpace(node.Value) == "":
			c.malformed(node, n.Tag, fmt.Sprintf("The argument %s of %s is not text.", arg, n.Tag))
			return "", "", false
		}
	}
	if args[key] == nil {
		c.malformed(n, n.Tag, fmt.Sprintf("%s needs %s.", n.Tag, key))
		return "", "", false
	}
	if extract := args["extract"]; extract != nil {
		part = strings.TrimSpace(extract.Value)
	}
	return strings.TrimSpace(args[key].Value), part, true
}

// split reads "NAME#PART".
func (c *converter) split(n *yaml.Node) (name, part string, ok bool) {
	name, part, marked := strings.Cut(n.Value, "#")
	name, part = strings.TrimSpace(name), strings.TrimSpace(part)
	if name == "" || marked && part == "" {
		c.malformed(n, n.Tag, fmt.Sprintf("The argument of %s is incomplete.", n.Tag))
		return "", "", false
	}
	return name, part, true
}

// args returns the arguments of a tag that is written as a mapping.
func (c *converter) args(n *yaml.Node, allowed ...string) (map[string]*yaml.Node, bool) {
	if n.Kind != yaml.MappingNode {
		c.malformed(n, n.Tag, fmt.Sprintf("%s does not take %s.", n.Tag, argKind(n)))
		return nil, false
	}
	out := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := c.key(n.Content[i])
		if !ok {
			return nil, false
		}
		known := false
		for _, a := range allowed {
			known = known || a == key
		}
		switch {
		case !known:
			c.malformed(n.Content[i], n.Tag, fmt.Sprintf("%s has no argument %q.", n.Tag, key))
			return nil, false
		case out[key] != nil:
			c.refuse(diag.SrcDuplicateKey, n.Content[i], fmt.Sprintf("The key %q stands on line %d already.", key, out[key].Line), "keep one of the two.")
			return nil, false
		}
		out[key] = follow(n.Content[i+1])
	}
	return out, true
}

func argKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	default:
		return "a single value"
	}
}
