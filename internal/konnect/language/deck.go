package language

import (
	"fmt"
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

const (
	keyFiles   = "files"
	keyFlags   = "flags"
	keyState   = "state"
	keyFile    = "file"
	keyService = "service"

	deckForm     = "_deck: {files: [kong.yaml]} or _deck: {state: {…}}"
	providerForm = "deck: {file: kong.yaml, service: …}"
)

// deckFits tells of types that decK writes something below.
func deckFits(t *catalog.Bound) bool {
	return slices.ContainsFunc(t.Children, func(c *catalog.Bound) bool { return c.Writer != "" })
}

// providerFits tells of what decK makes that others wait for.
func providerFits(t *catalog.Bound) bool { return t.Writer != "" && t.Referred }

// deckReader reads what a resource says of decK.
type deckReader struct{ *state }

// read reads what decK shall do.
func (b deckReader) read(r *resource.Resource, e value.Entry) {
	v := e.Value
	switch {
	case told(v):
		return
	case !deckFits(catalog.Of(r)):
		b.diags.Add(diag.ExtDeck, e.KeyPos, fmt.Sprintf("decK writes below %s, and this is %s.", b.kindsOf(deckFits), diag.A(catalog.Words(catalog.Of(r).Kind))), "remove _deck, or move it.")
		return
	case v.Kind() != value.Map && v.Kind() != value.Null:
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyDeck, shape(v)), "write "+deckForm+".")
		return
	}
	d := &resource.Deck{Pos: e.KeyPos}
	known := []string{keyFiles, keyFlags, keyState}
	unknown := false
	for _, e := range v.Entries() {
		switch e.Key {
		case keyFiles:
			d.Files = b.files(e.Value)
		case keyFlags:
			d.Flags = b.flags(e.Value)
		case keyState:
			b.checkState(e.Value)
			b.checkVariables(r, e.Value)
			d.State = e.Value
		default:
			unknown = true
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, keyDeck), suggest(e.Key, known))
		}
	}
	switch files, state := v.Has(keyFiles), v.Has(keyState); {
	case files && state:
		b.diags.Add(diag.ExtDeck, v.KeyPos(keyState), "_deck has the state in files and here, and takes one of the two.", "keep files or state.")
	case !files && !state && !unknown:
		b.diags.Add(diag.ExtDeck, e.KeyPos, "_deck needs files or state.", "write "+deckForm+".")
	}
	r.Deck = d
}

// kindsOf lists the types that something is true of.
func (b deckReader) kindsOf(fits func(*catalog.Bound) bool) string {
	var out []string
	for _, t := range b.cat.All() {
		if fits(t) {
			out = append(out, diag.A(catalog.Words(t.Kind)))
		}
	}
	return diag.Join(out, "or")
}

// files reads the names of files; one stands for a list of one.
func (b deckReader) files(v value.Value) []resource.DeckFile {
	items := v.Items()
	switch v.Kind() {
	case value.List:
	case value.String:
		items = []value.Value{v}
	default:
		if v.Kind() != value.Null {
			b.wrongShape(v, fmt.Sprintf("%s must be a list of files and is %s.", keyFiles, shape(v)), "write files: [kong.yaml].")
			return nil
		}
	}
	if len(items) == 0 {
		b.diags.Add(diag.ExtDeck, v.Pos(), "_deck.files names no file.", "write files: [kong.yaml].")
	}
	var out []resource.DeckFile
	seen := map[string]value.Pos{}
	for _, item := range items {
		f, ok := b.file(item)
		if !ok {
			continue
		}
		if first, twice := seen[f.Name]; twice {
			b.diags.Add(diag.ExtDeck, item.Pos(), fmt.Sprintf("The file %q is named at %s already.", f.Written, first), "keep one of the two.")
			continue
		}
		seen[f.Name] = item.Pos()
		out = append(out, f)
	}
	return out
}

