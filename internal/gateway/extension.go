package gateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	keyFiles    = "files"
	keyFlags    = "flags"
	keyState    = "state"
	keyFile     = "file"
	keyService  = "service"
	keyServices = "services"
	keyProvider = "deck"

	deckForm     = "_deck: {files: [kong.yaml]} or _deck: {state: {…}}"
	providerForm = "deck: {file: kong.yaml, service: …}"
)

// Extension is what decK adds to the language of Konnect: _deck, and the deck
// provider of external resources.
func Extension() resource.Extension {
	return resource.Extension{
		Key: ExtraKey, Fits: worksBelow,
		Read:     func(in *resource.Reading, r *resource.Resource, e value.Entry) { reading{in}.block(r, e) },
		Provider: keyProvider, Provides: provides,
		Provide: func(in *resource.Reading, r *resource.Resource, v value.Value) *resource.Made {
			return reading{in}.provider(r, v)
		},
		Form:        "_external: {deck: {file: …, service: …}}",
		WrittenWith: "decK",
		Says:        "decK's part of this control plane: files and flags, or an inline state",
		Schema:      blockSchema(), ProviderSchema: providerSchema(),
	}
}

// reading reads what a configuration says of decK.
type reading struct{ *resource.Reading }

// worksBelow reports whether decK writes something below resources of a type.
func worksBelow(t *resource.Type) bool {
	return slices.ContainsFunc(t.Children, func(c *resource.Type) bool { return c.Writer == TargetName })
}

// provides reports whether decK makes resources of a type that others wait for.
func provides(t *resource.Type) bool { return t.Writer == TargetName && t.Referred }

// block reads what decK is to do.
func (b reading) block(r *resource.Resource, e value.Entry) {
	v := e.Value
	switch {
	case resource.Unreadable(v):
		return
	case !worksBelow(r.Type):
		b.Add(diag.ExtDeck, e.KeyPos, fmt.Sprintf("decK writes below %s, and this is %s.", b.KindsOf(worksBelow), diag.A(r.Type.Words)), "remove _deck, or move it.")
		return
	case v.Kind() == value.Null: // nothing after the colon says as little as no key
		return
	case v.Kind() != value.Map:
		b.WrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", ExtraKey, resource.Shape(v)), "write "+deckForm+".")
		return
	}
	d := &Block{Pos: e.KeyPos}
	known := []string{keyFiles, keyFlags, keyState}
	unknown := false
	for _, e := range v.Entries() {
		switch e.Key {
		case keyFiles:
			if e.Value.Kind() == value.Null {
				continue
			}
			d.Files, d.Listings = b.deckFiles(e.Value)
		case keyFlags:
			d.Flags = b.deckFlags(e.Value)
		case keyState:
			if e.Value.Kind() == value.Null {
				continue
			}
			b.checkState(e.Value)
			b.checkVariables(r, e.Value)
			d.State = e.Value
		default:
			unknown = true
			b.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, ExtraKey), resource.Suggest(e.Key, known)+resource.Explained(r.Type.Kind+"."+ExtraKey, "keys"))
		}
	}
	switch files, state := says(v, keyFiles), says(v, keyState); {
	case files && state:
		b.Add(diag.ExtDeck, v.KeyPos(keyState), "_deck has the state in files and here, and takes one of the two.", "keep files or state.")
	case !files && !state && !unknown:
		b.Add(diag.ExtDeck, e.KeyPos, "_deck needs files or state.", "write "+deckForm+".")
	}
	if r.Extras == nil {
		r.Extras = map[string]any{}
	}
	r.Extras[ExtraKey] = d
}

// says reports whether a mapping has a value for a key.
func says(v value.Value, key string) bool { return v.Has(key) && v.Field(key).Kind() != value.Null }

// deckFiles reads the names of files, folders and patterns; one stands for a list
// of one.
func (b reading) deckFiles(v value.Value) (files []SourceFile, listings []string) {
	items := v.Items()
	switch v.Kind() {
	case value.List:
	case value.String:
		items = []value.Value{v}
	default:
		b.WrongShape(v, fmt.Sprintf("%s must be a list of files and is %s.", keyFiles, resource.Shape(v)), "write files: [kong.yaml].")
		return nil, nil
	}
	if len(items) == 0 {
		b.Add(diag.ExtDeck, v.Pos(), "_deck.files names no file.", "write files: [kong.yaml].")
	}
	named := map[string]value.Pos{} // files that are named themselves
	for _, item := range items {
		found, listing := b.deckFile(item)
		if listing != "" && !slices.Contains(listings, listing) {
			listings = append(listings, listing)
		}
		for _, f := range found {
			if first, twice := named[f.Name]; twice && listing == "" {
				b.Add(diag.ExtDeck, item.Pos(), fmt.Sprintf("The file %q is named at %s already.", f.Written, first), "keep one of the two.")
			} else if listing == "" {
				named[f.Name] = item.Pos()
			}
			if !slices.ContainsFunc(files, func(other SourceFile) bool { return other.Name == f.Name }) {
				files = append(files, f)
			}
		}
	}
	return files, listings
}

// deckFile finds the files that were read for a name, and the folder or pattern
// that it is, if any.
func (b reading) deckFile(v value.Value) (files []SourceFile, listing string) {
	text, ok := v.Text()
	switch {
	case resource.Unreadable(v):
		return nil, ""
	case !ok:
		b.WrongShape(v, fmt.Sprintf("A decK file is named by its path, not by %s.", resource.Shape(v)), "write the path, relative to this file.")
		return nil, ""
	case text == "":
		b.Add(diag.ExtDeck, v.Pos(), "The name of a decK file is empty.", "write the path, relative to this file.")
		return nil, ""
	}
	named, ok := b.Files(v.Pos())
	if !ok {
		b.Add(diag.ExtDeck, v.Pos(), "The name of a decK file comes out of another file.", "write the path here, relative to this file.")
	}
	for _, f := range named.Files {
		written := text
		if named.Listing != "" {
			written = f.Name
		}
		files = append(files, SourceFile{Name: f.Name, Written: written, Content: f.Content, Pos: v.Pos()})
	}
	return files, named.Listing
}

