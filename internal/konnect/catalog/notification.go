package catalog

var notificationFamily = Family{
	Name: "notifications", Title: "Notifications: which events people hear of",
	Types: []*Type{NotificationConfiguration, NotificationSubscription},
}

// NotificationConfiguration is an event that Konnect can tell of.
var NotificationConfiguration = &Type{
	Kind: "notification_configuration", Key: "notification_configurations",
	Identity: []string{"event_id"},
	Path:     "/v1/notifications/configurations",
	ReadOnly: true,
	Example:  map[string]any{"event_id": "gateway-manager-certificate-expiring"},
}

// NotificationSubscription says for which regions and resources the owner of the token
// hears of an event, and how.
var NotificationSubscription = &Type{
	Terraform: Terraform{None: true},
	Kind:      "notification_subscription", Key: "subscriptions", ChildOf: NotificationConfiguration,
	Identity:   []string{"name"},
	Path:       "/v1/notifications/configurations/{eventId}/subscriptions",
	Unordered:  []string{"regions", "entities", "channels"},
	References: []Reference{{Field: "entities", OnDelete: Keeps, All: "*"}},
}
