package entity

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// mcpServers is about MCP servers of control planes, of which the contract has reads
// alone.
func mcpServers() []model.Rule {
	return []model.Rule{
		{Kind: "gateway_plugin", Source: model.Assumed, Says: "an instance of the plugin for MCP that listens is an MCP server with its name", Fill: addMCPServer},
		{Kind: "gateway_plugin", Source: model.Assumed, Says: "an MCP server goes with its plugin", Part: dropMCPServer},
	}
}

const mcpServerKind = "control_plane_mcp_server"

// addMCPServer gives a control plane the MCP servers of its plugins, of which one is
// written.
func addMCPServer(sc model.Scene, r *store.Record) error {
	if was := sc.Tx.Get(r.Kind, r.ID); mcpServerOf(r) != "" || was != nil && mcpServerOf(was) != "" {
		settleMCPServers(sc, r.Parent, r)
	}
	return nil
}

func dropMCPServer(sc model.Scene, r *store.Record) error {
	if mcpServerOf(r) != "" && sc.Tx.Get("control_plane", r.Parent) != nil {
		settleMCPServers(sc, r.Parent, nil)
	}
	return nil
}

func settleMCPServers(sc model.Scene, controlPlane string, written *store.Record) {
	want := map[string]bool{}
	add := func(p *store.Record) {
		if name := mcpServerOf(p); name != "" {
			want[name] = true
		}
	}
	if written != nil {
		add(written)
	}
	sc.Tx.Range("gateway_plugin", controlPlane, func(p *store.Record) bool {
		if written == nil || p.ID != written.ID {
			add(p)
		}
		return true
	})
	var gone []string
	sc.Tx.Range(mcpServerKind, controlPlane, func(s *store.Record) bool {
		if name, _ := s.Fields["name"].(string); want[name] {
			delete(want, name)
		} else {
			gone = append(gone, s.ID)
		}
		return true
	})
	for _, id := range gone {
		sc.Tx.Delete(mcpServerKind, id)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		sc.Keep(sc.NewRecord(mcpServerKind, controlPlane, sc.Now(), map[string]any{"name": name, "version": "1", "control_plane_id": controlPlane}))
	}
}

// mcpServerOf is the name of the MCP server that a plugin is; "" for other plugins.
func mcpServerOf(p *store.Record) string {
	if p.Fields["name"] != "ai-mcp-proxy" || model.At(p.Fields, "config.mode") == "conversion-only" {
		return ""
	}
	name, _ := p.Fields["instance_name"].(string)
	return name
}
