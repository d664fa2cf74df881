package gateway

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Dump is what the gateways of a control plane hold, as decK writes it, with a
// variable in place of every secret.
type Dump struct {
	root map[string]any
	// Secrets are the variables, in the order of the entities.
	Secrets []DumpedSecret
}

// FileSuffix ends the name of a file with a dump.
const FileSuffix = ".deck.yaml"

// DumpedSecret is a secret that a dump takes from a variable.
type DumpedSecret struct {
	Variable string
	// PEM reports whether it is a key in PEM form.
	PEM bool
	// Head is what comes before it in the value of the variable, as the name of a
	// header: Authorization: in Authorization:Bearer x.
	Head string
}

// StandIn is what fills an embedded Konnect where the variable is not set. It
// differs from secret to secret, because keys must not be the same, and has 32
// characters, because some plugins ask for just that many. A key in PEM
// form would have to fit its certificate; a reference to a vault need not.
func (s DumpedSecret) StandIn() string {
	if s.PEM {
		return "{vault://env/" + strings.ToLower(strings.ReplaceAll(s.Variable, "_", "-")) + "}"
	}
	return s.Head + fmt.Sprintf("not-the-secret-%x", sha256.Sum256([]byte(s.Variable)))[:32]
}

// secretMark stands in a dump where a secret was.
type secretMark struct {
	variable string
	newline  bool // it ended with one
	blank    bool // it began with one
}

// NewDump takes the secrets out of a state. Variables are called after the
// control plane and what the secret belongs to; taken holds the names that are in
// use already, and those of the dump afterwards.
func NewDump(root map[string]any, controlPlane string, taken map[string]bool) *Dump {
	d := &dumper{Dump: &Dump{root: maps.Clone(root)}, taken: taken}
	d.lists(shapes, d.root, []string{controlPlane})
	return d.Dump
}

// Empty reports whether there are no entities.
func (d *Dump) Empty() bool {
	return !slices.ContainsFunc(shapes, func(s shape) bool {
		items, _ := d.root[s.key].([]any)
		return len(items) > 0
	})
}

// Size is how many entities there are.
func (d *Dump) Size() int {
	n := 0
	walk(shapes, d.root, nil, func(kind string, _ map[string]any) {
		if kind != kindMember {
			n++
		}
	})
	return n
}

// Writable reports whether decK may write to a control plane. One that groups
// others has nothing of its own, and one of an ingress controller is written by
// that.
func Writable(controlPlane map[string]any) bool {
	config := asMap(controlPlane["config"])
	for _, kind := range []string{text(controlPlane, "cluster_type"), text(config, "cluster_type")} {
		if strings.HasSuffix(kind, "_GROUP") || strings.HasSuffix(kind, "_K8S_INGRESS_CONTROLLER") {
			return false
		}
	}
	return true
}

// WorksBelow reports whether decK writes something below resources of a type.
func WorksBelow(t *resource.Type) bool { return worksBelow(t) }

type dumper struct {
	*Dump
	taken map[string]bool
}

// lists takes the secrets out of lists of entities; name says whose they are.
func (d *dumper) lists(list []shape, at map[string]any, name []string) {
	for _, s := range list {
		items, _ := at[s.key].([]any)
		if len(items) == 0 {
			continue
		}
		copied := make([]any, len(items))
		for i, item := range items {
			copied[i] = item
			if entity, ok := item.(map[string]any); ok {
				called := append(slices.Clone(name), s.key, d.label(s, entity, i, len(items)))
				copied[i] = d.entity(s, entity, called)
			}
		}
		at[s.key] = copied
	}
}

// label tells entities of a list apart, by nothing that is secret.
func (d *dumper) label(s shape, entity map[string]any, i, n int) string {
	for _, f := range []string{"name", "username", "custom_id", "prefix"} {
		if l := text(entity, f); l != "" {
			return l
		}
	}
	if n == 1 && s.owner != "" {
		return ""
	}
	return fmt.Sprint(i + 1)
}

