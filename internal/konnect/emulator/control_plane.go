package emulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/value"
)

// controlPlane is what the contract cannot express about control planes.
func controlPlane() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "control_plane", Source: model.FromContract, Says: "the response gathers the configuration in config", View: controlPlaneConfig},
			{
				Kind: "control_plane", Source: model.FromContract, Says: "what the configuration has can be filtered by",
				Filters: map[string]string{"cluster_type": "config.cluster_type", "cloud_gateway": "config.cloud_gateway"},
			},
			{Kind: "control_plane", Source: model.FromFacts, Says: "members go before a group is deleted", Guard: withoutMembers},
			{Kind: membership, Source: model.Assumed, Says: "only a group has members, each once, and never itself or another group", Check: groupMembers},
		},
		Fixed: []model.Fixed{
			{Operation: memberships + "/add", Source: model.FromContract, Says: "members join those that a group has", Change: changeMembers(joined)},
			{Operation: memberships + "/remove", Source: model.FromContract, Says: "members leave a group", Change: changeMembers(without)},
			{Operation: "GET /konnect-api/api/runtime_groups", Source: model.FromFacts, Says: "decK finds control planes by their name in an older list", Beside: true, One: runtimeGroups},
		},
	}
}

const membership = "control_plane_membership"

func withoutMembers(sc model.Scene, r *store.Record) error {
	if set := sc.Named(membership, r.ID, ""); set != nil && len(model.Texts(model.At(set.Fields, "members.id"))) > 0 {
		return model.Refuse(http.StatusConflict, "control plane group %s has members", r.ID)
	}
	return nil
}

const memberships = "POST /v2/control-planes/{controlPlaneId}/group-memberships"

// changeMembers is an action that makes the members of a group of those that it has
// and those that a request names.
func changeMembers(of func(have, named []any) []any) func(model.Scene, *model.Call) (map[string]any, error) {
	return func(sc model.Scene, c *model.Call) (map[string]any, error) {
		group, err := sc.Find("control_plane", "", c.Params["controlPlaneId"])
		if err != nil {
			return nil, err
		}
		next := sc.NewRecord(membership, group.ID, sc.Now(), map[string]any{})
		if old := sc.Named(membership, group.ID, ""); old != nil {
			next.Created, next.Fields = old.Created, model.CloneMap(old.Fields)
		}
		have, _ := next.Fields["members"].([]any)
		named, _ := c.Body["members"].([]any)
		next.Fields["members"] = of(have, named)
		return nil, sc.Put(next)
	}
}

func joined(have, named []any) []any { return append(without(have, named), named...) }

func without(have, named []any) []any {
	out := []any{}
	for _, x := range have {
		if !slices.ContainsFunc(named, func(y any) bool { return value.Equal(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// groupMembers refuses members of what is no group, a member that is named twice,
// the group itself and other groups. Nothing to remove is fine anywhere.
func groupMembers(sc model.Scene, r *store.Record) error {
	members, _ := r.Fields["members"].([]any)
	group := sc.Tx.Get("control_plane", r.Parent)
	if group != nil && len(members) > 0 && !sc.Kind(r.Kind).HasBelow(group.Fields) {
		return model.Bad("body", "members", "invalid", "the control plane is not a control plane group")
	}
	seen := map[string]bool{}
	for _, id := range model.Texts(model.At(r.Fields, "members.id")) {
		switch {
		case id == r.Parent:
			return model.Bad("body", "members", "invalid", "a control plane group cannot be a member of itself")
		case seen[id]:
			return model.Bad("body", "members", "invalid", "control plane "+id+" is named twice")
		}
		if member := sc.Tx.Get("control_plane", id); member != nil && sc.Kind(r.Kind).HasBelow(member.Fields) {
			return model.Bad("body", "members", "invalid", "control plane "+id+" is a control plane group: a group cannot be a member")
		}
		seen[id] = true
	}
	return nil
}

func controlPlaneConfig(sc model.Scene, r *store.Record, v map[string]any) {
	host := model.Hex(10, r.ID) + "." + sc.Region
	v["config"] = map[string]any{
		"cluster_type": r.Fields["cluster_type"], "auth_type": r.Fields["auth_type"],
		"cloud_gateway": r.Fields["cloud_gateway"], "proxy_urls": r.Fields["proxy_urls"],
		"control_plane_endpoint": "https://" + host + ".cp0.konghq.com",
		"telemetry_endpoint":     "https://" + host + ".tp0.konghq.com",
	}
}

const runtimeGroupsSize = 100

// runtimeGroups pages by number, with a count of the pages.
func runtimeGroups(sc model.Scene, c *model.Call) (map[string]any, error) {
	page, size := 1, runtimeGroupsSize
	for name, to := range map[string]*int{"page": &page, "size": &size} {
		if text := c.Raw.Get(name); text != "" {
			if err := model.Positive(name, text, 1<<31-1, to); err != nil {
				return nil, err
			}
		}
	}
	size = min(size, runtimeGroupsSize)
	list := []any{}
	sc.Tx.Range("control_plane", "", func(r *store.Record) bool {
		list = append(list, map[string]any{"id": r.ID, "name": r.Fields["name"]})
		return true
	})
	pages := max(1, (len(list)+size-1)/size)
	from := min(len(list), (page-1)*size)
	return map[string]any{
		"data": list[from:min(len(list), from+size)], "page": json.Number(strconv.Itoa(page)), "pageCount": json.Number(strconv.Itoa(pages)),
	}, nil
}
