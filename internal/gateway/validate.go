package gateway

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Facts is what files are held against.
type Facts struct {
	// Contract is what Konnect's API takes.
	Contract *contract.Contract
	// Served is nil where there is no control plane to ask yet.
	Served Schemas
}

// Schemas finds a schema that Konnect serves: of a plugin, or of a type of
// partials. It is nil where Konnect does not know the name.
type Schemas func(ctx context.Context, of SchemasOf, name string) (schema map[string]any, err error)

// SchemasOf is what a schema is of, in the words of its address.
type SchemasOf string

// What Konnect serves schemas of by name.
const (
	SchemasOfPlugins  SchemasOf = "plugins"
	SchemasOfPartials SchemasOf = "partials"
)

// Validate returns what a gateway would refuse in the files of a request, at its
// place: configurations of plugins, fields of entities, and entities that are
// there twice. What cannot be judged without the gateway passes.
func Validate(ctx context.Context, r Request, facts Facts) (diag.List, error) {
	if r.Mode == Delete {
		return nil, nil
	}
	v := &validation{
		ctx: ctx, served: facts.Served, contract: facts.Contract, mask: newMasker(r.Secrets), schemas: map[string]map[string]any{},
		shared: map[string]map[string]any{}, defaults: map[string]map[string]any{}, first: map[string]value.Pos{},
	}
	roots := make([]map[string]any, len(r.Files))
	for i, f := range r.Files {
		root, err := Parse(f)
		if err != nil {
			return nil, err
		}
		roots[i] = root
		for name, config := range asMap(root[pluginConfigs]) {
			v.shared[name] = asMap(config)
		}
		info := asMap(root["_info"])
		for kind, fields := range asMap(info["defaults"]) {
			v.defaults[kind] = asMap(fields)
		}
		v.overrides = v.overrides || info["consumer_group_policy_overrides"] == true
	}
	for i, f := range r.Files {
		v.file = f
		v.unknownLists(roots[i])
		v.lists(shapes, roots[i], nil, nil)
	}
	return v.diags.Sorted(), v.err
}

type validation struct {
	ctx      context.Context
	served   Schemas
	contract *contract.Contract
	mask     *masker
	schemas  map[string]map[string]any // what Konnect served
	err      error

	// Of all files: configurations that plugins share, and defaults by kind.
	shared, defaults map[string]map[string]any
	// overrides: plugins of consumer groups hold but what differs.
	overrides bool
	// first is where an entity stands, by what there may be one of.
	first map[string]value.Pos

	file  File
	diags diag.List
}

// item is an entity where it stands.
type item struct {
	kind   string
	fields map[string]any // with its owner
	path   value.Path
	owner  *item
	nested []shape
}

// called is the entity for people.
func (v *validation) called(it *item) string {
	return v.mask.mask(strings.ReplaceAll(it.kind, "-", " ") + " " + Name(it.kind, it.fields))
}

func (v *validation) add(code diag.Code, it *item, below value.Path, reason, fix string) {
	v.addAt(false, code, it, below, reason, fix)
}

// addAt points at the key where that is what is wrong.
func (v *validation) addAt(key bool, code diag.Code, it *item, below value.Path, reason, fix string) {
	path := append(it.path[:len(it.path):len(it.path)], below...)
	if key {
		path = path.Child(ofKey)
	}
	detail := reason
	if len(below) > 0 {
		detail = below.String() + ": " + reason
	}
	v.diags.Add(code, v.file.At(path), v.mask.mask(fmt.Sprintf("%s: %s.", v.called(it), detail)), cmp.Or(fix, fixOf(reason)))
}

// ofKey is a step to nowhere: what is nearest to it is the key before.
const ofKey = ""

// fixOf says what to do about a reason, for those that say it themselves.
func fixOf(reason string) string {
	if choices, ok := strings.CutPrefix(reason, "expected one of: "); ok {
		return "use one of: " + choices + "."
	}
	switch {
	case strings.HasPrefix(reason, "expected a"):
		return "write " + strings.TrimPrefix(reason, "expected ") + "."
	case strings.HasPrefix(reason, "at least one"):
		return "add one of them."
	case strings.HasPrefix(reason, "only one"):
		return "keep one of them."
	case strings.HasPrefix(reason, "value "):
		return "use a value in this range."
	default:
		return "correct the value."
	}
}

func (v *validation) lists(list []shape, at map[string]any, path value.Path, owner *item) {
	var above map[string]any
	if owner != nil {
		above = owner.fields
	}
	for _, s := range list {
		entities, _ := at[s.key].([]any)
		for i, e := range entities {
			fields, ok := e.(map[string]any)
			if !ok || s.kind == "" {
				continue
			}
			it := &item{kind: s.kind, fields: own(s, fields, above), path: path.Child(s.key).Index(i), owner: owner, nested: s.nested}
			v.entity(it, fields)
			v.lists(s.nested, fields, it.path, it)
		}
	}
}

