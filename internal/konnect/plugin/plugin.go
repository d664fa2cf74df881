// Package plugin holds the facts about the plugins of gateways: the fields of
// their configuration, with types, allowed values, limits, defaults and secrets.
//
// In: the name of a plugin, or a schema in the form that gateways give it. Out:
// fields that complete, check and describe a configuration. It must never import
// a client, the emulator or what decides about changes: both sides of the wire
// use it, as they use the contract.
package plugin

//go:generate sh -c "test -n \"$PLUGIN_FACTS\" && go run ./gen -in \"$PLUGIN_FACTS\" -out table.json.gz"

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the table
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// Plugin is what is known of one plugin.
type Plugin struct {
	Name   string
	Config *Field
	// Protocols are those that it can work with, DefaultProtocols those that it
	// gets where none are given.
	Protocols, DefaultProtocols []string
	// Scopes are what it may be attached to besides globally.
	Scopes []string
	// Partials are the places of its configuration that a partial can give, by
	// the type of the partial.
	Partials map[string][]string
}

// Entry is a plugin in the table. Config maps names of fields to their notation
// (see Parse) or to the fields of a record.
type Entry struct {
	Config           map[string]any `json:"config,omitempty" yaml:"config"`
	Protocols        []string       `json:"protocols" yaml:"protocols"`
	DefaultProtocols []string       `json:"protocols_default" yaml:"protocols_default"`
	Scopes           []string       `json:"scopes" yaml:"scopes"`
}

//go:embed table.json.gz
var packed []byte

// table is the embedded table. Each plugin is read when it is first asked for.
var table = sync.OnceValue(func() map[string]func() *Plugin {
	raw, err := unpack(packed)
	if err != nil {
		panic("plugin: " + err.Error())
	}
	more, err := readSupplement(supplementText)
	if err != nil {
		panic("plugin: " + err.Error())
	}
	out := make(map[string]func() *Plugin, len(raw))
	for name, text := range raw {
		out[name] = sync.OnceValue(func() *Plugin {
			p, err := read(name, text, more)
			if err != nil {
				panic("plugin: " + name + ": " + err.Error())
			}
			return p
		})
	}
	return out
})

func unpack(packed []byte) (map[string]json.RawMessage, error) {
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(zr)
	if err != nil {
		return nil, err
	}
	var out map[string]json.RawMessage
	return out, json.Unmarshal(text, &out)
}

func read(name string, text []byte, more *supplement) (*Plugin, error) {
	var e Entry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, err
	}
	config, err := Record(e.Config)
	if err != nil {
		return nil, err
	}
	p := &Plugin{Name: name, Config: config, Protocols: e.Protocols, DefaultProtocols: e.DefaultProtocols, Scopes: e.Scopes}
	config.Name, config.Required = "config", true
	if err := more.add(p); err != nil {
		return nil, err
	}
	p.Partials = partials(config, "config", map[string][]string{})
	return p, nil
}

// Names are the plugins that are known, sorted.
func Names() []string { return slices.Sorted(maps.Keys(table())) }

// Lookup returns what is known of a plugin, nil for one that is not known.
func Lookup(name string) *Plugin {
	if p := table()[name]; p != nil {
		return p()
	}
	return nil
}

// partials finds the records that say how to reach a Redis: a partial can give
// them. One that knows clusters is of another type than one that does not.
func partials(f *Field, path string, into map[string][]string) map[string][]string {
	for _, below := range f.Fields {
		if below.Kind != KindRecord {
			continue
		}
		at := fmt.Sprintf("%s.%s", path, below.Name)
		switch {
		case below.field("host") == nil || below.field("database") == nil:
			partials(below, at, into)
		case below.field("cluster_nodes") != nil:
			into["redis-ee"] = append(into["redis-ee"], at)
		default:
			into["redis-ce"] = append(into["redis-ce"], at)
		}
	}
	return into
}