// file finds the file that was read for a name.
func (b deckReader) file(v value.Value) (resource.DeckFile, bool) {
	text, ok := v.Text()
	switch {
	case told(v):
		return resource.DeckFile{}, false
	case !ok:
		b.wrongShape(v, fmt.Sprintf("A decK file is named by its path, not by %s.", shape(v)), "write the path, relative to this file.")
		return resource.DeckFile{}, false
	case text == "":
		b.diags.Add(diag.ExtDeck, v.Pos(), "The name of a decK file is empty.", "write the path, relative to this file.")
		return resource.DeckFile{}, false
	}
	f, ok := b.doc.DeckFiles[v.Pos()]
	if !ok {
		b.diags.Add(diag.ExtDeck, v.Pos(), "The name of a decK file comes out of another file.", "write the path here, relative to this file.")
	}
	return resource.DeckFile{Name: f.Name, Written: text, Content: f.Content, Pos: v.Pos()}, ok
}

func (b deckReader) flags(v value.Value) []value.Value {
	switch v.Kind() {
	case value.Null:
	case value.List:
		for _, item := range v.Items() {
			if item.Kind() != value.String {
				b.wrongShape(item, fmt.Sprintf("A flag of decK must be a text and is %s.", shape(item)), "write it in quotes.")
				return nil
			}
		}
	default:
		b.wrongShape(v, fmt.Sprintf("%s must be a list and is %s.", keyFlags, shape(v)), "write flags: [--select-tag=my-team].")
	}
	return v.Items()
}

// checkState refuses what decK's state cannot hold: it is settled before
// anything has an id.
func (b deckReader) checkState(v value.Value) {
	if v.Kind() != value.Map {
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyState, shape(v)), "write the content of a decK file below it.")
		return
	}
	v.Walk(func(p value.Path, v value.Value) bool {
		if e := v.Expr(); e != nil && (e.Op == value.OpRef || e.Op == value.OpLookup) {
			b.diags.Add(diag.ExtDeck, v.Pos(), fmt.Sprintf("decK's state cannot refer to resources, and %s does so with !%s.", p, e.Op), "write the value itself, or take it with !env or !file.")
		}
		return true
	})
}

// provider reads which service of a decK file is meant.
func (b deckReader) provider(r *resource.Resource, v value.Value) *resource.DeckService {
	if !providerFits(catalog.Of(r)) {
		b.diags.Add(diag.ExtProvider, v.Pos(), fmt.Sprintf("The deck provider is for %s, and this is %s.", b.kindsOf(providerFits), diag.A(catalog.Words(catalog.Of(r).Kind))), "use id or selector.")
		return nil
	}
	if v.Kind() != value.Map && v.Kind() != value.Null {
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyProvider, shape(v)), "write "+providerForm+".")
		return nil
	}
	d := &resource.DeckService{Pos: v.Pos()}
	fields := []string{keyFile, keyService}
	meant := map[string]bool{}
	for _, e := range v.Entries() {
		switch e.Key {
		case keyFile, keyService:
		default:
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, keyProvider), suggest(e.Key, fields))
			meant[diag.Nearest(e.Key, fields)] = true
		}
	}
	for _, key := range fields {
		text, ok := v.Field(key).Text()
		switch {
		case told(v.Field(key)), meant[key] && !v.Has(key):
		case !v.Has(key), ok && text == "", v.Field(key).Kind() == value.Null:
			b.diags.Add(diag.ExtProvider, v.Nearest(value.Path{key}), fmt.Sprintf("deck provider requires '%s' field.", key), "write "+providerForm+".")
		case !ok:
			b.wrongShape(v.Field(key), fmt.Sprintf("The field %s of %s must be a text and is %s.", key, keyProvider, shape(v.Field(key))), "write "+providerForm+".")
		case key == keyFile:
			d.File, _ = b.file(v.Field(key))
		default:
			d.Service = text
		}
	}
	return d
}

// checkVariables tells of variables of a state that are not set.
func (b deckReader) checkVariables(r *resource.Resource, state value.Value) {
	state.Walk(func(p value.Path, v value.Value) bool {
		e := v.Expr()
		if e == nil {
			return true
		}
		for _, x := range append([]value.Value{v}, e.Parts...) {
			inner := x.Expr()
			if inner == nil || inner.Op != value.OpEnv {
				continue
			}
			if _, set := b.opts.Env(inner.Name); !set {
				b.diags.Add(diag.CfgEnvUnset, x.Pos(), fmt.Sprintf("decK's state of the %s takes %s from the environment variable %s, which is not set.", catalog.Words(catalog.Of(r).Kind), p, inner.Name), "set it: export "+inner.Name+"=…")
			}
		}
		return false
	})
}
