package language

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// foreign handles a document without any key that a configuration has. A key
// that is nearly one is a typo: what it declares would be missing, and sync
// deletes what is missing.
func (b *reader) foreign(d source.Document) {
	if slices.ContainsFunc(d.Root.Keys(), func(key string) bool { return b.misspelt(key) != "" }) {
		misspeltRoots(b, d)
		return
	}
	detail := fmt.Sprintf("No key of this document is one that a configuration has: %s.", first(d.Root.Keys(), 5))
	fix := fmt.Sprintf("start it with a collection: %s.", diag.Join(b.collections(), "or"))
	if d.Root.Has(keyState) {
		fix = "it holds what an embedded Konnect has: kongctl local start --seed FILE reads it. The documents behind this one are a configuration."
	} else if keys := d.Root.Keys(); len(keys) == 1 && !d.Walked {
		if near := diag.NearestWord(keys[0], b.collections()); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		}
	}
	switch {
	case !d.Walked:
		b.diags.Add(diag.SrcNotASource, d.Root.Pos(), detail, fix)
	case strings.HasPrefix(path.Base(d.File), "."):
		// A hidden file that is not ours is another tool's setting.
	default:
		b.skip(d.Root.Pos().File)
		b.diags = append(b.diags, diag.Warn(diag.SrcNotASource, d.Root.Pos(), detail, fix+" "+wayOut(d.File)))
	}
}

// misspeltRoots reports the keys of a document of which at least one is a typo: what
// the others are is not known then, and they are named with it.
func misspeltRoots(b *reader, d source.Document) {
	for _, e := range d.Root.Entries() {
		switch meant := b.misspelt(e.Key); {
		case free(e.Key):
		case meant == "":
			b.unknownRoot(e.Key, e)
		default:
			fix := writeInstead(meant, e.Key)
			if d.Walked {
				fix += " " + wayOut(d.File)
			}
			b.diags.Add(diag.CfgUnknownRoot, e.KeyPos, noCollection(e.Key), fix)
		}
	}
}

func noCollection(key string) string { return fmt.Sprintf("There is no collection %q.", key) }

func writeInstead(meant, key string) string {
	return fmt.Sprintf("write %s: instead of %s:.", meant, key)
}

// wayOut says how a walk leaves a file out.
func wayOut(file string) string {
	return fmt.Sprintf("If the file belongs to another tool, leave it out with --exclude %s or a line in .kongctlignore.", file)
}

// skip records a file that a walk left out and that may declare something.
func (b *reader) skip(file string) {
	for _, known := range b.set.Skipped {
		if known == file {
			return
		}
	}
	b.set.Skipped = append(b.set.Skipped, file)
}

// misspelt returns the root key that another one is a typo of, "" if none is
// close: they differ by case, by singular and plural, or by a letter or two.
func (b *reader) misspelt(key string) string {
	if free(key) || key == "apiVersion" { // of Kubernetes and Helm
		return ""
	}
	best, least := "", 1<<10
	for _, known := range b.rootWords() {
		if strings.HasPrefix(known, "_") != strings.HasPrefix(key, "_") {
			continue
		}
		for _, written := range []string{snake(key), strings.ToLower(strings.TrimSpace(key))} {
			if d, near := typo(written, snake(known)); near && d < least {
				best, least = known, d
			}
		}
	}
	return best
}

// rootWords lists all that may stand at the root, groups included.
func (b *reader) rootWords() []string {
	words := append(b.cat.RootKeys(), keyDefaults, keyMoved, keyExternals)
	words = append(words, slices.Sorted(maps.Keys(flatSides(b)))...)
	for _, k := range b.cat.RootKeys() {
		if group, _, nested := strings.Cut(k, "."); nested {
			words = append(words, group)
		}
	}
	return words
}

// typo reports whether a word is another one with a typo, and how far they are
// apart. The shorter the word, the fewer letters may differ: "apps" is not
// "apis".
func typo(got, known string) (letters int, near bool) {
	if got == known {
		return 0, true
	}
	one, many := withoutPlural(got), withoutPlural(known)
	if one == many {
		return 1, true
	}
	n, letters := len(known), diag.Distance(got, known)
	if n < 5 {
		return letters + 1, letters == 1 && (len(got) != n || swapped(got, known))
	}
	letters = min(letters, diag.Distance(one, many))
	return letters + 1, letters == 1 || letters == 2 && n >= 8
}

// swapped reports whether two words have the same letters.
func swapped(a, b string) bool { return strings.Trim(a, b) == "" && strings.Trim(b, a) == "" }

// snake writes a key the way that root keys are written: lower case, with
// underscores.
func snake(key string) string {
	var out strings.Builder
	lower := false
	for _, r := range strings.TrimSpace(key) {
		if unicode.IsUpper(r) && lower {
			out.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		if r == '-' || r == ' ' {
			r = '_'
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

func withoutPlural(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(word, "s")
}

// skipped warns of configurations that a walk took for something else: what
// they declare would be missing, and sync deletes what is missing.
func (b *reader) skipped() {
	for _, s := range b.opts.Skipped {
		if s.Unknown {
			b.skip(s.File) // and source has warned
		}
		var known []string
		for _, key := range s.Keys {
			if b.knows(key) {
				known = append(known, key)
			}
		}
		if len(known) == 0 {
			continue
		}
		b.skip(s.File)
		b.diags = append(b.diags, diag.Warn(diag.SrcNotASource, value.Pos{File: s.File},
			fmt.Sprintf("The file declares %s, but it is skipped, because it is %s.", diag.Join(known, "and"), s.Why),
			fmt.Sprintf("move what it declares to a file of its own, or give it with -f %s too. %s", s.File, wayOut(s.File))))
	}
}
