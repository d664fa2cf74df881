package emulator

import (
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// notification is what the contract cannot express about notifications.
func notification() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "notification_configuration", Source: model.Assumed, Says: "these events can be heard of", Seeds: notificationEvents()},
			{Kind: "notification_configuration", Source: model.FromContract, Says: "the subscriptions of an event are counted", View: subscriptionCount},
			{Kind: "notification_subscription", Source: model.FromContract, Says: "the event says what the entities are", View: eventEntities},
		},
	}
}

// notificationEvents are some of each area.
func notificationEvents() []map[string]any {
	var out []map[string]any
	for _, x := range []struct{ id, title, namespace, entities string }{
		{"plan-and-usage-invoice-ready", "Invoice ready", "plan-and-usage", "billing-invoice"},
		{"organization-access-token-expiring", "Access token expires", "organization", "access-token"},
		{"dev-portal-application-requested", "Application requested", "dev-portal", "dev-portal"},
		{"cloud-gateways-data-plane-group-ready", "Data plane group ready", "cloud-gateways", "dataplane-group"},
		{"gateway-manager-certificate-expiring", "Data plane certificate expires", "gateway-manager", "dataplane"},
	} {
		out = append(out, map[string]any{
			"event_id": x.id, "event_title": x.title, "event_description": x.title, "event_namespace": x.namespace, "entity_type": x.entities,
			"default_subscription": []any{
				map[string]any{"channel": "EMAIL", "enabled": true},
				map[string]any{"channel": "IN_APP", "enabled": true},
			},
		})
	}
	return out
}

func subscriptionCount(sc model.Scene, r *store.Record, v map[string]any) {
	n := 0
	sc.Tx.Range("notification_subscription", r.ID, func(*store.Record) bool { n++; return true })
	v["event_subscription_count"] = n
}

func eventEntities(sc model.Scene, r *store.Record, v map[string]any) {
	if event := sc.Tx.Get("notification_configuration", r.Parent); event != nil && event.Fields["entity_type"] != nil {
		v["entity_type"] = event.Fields["entity_type"]
	}
}
