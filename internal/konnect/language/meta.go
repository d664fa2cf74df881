package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// The longest names.
const (
	maxRef       = resource.MaxName
	maxNamespace = 63
)

var (
	refPattern  = pattern.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	uuidPattern = pattern.New(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	ulidPattern = pattern.New(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	// idPattern is an id of any form.
	idPattern        = pattern.New(uuidPattern.String() + "|" + ulidPattern.String())
	namespacePattern = pattern.New(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
)

// meta is a kongctl block.
type meta struct {
	namespace string
	protected bool
	// which of the two were written; a namespace that was refused is empty
	hasNamespace, hasProtected bool
	// prune is how a document prunes; only its defaults say so
	prune string
}

// scopes settles the namespaces of resources, and which types are meant in which.
type scopes struct {
	*state
	// defaults are the first of each file, ownDefaults those of a document by
	// where they stand.
	defaults    map[string]meta
	ownDefaults map[value.Pos]meta
	spaces      map[string]bool
	// namedAt is where a namespace was named other than by a resource.
	namedAt map[string]value.Pos
	// empty are the empty lists of root types.
	empty []emptyList
	named map[*resource.Resource]bool // roots whose namespace was written
}

func newScopes(s *state) *scopes {
	return &scopes{
		state:    s,
		defaults: map[string]meta{}, ownDefaults: map[value.Pos]meta{},
		spaces: map[string]bool{}, namedAt: map[string]value.Pos{}, named: map[*resource.Resource]bool{},
	}
}

func (b *scopes) readDefaults(d source.Document) {
	v := d.Root.Field(keyDefaults)
	if v.IsAbsent() || v.Kind() == value.Null {
		return
	}
	if v.Kind() != value.Map {
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyDefaults, shape(v)), "write _defaults: {kongctl: {namespace: my-team}}.")
		return
	}
	for _, e := range v.Entries() {
		if e.Key != keyMeta && e.Key != keyPrune {
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, keyDefaults), suggest(e.Key, []string{keyMeta, keyPrune}))
		}
	}
	m, _ := b.meta(v.Field(keyMeta))
	m.prune = b.prune(d, v.Field(keyPrune))
	if m.namespace != "" {
		b.name(m.namespace, v.Pos())
	}
	if _, known := b.defaults[d.File]; !known {
		b.defaults[d.File] = m
	}
	b.ownDefaults[d.Root.KeyPos(keyDefaults)] = m
}

// prune reads how a document prunes.
func (b *scopes) prune(d source.Document, v value.Value) string {
	if v.IsAbsent() || v.Kind() == value.Null {
		return ""
	}
	s, isText := v.Text()
	if !isText || !slices.Contains(resource.Prunings(), s) {
		detail := fmt.Sprintf("%s is one of %s.", keyPrune, diag.Join(resource.Prunings(), "and"))
		b.wrongShape(v, detail, "write prune: declared to leave alone the lists that this document does not have.")
		return resource.PruneNone
	}
	if s != resource.PruneFull {
		if b.set.Narrowed == nil {
			b.set.Narrowed = map[string]string{}
		}
		b.set.Narrowed[d.File] = resource.NarrowerPrune(s, b.set.Narrowed[d.File])
	}
	return s
}

// defaultsOf are the defaults of a document: its own, else the first of its file.
func (b *scopes) defaultsOf(d source.Document) meta {
	if m, own := b.ownDefaults[d.Root.KeyPos(keyDefaults)]; own && d.Root.Has(keyDefaults) {
		return m
	}
	return b.defaults[d.File]
}

// meta reads a kongctl block.
func (b *scopes) meta(v value.Value) (meta, bool) {
	var m meta
	switch v.Kind() {
	case value.Absent, value.Null:
		return m, true
	case value.Map:
	default:
		b.badMeta(v, fmt.Sprintf("kongctl must be a mapping and is %s.", shape(v)), "write kongctl: {namespace: my-team, protected: true}.")
		return m, false
	}
	ok := true
	for _, e := range v.Entries() {
		switch e.Key {
		case keyNamespace:
			s, isText := e.Value.Text()
			m.hasNamespace = true
			if !isText || len(s) > maxNamespace || !namespacePattern.MatchString(s) {
				b.badNamespace(e.Value, s)
				ok = false
				continue
			}
			m.namespace = s
		case keyProtected:
			p, isBool := e.Value.Bool()
			if !isBool {
				b.badMeta(e.Value, fmt.Sprintf("protected is true or false, not %s.", shape(e.Value)), "write protected: true.")
				ok = false
				continue
			}
			m.protected, m.hasProtected = p, true
		default:
			b.diags.Add(diag.CfgMeta, e.KeyPos, fmt.Sprintf("There is no field %q in a kongctl block.", e.Key), suggest(e.Key, metaKeys))
			ok = false
		}
	}
	return m, ok
}

