package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// document is a plan as rules see it.
type document struct {
	plan    map[string]any
	changes []map[string]any
	// variables are the values that came from variables: no message has them.
	variables []string
}

// read takes a plan apart. Every change gets its state before and after it, where
// the plan has just what changes.
func read(raw []byte, env func(string) (string, bool)) (*document, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var plan map[string]any
	if err := decoder.Decode(&plan); err != nil {
		return nil, fmt.Errorf("read the plan for the policy: %w", err)
	}
	whole, _ := plain(plan, mapping(plan["texts"])).(map[string]any)
	fill(whole, "summary", map[string]any{})
	fill(mapping(whole["summary"]), "gateway", map[string]any{"creating": int64(0), "updating": int64(0), "deleting": int64(0)})
	for _, count := range []string{"taken_along", "cascaded"} {
		fill(mapping(whole["summary"]), count, int64(0))
	}
	d := &document{plan: whole, changes: []map[string]any{}}
	list, _ := whole["changes"].([]any)
	for _, one := range list {
		if c, ok := one.(map[string]any); ok {
			d.resolve(c, env)
			c["before"], c["after"] = withoutNulls(before(c)), withoutNulls(after(c))
			fill(c, "fields", map[string]any{})
			fill(c, "changed_fields", map[string]any{})
			fill(c, "gateway_changes", []any{})
			c["also_deletes"] = alsoDeletes(c)
			d.changes = append(d.changes, c)
		}
	}
	return d, nil
}

// resolve gives the fields of a change the values that it takes from variables.
func (d *document) resolve(change map[string]any, env func(string) (string, bool)) {
	values := map[string]string{}
	list, _ := change["expressions"].([]any)
	for _, one := range list {
		if name := text(mapping(mapping(one)["expression"]), "env"); name != "" {
			if v, set := env(name); set {
				values["[env:"+name+"]"] = v
				d.variables = append(d.variables, v)
			}
		}
	}
	if len(values) == 0 {
		return
	}
	for _, key := range []string{"fields", "changed_fields"} {
		change[key] = each(change[key], func(s string) string {
			if v, ok := values[s]; ok {
				return v
			}
			return s
		})
	}
}

// each changes the texts of a value.
func each(v any, change func(string) string) any {
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			v[key] = each(one, change)
		}
	case []any:
		for i, one := range v {
			v[i] = each(one, change)
		}
	case string:
		return change(v)
	}
	return v
}

// fill gives a mapping a key that it lacks.
func fill(m map[string]any, key string, v any) {
	if _, has := m[key]; !has {
		m[key] = v
	}
}

// withoutNulls leaves out what has no value: a resource that Konnect returns says so of
// every field.
func withoutNulls(m map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range m {
		if inner, ok := v.(map[string]any); ok {
			v = withoutNulls(inner)
		}
		if v != nil {
			out[key] = v
		}
	}
	return out
}

// plain makes whole numbers of those that are, so that they compare with those of
// an expression, and puts long texts where they belong.
func plain(v any, texts map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			v[key] = plain(one, texts)
		}
	case []any:
		for i, one := range v {
			v[i] = plain(one, texts)
		}
	case string:
		if key, ok := strings.CutPrefix(v, "[text:"); ok {
			if long, ok := texts[strings.TrimSuffix(key, "]")].(string); ok {
				return long
			}
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return n
	}
	return v
}

func before(change map[string]any) map[string]any { return mapping(change["current_state"]) }

// after is what a resource is once the change is done; nothing after a delete.
func after(change map[string]any) map[string]any {
	if text(change, "action") == "DELETE" {
		return map[string]any{}
	}
	out := merge(before(change), mapping(change["fields"]))
	// What an update that replaces the whole leaves out is gone.
	for path, change := range mapping(change["changed_fields"]) {
		if now, said := mapping(change)["new"]; said && now == nil {
			drop(out, strings.Split(path, "."))
		}
	}
	return out
}

// merge puts fields over a state; null takes one away.
func merge(state, fields map[string]any) map[string]any {
	out := maps.Clone(state)
	for key, now := range fields {
		inner, nested := now.(map[string]any)
		switch {
		case now == nil:
			delete(out, key)
		case nested:
			out[key] = merge(mapping(out[key]), inner)
		default:
			out[key] = now
		}
	}
	return out
}

// drop takes a nested field away.
func drop(state map[string]any, path []string) {
	if len(path) == 1 {
		delete(state, path[0])
		return
	}
	if inner, ok := state[path[0]].(map[string]any); ok {
		inner = maps.Clone(inner)
		drop(inner, path[1:])
		state[path[0]] = inner
	}
}

func mapping(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// verb is the word for an action in a sentence.
func verb(action string) string {
	switch action {
	case "CREATE", "UPDATE", "DELETE":
		return "the " + strings.ToLower(action) + " of"
	}
	return "the change of"
}

// place is where a change comes from.
func place(change map[string]any) value.Pos {
	source := mapping(change["source"])
	number := func(key string) int {
		n, _ := source[key].(int64)
		return int(n)
	}
	return value.Pos{File: text(source, "file"), Line: number("line"), Column: number("column")}
}

// hide leaves the values of variables out of a message.
func (d *document) hide(message string) string {
	for _, v := range d.variables {
		if v != "" {
			message = strings.ReplaceAll(message, v, "(hidden)")
		}
	}
	return message
}
