package archtest

import (
	"slices"
	"strings"
)

// layers is the order of the rooms: each imports only rooms to its left. The
// reason is what a failure tells.
var layers = []struct{ room, reason string }{
	{"contract", "Konnect's API as facts: it knows nothing of this program"},
	{"terminal", "text made harmless: everything that shows something stands on it"},
	{"value", "values and positions: everything stands on them"},
	{"diag", "diagnostics are made everywhere, so they depend on positions alone"},
	{"event", "events are heard everywhere, so they know none of those who speak"},
	{"graph", "a generic graph: it knows nothing of resources"},
	{"catalog", "types are data bound to the contract: no engine shows through"},
	{"source", "bytes to documents: it does not know what they mean"},
	{"config", "documents to resources: it needs no network and no live state"},
	{"ref", "edges between declared resources: it needs the set, not the world"},
	{"target", "what can be reconciled: it carries out calls and decides nothing"},
	{"live", "reads through targets: it does not know what is wanted"},
	{"diff", "compares two values: it does not know where they come from"},
	{"plan", "decides everything and does nothing"},
	{"export", "the way back, from a snapshot: it changes nothing"},
	{"explain", "the catalog in words: it needs no configuration and no network"},
	{"emulator", "the other side of the wire: it must not share the engine it tests"},
	{"execute", "reads only the plan: it decides nothing"},
	{"auth", "tokens reach the engine as values"},
	{"profile", "settings reach the engine as values"},
	{"view", "renders what happened: nothing but the command line may depend on it"},
	{"cli", "the only room that sees all others; nothing imports it but main"},
}

// pure rooms compute: same input, same output.
var (
	pure    = []string{"diff", "plan"}
	outside = []string{"os", "os/exec", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand"}
)

func rank(room string) int {
	for i, l := range layers {
		if l.room == room {
			return i
		}
	}
	return -1
}

// layerOrder asserts who imports whom. Tests may look to the right.
func layerOrder(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		from := room(p.dir)
		if from != "" && !forTests(from) && rank(from) < 0 {
			out = append(out, finding{p.dir, "is a room that the list of layers does not have"})
		}
	}
	t.code(func(p *pkg, f *file) {
		from := room(p.dir)
		for _, spec := range f.ast.Imports {
			imported := importPath(spec)
			if slices.Contains(pure, from) && slices.Contains(outside, imported) {
				out = append(out, t.at(spec.Pos(), "%s is pure and may not import %s", from, imported))
			}
			dir, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			if law := mayImport(p.dir, dir); law != "" {
				out = append(out, t.at(spec.Pos(), "%s may not import %s: %s", p.dir, dir, law))
			}
		}
	})
	return out
}

// mayImport returns the law that an import breaks, or "".
func mayImport(from, to string) string {
	a, b := room(from), room(to)
	switch {
	case forTests(b):
		return b + " is for tests"
	case b == "":
		return "it is not a room of internal/"
	case a == "":
		if b != "cli" {
			return "a program is a shell over cli"
		}
	case a == b:
	case rank(b) > rank(a):
		return a + " stands to the left of " + b + ": " + reason(a)
	}
	return ""
}

func reason(room string) string {
	if i := rank(room); i >= 0 {
		return layers[i].reason
	}
	return ""
}
