package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// file is the layout of the generated file.
type file struct {
	Operations []operation    `json:"ops"`
	Schemas    map[string]any `json:"schemas"`
}

type operation struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Entity string `json:"entity,omitempty"`
	Global bool   `json:"global,omitempty"`
	// Unpublished operations are not in the document.
	Unpublished bool `json:"unpublished,omitempty"`
	// Item operations are items of what a PATCH of the collection takes.
	Item      bool           `json:"item,omitempty"`
	Params    []param        `json:"params,omitempty"`
	Body      any            `json:"body,omitempty"`
	BodyMust  bool           `json:"body_required,omitempty"`
	MediaType string         `json:"media_type,omitempty"`
	Responses map[string]any `json:"responses"`
}

type param struct {
	Name     string `json:"name"`
	In       string `json:"in"`
	Required bool   `json:"required,omitempty"`
	Schema   any    `json:"schema,omitempty"`
}

type document map[string]any

func parse(raw []byte) (document, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(raw, &node); err != nil {
		return nil, err
	}
	keepTimestamps(&node)
	var doc map[string]any
	if err := node.Decode(&doc); err != nil {
		return nil, err
	}
	return doc, nil
}

// keepTimestamps lets dates stay the text they are in JSON.
func keepTimestamps(n *yaml.Node) {
	if n.Tag == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		keepTimestamps(c)
	}
}

func (d document) component(kind string) map[string]any {
	return d["components"].(map[string]any)[kind].(map[string]any)
}

// follow resolves a reference to a parameter, body or response.
func (d document) follow(x any) map[string]any {
	m, _ := x.(map[string]any)
	for m != nil {
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		parts := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		var at any = map[string]any(d)
		for _, p := range parts {
			at = at.(map[string]any)[p]
		}
		m, _ = at.(map[string]any)
	}
	return nil
}

var methods = []string{"get", "post", "put", "patch", "delete"}

func (d document) operations() ([]operation, error) {
	paths := d["paths"].(map[string]any)
	var out []operation
	for path, item := range paths {
		item := item.(map[string]any)
		for _, method := range methods {
			op, ok := item[method].(map[string]any)
			if !ok {
				continue
			}
			o, err := d.operation(method, path, item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			out = append(out, o)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Path != out[j].Path {
			return out[i].Path < out[j].Path
		}
		return out[i].Method < out[j].Method
	})
	return out, nil
}

func (d document) operation(method, path string, item, op map[string]any) (operation, error) {
	id, _ := op["operationId"].(string)
	o := operation{ID: id, Method: strings.ToUpper(method), Path: path, Responses: map[string]any{}, Entity: entity(op), Global: global(op)}
	shared, _ := item["parameters"].([]any)
	own, _ := op["parameters"].([]any)
	for _, x := range append(append([]any{}, shared...), own...) {
		p := d.follow(x)
		name, _ := p["name"].(string)
		in, _ := p["in"].(string)
		required, _ := p["required"].(bool)
		o.Params = append(o.Params, param{Name: name, In: in, Required: required, Schema: d.schema(p["schema"])})
	}
	if body := d.follow(op["requestBody"]); body != nil {
		o.BodyMust, _ = body["required"].(bool)
		o.MediaType, o.Body = d.content(body)
	}
	responses, _ := op["responses"].(map[string]any)
	for status, r := range responses {
		if _, err := strconv.Atoi(status); err != nil {
			continue // "default" says nothing that can be checked
		}
		_, s := d.content(d.follow(r))
		if status >= "300" {
			s = nil
		}
		o.Responses[status] = s
	}
	return o, nil
}

// global tells that the operation lives on the one host that all regions share.
func global(op map[string]any) bool {
	servers, _ := op["servers"].([]any)
	for _, s := range servers {
		server, _ := s.(map[string]any)
		if url, _ := server["url"].(string); strings.Contains(url, "//global.") {
			return true
		}
	}
	return false
}

// entity is the name by which the document groups the operations of one type.
func entity(op map[string]any) string {
	switch x := op["x-speakeasy-entity-operation"].(type) {
	case string:
		return x
	case map[string]any:
		s, _ := x["terraform-resource"].(string)
		return s
	default:
		return ""
	}
}

// content picks the JSON form where there is one.
func (d document) content(holder map[string]any) (string, any) {
	content, _ := holder["content"].(map[string]any)
	var types []string
	for t := range content {
		types = append(types, t)
	}
	sort.Slice(types, func(i, j int) bool {
		a, b := types[i] == "application/json", types[j] == "application/json"
		if a != b {
			return a
		}
		return types[i] < types[j]
	})
	if len(types) == 0 {
		return "", nil
	}
	return types[0], d.schema(content[types[0]].(map[string]any)["schema"])
}
