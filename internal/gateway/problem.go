package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// Locate lets a request find what stands where, in the names that people gave:
// the plan may name files from another folder.
func (j *Job) Locate(r *Request) {
	for i, f := range r.Files {
		switch {
		case j.inline() && f.Name == InlineName(j.ControlPlane.Ref):
			r.Files[i].Where = func(path ...string) value.Pos { return j.State.Nearest(path) }
		case i < len(j.documents) && len(j.documents) == len(j.Files):
			r.Files[i].Where = j.documents[i].where
		}
	}
}

// Place is where an entity stands, by its kind and name, or the first of the files.
func (r Request) Place(kind, name string) value.Pos {
	pos := r.find(func(k string, entity map[string]any) bool { return k == kind && Name(kind, entity) == name })
	if pos.File == "" && len(r.Files) > 0 {
		pos.File = r.Files[0].Name
	}
	return pos
}

// Lacking is where the first plugin of a name stands without a value for one of
// these fields of its configuration; without a line where all of them have it.
func (r Request) Lacking(name string, fields []string) value.Pos {
	return r.find(func(kind string, entity map[string]any) bool {
		return kind == kindPlugin && text(entity, "name") == name && slices.ContainsFunc(fields, func(f string) bool {
			v := asMap(entity["config"])[f]
			return v == nil || v == ""
		})
	})
}

// find is where the first entity stands that fits.
func (r Request) find(fits func(kind string, entity map[string]any) bool) value.Pos {
	for _, f := range r.Files {
		root, err := Parse(f)
		if err != nil {
			continue
		}
		if path := placeOf(shapes, root, nil, nil, fits); path != nil {
			return f.At(path)
		}
	}
	return value.Pos{}
}

func placeOf(list []shape, at map[string]any, path value.Path, owner map[string]any, fits func(kind string, entity map[string]any) bool) value.Path {
	for _, s := range list {
		items, _ := at[s.key].([]any)
		for i, e := range items {
			fields, ok := e.(map[string]any)
			if !ok {
				continue
			}
			here, entity := path.Child(s.key).Index(i), own(s, fields, owner)
			if fits(s.kind, entity) {
				return here
			}
			if below := placeOf(s.nested, fields, here, entity, fits); below != nil {
				return below
			}
		}
	}
	return nil
}

// About is where in the files something stands that decK's library or binary
// speaks of; without a line where it names nothing.
func (r Request) About(text string) value.Pos {
	if m := referred.FindStringSubmatch(text); m != nil {
		return r.mention(mention{fields: referringTo(m[1] + m[3] + m[5]), name: m[2] + m[4] + m[6], plugin: m[7]})
	}
	if m := lacking.FindStringSubmatch(text); m != nil {
		return r.Lacking(m[1], strings.Split(m[2], ", "))
	}
	return value.Pos{}
}

var (
	// referred finds the kind and the name of an entity that something refers to in
	// vain, and the plugin that does.
	referred = pattern.New(`retrieve intermediate (\S+?) \(([^)]*)\)|refers to the (key set) "([^"]*)"|\b(service|route|consumer|consumer-group|AI model|partial) (\S+) for plugin ([^\s:]+)`)
	// lacking finds the fields that a plugin must have although its schema says
	// otherwise: decK would make them again each time.
	lacking = pattern.New(`(\S+) plugin requires explicit non-empty config values for (.+?) to avoid`)
)

// referring are fields by which an entity names another.
var referring = []string{"service", "route", kindConsumer, "consumer_group", "consumer_groups", "groups", "upstream", "certificate", "client_certificate", "set", "partials", "model"}

// referringTo are those by which an entity of a kind is named.
func referringTo(kind string) []string {
	switch kind {
	case "key-set", "key set":
		return []string{"set"}
	case "consumer-group":
		return []string{"consumer_group", "consumer_groups", "groups"}
	case "AI model":
		return []string{"model"}
	case kindPartial:
		return []string{"partials"}
	case "service", "route", kindConsumer:
		return []string{kind}
	default:
		return referring
	}
}

// mention is a reference that is looked for: by one of some fields, to a name, in
// a plugin or anywhere.
type mention struct {
	fields       []string
	name, plugin string
}

// mention is where the reference stands; without a line where nothing refers so.
func (r Request) mention(m mention) value.Pos {
	for _, f := range r.Files {
		root, err := Parse(f)
		if err != nil || m.name == "" {
			continue
		}
		if path := m.in(root, nil, ""); path != nil {
			return f.At(path)
		}
	}
	return value.Pos{}
}

