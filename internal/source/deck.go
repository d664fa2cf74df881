package source

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// Where a document names decK files: _deck.files, _deck.state with its own
// files, and _external.deck.file.
const (
	keyDeck     = "_deck"
	keyFiles    = "files"
	keyState    = "state"
	keyExternal = "_external"
	keyProvider = "deck"
	keyFile     = "file"
)

// deckFile reads a decK file that is named, and leaves its name: what the file
// means is not for this package to say.
func (c *converter) deckFile(n *yaml.Node) value.Value {
	path := strings.TrimSpace(n.Value)
	switch {
	case path == "":
		return value.StringAt(c.pos(n), "")
	case !c.mayRead(n):
		return c.told(n)
	case strings.Contains(path, "://"):
		return c.refuse(diag.SrcFileMissing, n, "A decK file is a file of this machine, not a URL.", "download it, and write its path.")
	}
	at, p := c.read.open(c.file.dir, c.file.base, path)
	if p != nil {
		return c.refuse(p.code, n, p.detail, p.fix)
	}
	c.deckFiles[c.pos(n)] = File{Name: at.name, Content: at.data}
	return value.StringAt(c.pos(n), path)
}

// deckMentions calls name with the nodes below a mapping that name decK files.
func deckMentions(n *yaml.Node, name func(*yaml.Node)) {
	if files := follow(childOf(childOf(n, keyDeck), keyFiles)); files != nil {
		name(files)
		for _, item := range files.Content {
			name(item)
		}
	}
	name(childOf(childOf(childOf(n, keyExternal), keyProvider), keyFile))
}
