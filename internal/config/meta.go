package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/diag"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

var (
	refPattern       = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	uuidPattern      = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	namespacePattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
)

// meta is a kongctl block.
type meta struct {
	namespace string
	protected bool
	// which of the two were written
	hasNamespace, hasProtected bool
}

func (b *builder) readDefaults(d source.Document) {
	v := d.Root.Field(keyDefaults)
	if v.IsAbsent() || v.Kind() == value.Null {
		return
	}
	if v.Kind() != value.Map {
		b.diags.Add(diag.CfgWrongShape, v.Pos(), fmt.Sprintf("%s must be a mapping and is %s.", keyDefaults, v.Kind()), "write _defaults: {kongctl: {namespace: my-team}}.")
		return
	}
	for _, e := range v.Entries() {
		if e.Key != keyMeta {
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s has no field %q.", keyDefaults, e.Key), suggest(e.Key, []string{keyMeta}))
		}
	}
	m, ok := b.meta(v.Field(keyMeta))
	if !ok {
		return
	}
	if m.hasNamespace {
		b.spaces[m.namespace] = true
	}
	if old, ok := b.defaults[d.File]; ok && (old.namespace != m.namespace || old.protected != m.protected) {
		b.diags.Add(diag.CfgMeta, v.Pos(), "This file gives its defaults twice, and the two differ.", "keep one _defaults per file.")
	}
	b.defaults[d.File] = m
}

// meta reads a kongctl block.
func (b *builder) meta(v value.Value) (meta, bool) {
	var m meta
	switch v.Kind() {
	case value.Absent, value.Null:
		return m, true
	case value.Map:
	default:
		b.diags.Add(diag.CfgMeta, v.Pos(), fmt.Sprintf("kongctl must be a mapping and is %s.", v.Kind()), "write kongctl: {namespace: my-team, protected: true}.")
		return m, false
	}
	ok := true
	for _, e := range v.Entries() {
		switch e.Key {
		case "namespace":
			s, isText := e.Value.Text()
			if !isText || len(s) > 63 || !namespacePattern.MatchString(s) {
				b.diags.Add(diag.CfgNamespace, e.Value.Pos(), "A namespace has 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.", "write for example namespace: my-team.")
				ok = false
				continue
			}
			m.namespace, m.hasNamespace = s, true
		case "protected":
			p, isBool := e.Value.Bool()
			if !isBool {
				b.diags.Add(diag.CfgMeta, e.Value.Pos(), fmt.Sprintf("protected is true or false, not %s.", e.Value.Kind()), "write protected: true.")
				ok = false
				continue
			}
			m.protected, m.hasProtected = p, true
		default:
			b.diags.Add(diag.CfgMeta, e.KeyPos, fmt.Sprintf("The kongctl block has no field %q.", e.Key), suggest(e.Key, []string{"namespace", "protected"}))
			ok = false
		}
	}
	return m, ok
}

// readMeta settles namespace and protection of a root; children follow theirs.
func (b *builder) readMeta(r *Resource, v value.Value) {
	block := v.Field(keyMeta)
	if r.Type.Parent != nil {
		if !block.IsAbsent() {
			b.diags.Add(diag.CfgMeta, v.KeyPos(keyMeta), fmt.Sprintf("A %s follows the %s that it belongs to and has no namespace or protection of its own.", catalog.Words(r.Type.Kind), catalog.Words(r.Type.Parent.Kind)), "move the kongctl block to the parent.")
		}
		return
	}
	m, _ := b.meta(block)
	d := b.defaults[b.doc.File]
	r.Namespace, r.Protected = m.namespace, m.protected
	b.named[r] = m.hasNamespace || d.hasNamespace
	if !m.hasNamespace {
		r.Namespace = d.namespace
	}
	if r.Namespace == "" {
		r.Namespace = DefaultNamespace
	}
	if !m.hasProtected {
		r.Protected = d.protected
	}
	b.spaces[r.Namespace] = true
}

// requireNamespaces is the guard of --require-namespace and
// --require-any-namespace, over everything that is declared.
func (b *builder) requireNamespaces() {
	for _, r := range b.set.Resources {
		if r.Parent != nil || r.Type.Parent != nil {
			continue
		}
		if b.opts.RequireAnyNamespace && !b.named[r] {
			b.diags.Add(diag.CfgNamespaceNeed, r.Pos, fmt.Sprintf("The %s %q names no namespace, and --require-any-namespace asks for one.", catalog.Words(r.Type.Kind), r.Ref), "add kongctl: {namespace: my-team} to it, or to _defaults of the file.")
		}
		if len(b.opts.RequireNamespaces) > 0 && !slices.Contains(b.opts.RequireNamespaces, r.Namespace) {
			b.diags.Add(diag.CfgNamespaceNeed, r.Pos, fmt.Sprintf("The %s %q belongs to the namespace %s, and --require-namespace allows %s.", catalog.Words(r.Type.Kind), r.Ref, r.Namespace, strings.Join(b.opts.RequireNamespaces, ", ")), "put it into one of these, or leave it out of this run.")
		}
	}
}
