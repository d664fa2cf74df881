package explain

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Draft is the dialect of the schemas.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// definitions is where schemas of the language find each other.
const definitions = "#/$defs/"

// Schema is the JSON Schema of what was found: of a type or of a field.
func (x *Explainer) Schema(f *Found) map[string]any {
	var out map[string]any
	if f.Key != nil {
		out = schemaOfKey(f)
	} else if f.Field != nil {
		out = f.Field.beside(nil).schema()
		out["title"] = f.Type.Kind + "." + strings.Join(f.Path, ".")
		out["x-kongctl-path"] = f.Type.fieldPlace(f.Path)
		out["x-kongctl-resource"] = f.Type.Kind
	} else {
		out = x.resource(f.Type)
		if f.Type.Class != External { // a managed one: what it requires stands at the top
			out = f.Type.alone(x)
		}
		x.annotate(f.Type, out)
	}
	return x.whole(out)
}

// whole is a schema as a document of its own, with what it refers to.
func (x *Explainer) whole(out map[string]any) map[string]any {
	out["$schema"] = Draft
	defs := map[string]any{}
	x.define(out, defs)
	if len(defs) > 0 {
		out["$defs"] = defs
	}
	return out
}

// define adds the definitions that a schema refers to.
func (x *Explainer) define(in any, defs map[string]any) {
	switch in := in.(type) {
	case map[string]any:
		if ref, ok := in["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, definitions)
			if _, known := defs[name]; !known {
				var made map[string]any
				if b := x.cat.Kind(name); b != nil {
					made = x.resource(x.Type(b))
				} else {
					made = shared()[name]
				}
				defs[name] = made
				x.define(made, defs)
			}
		}
		for _, key := range sorted(in) {
			x.define(in[key], defs)
		}
	case []any:
		for _, item := range in {
			x.define(item, defs)
		}
	}
}

// annotate adds what JSON Schema has no words for.
func (x *Explainer) annotate(t *Type, out map[string]any) {
	out["title"] = t.Kind
	out["x-kongctl-resource"] = t.Kind
	out["x-kongctl-path"] = t.place()
	out["x-kongctl-root-key"] = t.RootKey
	out["x-kongctl-resource-class"] = string(t.Class)
	out["x-kongctl-supports-root"] = true
	out["x-kongctl-supports-nested-declaration"] = t.Nested != ""
}

// extra are the properties of a resource that are not fields of the API.
func (t *Type) extra(x *Explainer) map[string]any {
	out := map[string]any{}
	for _, k := range t.Keys {
		s := map[string]any{"description": k.Says}
		for key, v := range k.schema {
			s[key] = v
		}
		out[k.Name] = s
	}
	if t.bound.Parent != nil {
		for above := t.bound.Parent.Parent; above != nil; above = above.Parent {
			for _, key := range []string{above.Kind, above.Kind + "_id"} {
				if out[key] == nil && t.Object.Field(key) == nil {
					out[key] = aboveSchema(above.Kind)
				}
			}
		}
	}
	for _, c := range t.Children {
		b := x.cat.Kind(c.Kind)
		out[c.Key] = listOf(b)
		if len(catalog.Keys(b)) > 0 {
			out[c.Key] = orByKey(out[c.Key], b)
		} else {
			out[c.Key] = x.orPlain(out[c.Key], b)
		}
	}
	if t.Class != External {
		for key, members := range catalog.Groups(t.bound) {
			out[key] = groupOf(members)
		}
		for _, s := range x.cat.Sides(t.bound) {
			out[s.Key] = sideSchema(s)
		}
	}
	for _, f := range t.Object.all() {
		if f.Short != "" {
			out[f.Short] = t.Object.optional(f).property()
		}
	}
	if t.Class == External {
		for _, key := range x.narrowing(t.bound) {
			out[key] = map[string]any{"description": "narrows the search to what refers to it"}
		}
	}
	return out
}

// narrowing are the keys that narrow the search for an external.
func (x *Explainer) narrowing(b *catalog.Bound) []string {
	var out []string
	add := func(word string) { out = append(out, word, word+"_id") }
	for _, r := range b.References {
		if to := x.cat.Kind(r.Kind); to != nil {
			add(to.Kind)
			for _, alias := range to.Aliases {
				add(catalog.Singular(alias))
			}
		}
		if p := value.ParsePath(r.Field); len(p) > 1 {
			add(p[len(p)-2])
		}
	}
	return out
}