func (v *validation) entity(it *item, written map[string]any) {
	if it.kind == kindMember { // one that is written elsewhere
		return
	}
	v.twice(it)
	switch it.kind {
	case kindPlugin:
		v.plugin(it)
	case kindPartial:
		v.partial(it)
	}
	fields := written
	if d := v.defaults[strings.ReplaceAll(it.kind, "-", "_")]; len(d) > 0 {
		fields = map[string]any{}
		for _, m := range []map[string]any{d, written} {
			for k, x := range m {
				fields[k] = x
			}
		}
	}
	var flaws []flaw
	for _, rule := range entityRules(it.kind) {
		flaws = append(flaws, rule(fields)...)
	}
	flaws = append(flaws, beside(flaws, v.contracted(it, fields))...)
	misspelt := false
	for _, w := range flaws {
		if _, has := value.Get(fields, w.path); !has || len(w.path) == 0 {
			if misspelt = misspelt || v.misspelt(it, written); misspelt {
				continue // it is one cause
			}
		}
		v.add(diag.DeckField, it, w.path, w.reason, w.fix)
	}
}

// misspelt reports the fields of an entity that are unknown and close to a known
// one.
func (v *validation) misspelt(it *item, written map[string]any) bool {
	known, found := fieldsAt(it.path), false
	for _, k := range slices.Sorted(maps.Keys(written)) {
		if near := diag.Nearest(k, known); near != "" && !slices.Contains(known, k) {
			found = true
			v.addAt(true, diag.DeckField, it, value.Path{k}, "unknown field", fmt.Sprintf("did you mean %s?", near))
		}
	}
	return found
}

// lists of a file that are unknown and close to a known one.
func (v *validation) unknownLists(root map[string]any) {
	known := fieldsAt(nil)
	for _, k := range slices.Sorted(maps.Keys(root)) {
		_, isList := root[k].([]any)
		near := diag.Nearest(k, known)
		if isList && near != "" && !slices.Contains(known, k) && !slices.Contains(notInKonnect, k) {
			v.diags.Add(diag.DeckField, v.file.At(value.Path{k, ofKey}), fmt.Sprintf("%s: unknown field.", v.mask.mask(k)), fmt.Sprintf("did you mean %s?", near))
		}
	}
}

// unique are the fields of which no two entities of a kind share a value, where
// that holds in a whole control plane.
var unique = map[string][]string{
	"service": {"name", "id"}, "route": {"name", "id"}, "upstream": {"name", "id"}, kindConsumer: {"username", "custom_id", "id"},
	kindGroup: {"name", "id"}, "certificate": {"id"}, kindCACert: {"id"}, "sni": {"name", "id"}, kindVault: {"prefix", "id"},
	"key-set": {"name", "id"}, "key": {"name", "id"}, kindPartial: {"name", "id"}, kindPlugin: {"instance_name", "id"},
	kindKeyAuth: {"key"}, "basic-auth": {"username"}, "hmac-auth": {"username"}, "jwt-auth": {"key"},
}

// twice reports an entity that is there a second time.
func (v *validation) twice(it *item) {
	for _, field := range unique[it.kind] {
		if s := text(it.fields, field); s != "" {
			v.once(it, field, fmt.Sprintf("%s\x00%s\x00%s", it.kind, field, s))
		}
	}
	switch it.kind {
	case "target":
		v.once(it, "target", fmt.Sprintf("target\x00%s\x00%s", text(asMap(it.fields["upstream"]), "name"), text(it.fields, "target")))
	case kindPlugin:
		// Of each plugin there is one for the same entities.
		key := "plugin\x00" + text(it.fields, "name")
		for _, scope := range ownerFields[kindPlugin] {
			key += "\x00" + scopeKey(it.fields[scope])
		}
		v.once(it, "name", key)
	}
}

func scopeKey(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return cmp.Or(reference(v), text(asMap(v), "custom_id"), text(asMap(v), "id"))
}

func (v *validation) once(it *item, field, key string) {
	pos := v.file.At(it.path.Child(field))
	before, seen := v.first[key]
	if !seen {
		v.first[key] = pos
		return
	}
	what, fix := "there is another one with the same "+field, "remove one of them, or change its "+field+"."
	if it.kind == kindPlugin && field == "name" {
		what, fix = "the same plugin is there twice for the same entities", "remove one of them."
	}
	v.add(diag.DeckDuplicate, it, value.Path{field}, fmt.Sprintf("%s, at %s", what, before), fix)
}
