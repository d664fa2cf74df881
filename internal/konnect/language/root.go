package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

func (b *reader) document(d source.Document) {
	b.doc = d
	keys := slices.DeleteFunc(slices.Clone(d.Root.Keys()), free)
	if len(keys) > 0 && !slices.ContainsFunc(keys, b.knows) && !d.Root.Has(keyDefaults) {
		b.foreign(d)
		return
	}
	for _, e := range d.Root.Entries() {
		b.rootEntry("", e)
	}
}

// free reports whether a key at the root means nothing: below it people keep
// what they give anchors.
func free(key string) bool { return strings.HasPrefix(key, "x-") }

// knows tells whether a key at the root says that a document is ours.
func (b *reader) knows(key string) bool {
	if b.declaring == nil {
		b.declaring = Declaring(b.cat)
	}
	return b.declaring[key]
}

// Declaring holds the keys that declare something at the root of a document.
func Declaring(cat *catalog.Catalog) map[string]bool {
	out := map[string]bool{keyMoved: true, keyExternals: true}
	for _, key := range cat.RootKeys() {
		group, _, _ := strings.Cut(key, ".")
		out[key], out[group] = true, true
	}
	for key := range cat.FlatSides() {
		out[key] = true
	}
	return out
}

// group lists the keys below a root key that only holds other root keys.
func (b *reader) group(key string) []string {
	var inner []string
	for _, k := range b.cat.RootKeys() {
		if rest, ok := strings.CutPrefix(k, key+"."); ok {
			inner = append(inner, rest)
		}
	}
	return inner
}

// collections lists the root keys of types without parents.
func (b *reader) collections() []string {
	var keys []string
	for _, t := range b.cat.All() {
		// What is only referred to may have children that are written.
		written := func(c *catalog.Bound) bool { return !c.ReadOnly }
		if t.Parent == nil && (written(t) || slices.ContainsFunc(t.Children, written)) {
			keys = append(keys, t.Root())
		}
	}
	slices.Sort(keys)
	return keys
}

func (b *reader) rootEntry(prefix string, e value.Entry) {
	key := prefix + e.Key
	inner := b.group(key)
	switch t := b.cat.RootKey(key); {
	case t != nil:
		b.rootList(t, key, e)
	case prefix == "" && (e.Key == keyDefaults || free(e.Key)):
	case prefix == "" && e.Key == keyMoved:
		b.moves.read(e)
	case key == keyExternals:
		b.externals.list(e)
	case len(inner) > 0:
		b.rootGroup(key, inner, e)
	default:
		if f, ok := flatSides(b)[key]; ok {
			readFlat(b, f, e)
			return
		}
		b.unknownRoot(key, e)
	}
}

func (b *reader) rootGroup(key string, inner []string, e value.Entry) {
	switch e.Value.Kind() {
	case value.Null:
		for _, k := range inner {
			b.scopes.null(b.cat.RootKey(key+"."+k), key+"."+k, e.KeyPos)
		}
	case value.Map:
		for _, below := range e.Value.Entries() {
			b.rootEntry(key+".", below)
		}
	default:
		b.set.Incomplete = b.set.Incomplete || unread(e.Value)
		b.wrongShape(e.Value, fmt.Sprintf("%s must be a mapping and is %s.", key, shape(e.Value)), fmt.Sprintf("write %s: below it.", diag.Join(inner, "or")))
	}
}

func (b *reader) unknownRoot(key string, e value.Entry) {
	fix := fmt.Sprintf("use one of %s.", strings.Join(b.collections(), ", "))
	if key == e.Key && refPattern.MatchString(key) {
		fix += fmt.Sprintf(" A key that only holds what anchors stand for begins with x-: x-%s.", key)
	}
	managed := slices.DeleteFunc(b.rootWords(), func(word string) bool {
		t := b.cat.RootKey(word)
		return t != nil && t.ReadOnly // it is managed elsewhere
	})
	if near := diag.NearestWord(key, managed); near != "" {
		fix = fmt.Sprintf("did you mean %s?", near)
	}
	if meant := b.misspelt(key); meant != "" {
		fix = writeInstead(strings.TrimPrefix(meant, strings.TrimSuffix(key, e.Key)), e.Key)
	}
	if spaces := spaceFix(e.Key); spaces != "" {
		fix = spaces
	}
	if key == keyMeta {
		fix = "write _defaults: {kongctl: …} for the whole file, or put it below a resource."
	}
	b.diags.Add(diag.CfgUnknownRoot, e.KeyPos, noCollection(key), fix)
}

func (b *reader) rootList(t *catalog.Bound, key string, e value.Entry) {
	if t.Parent == nil && t.Shape == catalog.Singleton {
		b.rootKey = key
		b.single(t, e.Key, nil, e.Value)
		return
	}
	switch e.Value.Kind() {
	case value.Null:
		b.scopes.null(t, key, e.KeyPos)
	case value.List:
		b.rootKey = key
		if len(e.Value.Items()) == 0 {
			b.scopes.empty = append(b.scopes.empty, emptyList{t, key, b.scopes.defaultsOf(b.doc), e.KeyPos})
		}
		for _, item := range e.Value.Items() {
			b.item(t, nil, nil, item)
		}
	default:
		b.hide(t, e.Value)
		b.wrongShape(e.Value, fmt.Sprintf("%s must be a list of resources and is %s.", key, shape(e.Value)), listForm(t, key, e.Value))
	}
}