// in finds the reference in a value, which may be part of a plugin.
func (m mention) in(v any, path value.Path, plugin string) value.Path {
	generic := path.Generic()
	switch v := v.(type) {
	case map[string]any:
		if len(generic) > 0 && generic[len(generic)-1] == "plugins" {
			plugin = text(v, "name")
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if found := m.in(v[k], path.Child(k), plugin); found != nil {
				return found
			}
		}
	case []any:
		for i, x := range v {
			if found := m.in(x, path.Index(i), plugin); found != nil {
				return found
			}
		}
	case string:
		for _, key := range generic[max(0, len(generic)-2):] {
			if v == m.name && (m.plugin == "" || plugin == m.plugin) && slices.Contains(m.fields, key) {
				return path
			}
		}
	}
	return nil
}

// additional finds the key in what decK's schema says of one that it does not know.
var additional = pattern.New(`^Additional property (.+) is not allowed$`)

// needed finds the field in what decK's schema says of one that is missing.
var needed = pattern.New(`^(\w+) is required$`)

// FileProblems are diagnostics of files that are wrong by themselves; nil where
// something else failed.
func FileProblems(r Request, err error) diag.List {
	var failed *Error
	if !errors.As(err, &failed) || !failed.File {
		return nil
	}
	var out diag.List
	for _, p := range failed.Problems {
		for _, f := range r.Files {
			if f.Name != p.File {
				continue
			}
			path, detail, fix := p.Path, p.Detail, "correct the value."
			at := path
			if m := needed.FindStringSubmatch(p.Detail); m != nil {
				fix = fmt.Sprintf("add %s.", m[1])
				switch m[1] {
				case "algorithm":
					fix = "add algorithm: HS256, or the one that the tokens are signed with."
				case "client_secret":
					fix = "add client_secret. decK needs one for each credential; a public client does not send it."
				}
			}
			if m := additional.FindStringSubmatch(p.Detail); m != nil {
				detail, fix = "unknown field", "correct the name, or remove the field."
				if near := diag.Nearest(m[1], fieldsAt(path)); near != "" {
					fix = "did you mean " + near + "?"
				}
				path = path.Child(m[1])
				at = path.Child(ofKey)
			}
			if len(path) > 0 {
				detail = path.String() + ": " + detail
			}
			out.Add(cmp.Or(p.Code, diag.DeckField), f.At(at), strings.TrimSuffix(detail, ".")+".", cmp.Or(p.Fix, fix))
		}
	}
	if len(out) == 0 {
		pos := failed.Pos
		if pos.File == "" && len(r.Files) > 0 {
			pos.File = r.Files[0].Name
		}
		out.Add(diag.DeckFailed, pos, failed.Error()+".", wayOut(failed.Message))
	}
	return out
}

// wayOut says what to do about what decK says of a file.
func wayOut(text string) string {
	if m := lacking.FindStringSubmatch(text); m != nil {
		return "set config." + strings.ReplaceAll(m[2], ", ", " and config.") + " of the plugin."
	}
	if strings.Contains(text, " is not there") {
		return "declare it in the file, or correct the name."
	}
	return "correct the file, and run the command again."
}

// fieldsAt are lists and fields that may stand at a path, as far as this package
// knows them.
func fieldsAt(path value.Path) []string {
	list := shapes
	generic := path.Generic()
	for _, key := range generic {
		s := shapeOf(list, key)
		if s == nil {
			return nil
		}
		list = s.nested
	}
	var out []string
	for _, s := range list {
		out = append(out, s.key)
	}
	if len(generic) > 0 {
		out = append(out, commonFields[generic[len(generic)-1]]...)
	}
	return out
}

// commonFields are fields that people write, by the list of the entity.
var commonFields = map[string][]string{
	"services":  {"name", "host", "port", "path", "protocol", "url", "retries", "tags", "enabled", "connect_timeout", "read_timeout", "write_timeout", "client_certificate", "tls_verify", "ca_certificates"},
	"routes":    {"name", "paths", "hosts", "methods", "headers", "protocols", "snis", "strip_path", "preserve_host", "tags", "path_handling", "regex_priority", "expression", "priority", "service", "sources", "destinations", "https_redirect_status_code", "request_buffering", "response_buffering"},
	"plugins":   {"name", "config", "enabled", "protocols", "tags", "instance_name", "service", "route", "consumer", "consumer_group", "ordering", "partials", "condition"},
	"consumers": {"username", "custom_id", "tags"},
	"upstreams": {"name", "algorithm", "slots", "healthchecks", "hash_on", "tags", "host_header"},
	"targets":   {"target", "weight", "tags"},
}