// schema is that of a mapping. What one variant alone has is null in the others.
func (o *Object) schema(extra map[string]any) map[string]any {
	properties := map[string]any{}
	for _, f := range o.all() {
		if _, known := properties[f.Name]; known {
			properties[f.Name] = true // variants differ
			continue
		}
		properties[f.Name] = o.optional(f).property()
	}
	for _, f := range o.elsewhere {
		properties[f.Name] = null()
	}
	for k, v := range extra {
		properties[k] = v
	}
	out := map[string]any{"type": "object", "properties": properties}
	if r := requiredOf(o.Fields); len(r) > 0 {
		out["required"] = r
	}
	underscored(out, properties)
	switch {
	case o.Values != nil:
		out["additionalProperties"] = o.Values.property()
	case o.Open:
	default:
		out["additionalProperties"] = false
	}
	if len(o.Variants) > 0 {
		union, list := o.union()
		out[union] = list
	}
	return out
}

// optional is a field as the mapping asks for it: what a variant asks for is said there.
func (o *Object) optional(f *Field) *Field {
	if o.own(f.Name) != nil {
		return f
	}
	out := *f
	out.Required = false
	return &out
}

// underscored lets keys with dashes be written with underscores too, as the loader does.
func underscored(schema, properties map[string]any) {
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		other := strings.ReplaceAll(name, "-", "_")
		if other == name {
			continue
		}
		properties[other] = properties[name]
		if at := slices.Index(required, any(name)); at >= 0 {
			required = slices.Delete(required, at, at+1)
			either := map[string]any{"anyOf": []any{map[string]any{"required": []any{name}}, map[string]any{"required": []any{other}}}}
			all, _ := schema["allOf"].([]any)
			schema["allOf"] = append(all, either)
		}
	}
	if schema["required"] = required; len(required) == 0 {
		delete(schema, "required")
	}
}

// union are the variants: oneOf where a value fits one at most.
func (o *Object) union() (keyword string, list []any) {
	keyword = "oneOf"
	for _, v := range o.Variants {
		own := map[string]any{}
		for _, other := range o.Variants {
			for _, f := range other.Fields {
				if f.Name != "" && !slices.ContainsFunc(v.Fields, func(g *Field) bool { return g.Name == f.Name }) {
					own[f.Name] = null()
					if f.Short != "" {
						own[f.Short] = null()
					}
				}
			}
		}
		for _, f := range v.Fields {
			if own[f.Name] = f.property(); f.Name == v.Property {
				own[f.Name] = map[string]any{"enum": f.Enum}
			}
		}
		s := map[string]any{"properties": own}
		if r := requiredOf(v.Fields); len(r) > 0 {
			s["required"] = r
		} else if !refuses(own) {
			keyword = "anyOf" // nothing tells it apart
		}
		for _, f := range v.Fields { // another name may stand for it
			if f.Short == "" {
				continue
			}
			own[f.Short] = own[f.Name]
			if f.Required {
				without(s, f.Name)
				alsoAll(s, []any{either(f.Name, f.Short)})
			}
		}
		if v.says != "" {
			keyword = "anyOf" // what tells it apart stands elsewhere
		}
		list = append(list, s)
	}
	return keyword, list
}

// refuses reports whether a schema takes nothing but null for a property that others
// have.
func refuses(properties map[string]any) bool {
	for _, v := range properties {
		if s, ok := v.(map[string]any); ok && s["type"] == "null" {
			return true
		}
	}
	return false
}

func requiredOf(fields []*Field) []any {
	var out []any
	for _, f := range fields {
		if f.Required {
			out = append(out, f.Name)
		}
	}
	return out
}

// property is the schema of a field in a mapping: null says as little there as no
// field at all, unless the field is required.
func (f *Field) property() map[string]any {
	out := f.schema()
	if f.Required && !f.Nullable {
		if f.kind() == anyValue {
			out["not"] = null()
		}
		return out
	}
	forms, several := out["anyOf"].([]any)
	types, listed := out["type"].([]any)
	switch {
	case several && !slices.ContainsFunc(forms, func(form any) bool { s, _ := form.(map[string]any); return s["type"] == "null" }):
		out["anyOf"] = append(forms, null())
	case !several && out["oneOf"] != nil:
		return map[string]any{"anyOf": []any{out, null()}}
	case listed:
		out["type"] = append(types, "null")
	}
	return out
}