func (d *dumper) entity(s shape, entity map[string]any, name []string) map[string]any {
	out := maps.Clone(entity)
	kind, plugin := s.kind, text(entity, "name")
	if kind == "" {
		kind, _ = custom(entity)
	}
	nested := func(key string) bool {
		return slices.ContainsFunc(s.nested, func(n shape) bool { return n.key == key })
	}
	for _, field := range slices.Sorted(maps.Keys(out)) {
		if !nested(field) {
			out[field] = d.value(kind, plugin, []string{field}, out[field], name)
		}
	}
	d.lists(s.nested, out, name)
	return out
}

// value is a field without its secrets.
func (d *dumper) value(kind, plugin string, path []string, v any, name []string) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = d.value(kind, plugin, append(path[:len(path):len(path)], k), v[k], name)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = d.value(kind, plugin, path, x, name)
		}
		return out
	case string:
		shown := hideText(kind, plugin, path, v)
		if shown == v {
			return v
		}
		// What stands in for the secret must be a path or a pair as it was.
		head, _ := paired(kind, path, v)
		if before, _, _ := strings.Cut(shown, Hidden); strings.Contains(before, "?") {
			head = before
		}
		m := secretMark{variable: d.variable(append(slices.Clone(name), path...)), newline: strings.HasSuffix(v, "\n"), blank: strings.TrimLeft(v, " \t\n") != v}
		d.Secrets = append(d.Secrets, DumpedSecret{Variable: m.variable, PEM: strings.HasPrefix(strings.TrimSpace(v), "-----BEGIN "), Head: head})
		return m
	}
	return v
}

var notVariable = pattern.New(`[^A-Z0-9]+`)

func (d *dumper) variable(name []string) string {
	base := envPrefix + strings.Trim(notVariable.ReplaceAllString(strings.ToUpper(strings.Join(name, "_")), "_"), "_")
	out := base
	for i := 2; d.taken[out]; i++ {
		out = fmt.Sprint(base, "_", i)
	}
	d.taken[out] = true
	return out
}

// Named is what a control plane says of a dump that is in a file.
func (d *Dump) Named(file string) value.Value {
	return value.From(value.Pos{}, map[string]any{keyFiles: []any{file}})
}

// Inline is what a control plane says of a dump that stands in the configuration
// itself.
func (d *Dump) Inline() value.Value {
	root := maps.Clone(d.root)
	delete(root, "_format_version")
	delete(root, "_konnect")
	return value.MapAt(value.Pos{}, value.Entry{Key: keyState, Value: inline(shapes, root)})
}

func inline(list []shape, v any) value.Value {
	var at value.Pos
	switch v := v.(type) {
	case secretMark:
		env := value.ExprAt(at, value.Expression{Op: value.OpEnv, Name: v.variable})
		return value.ExprAt(at, value.Expression{Op: value.OpSecret, Parts: []value.Value{env}})
	case map[string]any:
		var entries []value.Entry
		for _, k := range keysOf(list, v) {
			entries = append(entries, value.Entry{Key: k, Value: inline(nestedIn(list, k), v[k])})
		}
		return value.MapAt(at, entries...)
	case []any:
		items := make([]value.Value, len(v))
		for i, x := range v {
			items[i] = inline(list, x)
		}
		return value.ListAt(at, items)
	case string:
		// It would be taken for a template that somebody wants to have filled in.
		return value.StringAt(at, strings.ReplaceAll(v, begins, escaped))
	}
	return value.From(at, v)
}

// nestedIn are the lists of entities that nest in those of a list.
func nestedIn(list []shape, key string) []shape {
	for _, s := range list {
		if s.key == key {
			return s.nested
		}
	}
	return nil
}

// keysOf orders keys for reading: what an entity is known by, the rest, and what
// nests in it.
func keysOf(list []shape, fields map[string]any) []string {
	var first, last []string
	for _, k := range []string{"_format_version", "_konnect", "_info", "name", "username", "custom_id", "prefix", "target", "id"} {
		if _, has := fields[k]; has {
			first = append(first, k)
		}
	}
	for _, s := range list {
		if _, has := fields[s.key]; has {
			last = append(last, s.key)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(first, k) && !slices.Contains(last, k) {
			first = append(first, k)
		}
	}
	return append(first, last...)
}
