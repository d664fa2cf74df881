package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// metering is what the contract cannot express about metering and billing.
func metering() model.Family {
	f := model.Family{Rules: []model.Rule{
		{Kind: "metering_llm_cost_override", Source: model.FromContract, Says: "the response has provider and model as objects", View: priceOf},
		{
			Kind: "metering_llm_cost_override", Source: model.FromContract, Says: "the provider can be filtered by",
			Filters: map[string]string{"provider": "provider.id"},
		},
		{Kind: "metering_plan", Source: model.Assumed, Says: "phases have different keys", Check: distinctPhases},
		{Kind: "metering_plan_addon", Source: model.Assumed, Says: "from_plan_phase is the key of a phase of the plan", Check: knownPhase},
		{Kind: "metering_feature", Source: model.Assumed, Says: "decimals are kept as numbers: 10.00 is 10", Fill: decimals},
	}}
	for _, x := range []struct{ kind, path, parameter string }{
		{"metering_addon", "/v3/openmeter/addons/{addonId}/", "addonId"},
		{"metering_plan", "/v3/openmeter/plans/{planId}/", "planId"},
	} {
		f.Rules = append(f.Rules,
			model.Rule{Kind: x.kind, Source: model.Assumed, Says: "decimals are kept as numbers: 10.00 is 10", Fill: decimals},
			model.Rule{Kind: x.kind, Source: model.Assumed, Says: "what has the key of a published one is its next version", Fill: numbered(x.kind)},
			model.Rule{Kind: x.kind, Source: model.Assumed, Says: "what is published cannot be changed", Check: whileDraft(x.kind)},
			model.Rule{Kind: x.kind, Source: model.Assumed, Says: "what customers can buy cannot be deleted", Guard: notActive},
		)
		f.Fixed = append(f.Fixed,
			model.Fixed{
				Operation: "POST " + x.path + "publish", Source: model.FromContract, Says: "a draft becomes active (that nothing else does is assumed)",
				Change: becomes(x.kind, x.parameter, "draft", "active"),
			},
			model.Fixed{
				Operation: "POST " + x.path + "archive", Source: model.FromContract, Says: "what is active becomes archived (that nothing else does is assumed)",
				Change: becomes(x.kind, x.parameter, "active", "archived"),
			},
		)
	}
	return f
}

func priceOf(_ model.Scene, r *store.Record, v map[string]any) {
	provider, _ := r.Fields["provider"].(string)
	id, _ := r.Fields["model_id"].(string)
	name, _ := r.Fields["model_name"].(string)
	v["provider"] = map[string]any{"id": provider, "name": headline(provider)}
	v["model"] = map[string]any{"id": id, "name": cmp.Or(name, id)}
	v["source"] = "manual"
}

func distinctPhases(_ model.Scene, r *store.Record) error {
	seen := map[string]bool{}
	for i, key := range phaseKeys(r) {
		if seen[key] {
			return model.Bad("body", fmt.Sprintf("phases.%d.key", i), "invalid", fmt.Sprintf("an earlier phase has the key %q", key))
		}
		seen[key] = true
	}
	return nil
}

func knownPhase(sc model.Scene, r *store.Record) error {
	plan := sc.Tx.Get("metering_plan", r.Parent)
	if phase, _ := r.Fields["from_plan_phase"].(string); plan != nil && !slices.Contains(phaseKeys(plan), phase) {
		return model.Bad("body", "from_plan_phase", "invalid", fmt.Sprintf("the plan has no phase with the key %q", phase))
	}
	return nil
}

func phaseKeys(r *store.Record) []string {
	phases, _ := r.Fields["phases"].([]any)
	out := make([]string, len(phases))
	for i, x := range phases {
		fields, _ := x.(map[string]any)
		out[i], _ = fields["key"].(string)
	}
	return out
}

// becomes is an action that takes a record from one status to the next.
func becomes(kind, parameter, before, status string) func(model.Scene, *model.Call) (map[string]any, error) {
	return func(sc model.Scene, c *model.Call) (map[string]any, error) {
		rec, err := sc.Find(kind, "", c.Params[parameter])
		if err != nil {
			return nil, err
		}
		now, _ := rec.Made["status"].(string)
		if now = cmp.Or(now, "draft"); now != before {
			return nil, model.Refuse(http.StatusConflict, "The %s is %s: only one that is %s can become %s", catalog.Words(kind), now, before, status)
		}
		next := *rec
		next.Made = model.CloneMap(rec.Made)
		if next.Made["status"] = status; status == "active" {
			next.Made["effective_from"] = sc.Stamp()
		} else {
			next.Made["effective_to"] = sc.Stamp()
		}
		if err := sc.Store(&next); err != nil {
			return nil, err
		}
		return sc.View(&next), nil
	}
}

func whileDraft(kind string) model.Step {
	return func(sc model.Scene, r *store.Record) error {
		if old := sc.Tx.Get(kind, r.ID); old != nil && old.Made["status"] != nil {
			return model.Bad("body", "status", "invalid", fmt.Sprintf("only a draft can be changed, and this %s is %s", catalog.Words(kind), old.Made["status"]))
		}
		return nil
	}
}

// numbered gives a new record the number behind those of its key.
func numbered(kind string) model.Step {
	return func(sc model.Scene, r *store.Record) error {
		if r.Made["version"] != nil {
			return nil
		}
		n := int64(0)
		sc.Tx.Range(kind, "", func(other *store.Record) bool {
			if number, _ := other.Made["version"].(json.Number); other.Fields["key"] == r.Fields["key"] {
				n = max(n, catalog.Whole(number))
			}
			return true
		})
		r.Made["version"] = json.Number(strconv.FormatInt(n+1, 10))
		return nil
	}
}

func notActive(_ model.Scene, r *store.Record) error {
	if r.Made["status"] == "active" {
		return model.Bad("path", "status", "invalid", fmt.Sprintf("an active %s cannot be deleted: archive it first", catalog.Words(r.Kind)))
	}
	return nil
}

// decimals brings numbers that are texts to their shortest form.
func decimals(_ model.Scene, r *store.Record) error {
	r.Fields, _ = shortest("", r.Fields).(map[string]any)
	return nil
}

func shortest(key string, v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, y := range x {
			if out[k] = y; k != "config" { // what people gave, and nobody reads
				out[k] = shortest(k, y)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = shortest(key, y)
		}
		return out
	case string:
		amounts := []string{"amount", "up_to_amount", "minimum_amount", "maximum_amount", "conversion_factor", "usage"}
		if whole, part, has := strings.Cut(x, "."); has && slices.Contains(amounts, key) {
			return strings.TrimSuffix(whole+"."+strings.TrimRight(part, "0"), ".")
		}
		return x
	default:
		return v
	}
}