// schema is that of a value as an editor sees it: a tag is its argument.
func (f *Field) schema() map[string]any {
	out := f.strict()
	if f.Free {
		out = map[string]any{"anyOf": []any{map[string]any{"type": []any{"string", "object"}}}}
	}
	if f.Document {
		forms, several := out["anyOf"].([]any)
		if !several {
			forms = []any{out}
		}
		out = map[string]any{"anyOf": append(forms, map[string]any{"type": "object", "minProperties": 1})}
	}
	if f.Deprecated {
		out["deprecated"] = true
	}
	if f.HasDefault {
		out["default"] = f.Default
	}
	if says := f.says(); says != "" {
		out["description"] = says
	}
	if f.Secret {
		out["x-kongctl-secret"] = true
	}
	if f.Immutable {
		out["x-kongctl-immutable"] = true
	}
	if tag := f.PreferredTag(); tag != "" {
		out["x-kongctl-preferred-tag"] = tag
	}
	if kind := f.Refers + f.Names; kind != "" {
		out["x-kongctl-ref-kind"] = kind
	}
	return out
}

// says are the notes that the schema itself cannot show.
func (f *Field) says() string {
	shown := *f
	shown.Enum, shown.Items, shown.HasDefault, shown.Pattern, shown.Limits, shown.Nullable, shown.Deprecated = nil, nil, false, "", nil, false, false
	return strings.Join(shown.notes(), "; ")
}

func (f *Field) strict() map[string]any {
	switch {
	case f.Refers != "" && f.Type != "array":
		return referenceSchema(f.Refers)
	case f.Secret && f.Type == "array":
		return map[string]any{"anyOf": []any{ref("secret"), map[string]any{"type": "array", "items": ref("secret")}}}
	case f.Secret:
		return map[string]any{"anyOf": []any{ref("secret")}}
	case len(f.Either) > 0:
		var forms []any
		for _, e := range f.Either {
			forms = append(forms, e.schema())
		}
		return orTag(map[string]any{"anyOf": forms}, f.Nullable)
	case f.Type == "array":
		out := map[string]any{"type": "array"}
		f.limit(out)
		if f.Items != nil {
			item := *f.Items
			if f.Refers != "" {
				item.Refers = f.Refers
			}
			out["items"] = item.schema()
		}
		if f.Nullable {
			delete(out, "minItems") // an empty list means none
		}
		return orTag(out, f.Nullable)
	case f.Type == "object" && f.Object != nil:
		out := f.Object.schema(nil)
		f.limit(out)
		if f.Keys != nil {
			out["propertyNames"] = f.Keys
		}
		return orTag(out, f.Nullable)
	case f.Type == "":
		return map[string]any{}
	default:
		return f.scalar()
	}
}

func (f *Field) limit(out map[string]any) {
	for k, v := range f.Limits {
		out[k] = v
	}
}

func (f *Field) scalar() map[string]any {
	out := map[string]any{"type": f.Type}
	f.limit(out)
	if f.Pattern != "" {
		out["pattern"] = ecma(f.Pattern)
	}
	if checkable(f.Format) {
		out["format"] = f.Format
	}
	if len(f.Enum) > 0 {
		out = map[string]any{"enum": f.Enum}
	}
	return orTag(out, f.Nullable)
}

// checkable reports whether every validator understands a format alike. A UUID is not
// one of them: what an editor sees of !ref is the name of a resource.
func checkable(format string) bool {
	return slices.Contains([]string{"date-time", "date", "email", "ipv4", "ipv6", "uri"}, format)
}

// found lets an item name the resource that exists by its id or identity, where
// nobody writes such resources here.
func found(b *catalog.Bound, schema map[string]any) map[string]any {
	if b.Writer != "" {
		return schema
	}
	properties, _ := schema["properties"].(map[string]any)
	ways := []any{map[string]any{"required": []any{keyExternal}}}
	for _, name := range append([]string{"id"}, b.Identity...) {
		properties[name] = map[string]any{"type": "string"}
		ways = append(ways, map[string]any{"required": []any{name}})
	}
	delete(schema, "required")
	schema["anyOf"] = ways
	return schema
}