func (b reading) deckFlags(v value.Value) []value.Value {
	switch v.Kind() {
	case value.Null:
	case value.List:
		for _, item := range v.Items() {
			if item.Kind() != value.String {
				b.WrongShape(item, fmt.Sprintf("A flag of decK must be a text and is %s.", resource.Shape(item)), "write it in quotes.")
				return nil
			}
		}
	default:
		b.WrongShape(v, fmt.Sprintf("%s must be a list and is %s.", keyFlags, resource.Shape(v)), "write flags: [--select-tag=my-team].")
	}
	return v.Items()
}

// checkState refuses what decK's state cannot hold: it is settled before
// anything has an id.
func (b reading) checkState(v value.Value) {
	if v.Kind() != value.Map {
		b.WrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyState, resource.Shape(v)), "write the content of a decK file below it.")
		return
	}
	v.Walk(func(p value.Path, v value.Value) bool {
		if e := v.Expr(); e != nil && (e.Op == value.OpRef || e.Op == value.OpLookup) {
			b.Add(diag.ExtDeck, v.Pos(), fmt.Sprintf("decK's state cannot refer to resources, and %s does so with !%s.", p, e.Op), "write the value itself, or take it with !env or !file.")
		}
		return true
	})
}

// provider reads which service of a decK file is meant.
func (b reading) provider(r *resource.Resource, v value.Value) *resource.Made {
	if !provides(r.Type) {
		b.Add(diag.ExtProvider, v.Pos(), fmt.Sprintf("The deck provider is for %s, and this is %s.", b.KindsOf(provides), diag.A(r.Type.Words)), "use id or selector.")
		return nil
	}
	if v.Kind() != value.Map && v.Kind() != value.Null {
		b.WrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", keyProvider, resource.Shape(v)), "write "+providerForm+".")
		return nil
	}
	var file SourceFile
	var service string
	alone := false // the file's only service is meant
	fields := []string{keyFile, keyService}
	meant := map[string]bool{}
	for _, e := range v.Entries() {
		switch e.Key {
		case keyFile, keyService:
		default:
			b.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, keyProvider), resource.Suggest(e.Key, fields)+resource.Explained(r.Type.Kind, "keys"))
			meant[diag.Nearest(e.Key, fields)] = true
		}
	}
	for _, key := range fields {
		text, ok := v.Field(key).Text()
		switch {
		case resource.Unreadable(v.Field(key)), meant[key] && !v.Has(key):
		case key == keyService && (!v.Has(key) || v.Field(key).Kind() == value.Null):
			alone = true
		case !v.Has(key), ok && text == "", v.Field(key).Kind() == value.Null:
			b.Add(diag.ExtProvider, v.Nearest(value.Path{key}), fmt.Sprintf("deck provider requires '%s' field.", key), "write "+providerForm+".")
		case !ok:
			b.WrongShape(v.Field(key), fmt.Sprintf("The field %s of %s must be a text and is %s.", key, keyProvider, resource.Shape(v.Field(key))), "write "+providerForm+".")
		case key == keyFile:
			if files, _ := b.deckFile(v.Field(key)); len(files) > 0 {
				file = files[0]
			}
		default:
			service = text
		}
	}
	if alone && file.Name != "" {
		service = b.onlyService(file)
	}
	return NewMade(file, service, v.Pos())
}

// onlyService is the name of the service of a decK file that has one.
func (b reading) onlyService(file SourceFile) string {
	d, diags := Read(file.Name, file.Content, b.Env)
	if d == nil {
		for _, problem := range diags {
			b.Report(problem)
		}
		return ""
	}
	services, _ := d.root[keyServices].([]any)
	var names []string
	for _, s := range services {
		if name := text(asMap(s), "name"); name != "" {
			names = append(names, Mask(name, d.Secrets))
		}
	}
	form := func(name string) string {
		if !d.Holds(name) {
			name = "…" // it is hidden
		}
		return fmt.Sprintf("write which one is meant: deck: {file: %s, service: %s}.", file.Written, name)
	}
	switch {
	case len(services) == 0:
		b.Add(diag.ExtProvider, file.Pos, fmt.Sprintf("The file %s has no service.", file.Written), "add the service to it, or name the file that has it.")
	case len(names) == 0:
		b.Add(diag.ExtProvider, file.Pos, fmt.Sprintf("The file %s has no service with a name.", file.Written), "name the service in the file.")
	case len(services) > 1:
		b.Add(diag.ExtProvider, file.Pos, fmt.Sprintf("The file %s has %d services: %s.", file.Written, len(services), strings.Join(names, ", ")), form(names[0]))
	case !d.Holds(names[0]):
		b.Add(diag.ExtProvider, file.Pos, fmt.Sprintf("The name of the only service of %s comes from a variable.", file.Written), form(names[0]))
	default:
		return names[0]
	}
	return ""
}

// checkVariables tells of variables of a state that are not set.
func (b reading) checkVariables(r *resource.Resource, state value.Value) {
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
			if why, set := b.Env(inner.Name); !set {
				code, detail, fix := diag.Unread(fmt.Sprintf("decK's state of the %s takes %s", r.Type.Words, p), inner.Name, why)
				b.Add(code, x.Pos(), detail, fix)
			}
		}
		return false
	})
}