func (b *scopes) badMeta(v value.Value, detail, fix string) {
	if !unread(v) {
		b.diags.Add(diag.CfgMeta, v.Pos(), detail, fix)
	}
}

func (b *scopes) badNamespace(v value.Value, written string) {
	if unread(v) {
		return
	}
	if (v.Kind() == value.Number || v.Kind() == value.Bool) && len(v.Written()) <= maxNamespace {
		b.unquotedNamespace(v)
		return
	}
	example := strings.ReplaceAll(strings.ToLower(slug(written)), "_", "-")
	if len(example) > maxNamespace || !namespacePattern.MatchString(example) {
		example = "my-team"
	}
	b.diags.Add(diag.CfgNamespace, v.Pos(), "A namespace has 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.", fmt.Sprintf("write for example namespace: %s.", example))
}

// unquotedNamespace reports a namespace that YAML takes for a number or a boolean.
func (b *scopes) unquotedNamespace(v value.Value) {
	text := v.Written()
	detail := fmt.Sprintf("A namespace is text, and YAML reads %s as %s.", text, shape(v))
	fix := fmt.Sprintf("write it in quotes: namespace: %q", text)
	if !namespacePattern.MatchString(text) {
		example := strings.Trim(strings.Map(func(r rune) rune {
			if r == '.' || r == '+' {
				return '-'
			}
			return r
		}, strings.ToLower(text)), "-")
		detail += " In quotes it would still need a change: a namespace has a-z, 0-9 and -, with a letter or digit at both ends."
		fix = fmt.Sprintf("write it in quotes, in that form: namespace: %q", example)
	}
	b.diags.Add(diag.CfgNamespace, v.Pos(), detail, fix)
}

// read settles namespace and protection of a resource. A child has the
// namespace of its root and a protection of its own.
func (b *scopes) read(r *resource.Resource, v value.Value) {
	block := v.Field(keyMeta)
	m, _ := b.meta(block)
	r.Prune = b.defaultsOf(b.doc).prune
	if catalog.Of(r).Parent != nil {
		if m.hasNamespace {
			b.diags.Add(diag.CfgMeta, block.KeyPos("namespace"), fmt.Sprintf("%s is in the namespace of its %s.", diag.Sentence(diag.A(catalog.Words(catalog.Of(r).Kind))), top(catalog.Of(r))), fmt.Sprintf("move it to the %s.", top(catalog.Of(r))))
		}
		r.Protected = m.protected
		return
	}
	d := b.defaultsOf(b.doc)
	if !m.hasNamespace {
		m.namespace, m.hasNamespace = d.namespace, d.hasNamespace
	}
	if !m.hasProtected {
		m.protected = d.protected
	}
	r.Namespace, r.Protected = m.namespace, m.protected
	if m.hasNamespace && m.namespace == "" {
		return // reported
	}
	b.named[r] = m.hasNamespace
	if !m.hasNamespace {
		r.Namespace = resource.DefaultNamespace
	}
	if m.hasNamespace || catalog.Of(r).HasLabels() {
		b.spaces[r.Namespace] = true // what carries no mark is in no namespace, unless one is written
	}
}

// top names the type above all others that a type nests in.
func top(t *catalog.Bound) string {
	for t.Parent != nil {
		t = t.Parent
	}
	return catalog.Words(t.Kind)
}

// requireNamespaces is the guard of --require-namespace and
// --require-any-namespace, over everything that is declared.
func (b *scopes) requireNamespaces() {
	for _, r := range b.set.Resources {
		if catalog.Of(r).Parent != nil || r.Namespace == "" {
			continue // follows its parent, or was reported
		}
		if b.opts.RequireAnyNamespace && !b.named[r] {
			b.diags.Add(diag.CfgNamespaceNeed, r.Pos, fmt.Sprintf("The %s names no namespace, and --require-any-namespace asks for one.", r.Describe()), "add kongctl: {namespace: my-team} to it, or to _defaults of the file.")
		}
		if len(b.opts.RequireNamespaces) > 0 && !slices.Contains(b.opts.RequireNamespaces, r.Namespace) {
			b.diags.Add(diag.CfgNamespaceNeed, r.Pos, fmt.Sprintf("The %s belongs to the namespace %s, and --require-namespace allows %s.", r.Describe(), r.Namespace, diag.Join(b.opts.RequireNamespaces, "and")), fmt.Sprintf("write kongctl: {namespace: %s}, or leave it out of this run.", b.opts.RequireNamespaces[0]))
		}
	}
}
