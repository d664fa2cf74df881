package catalog

var analyticsFamily = Family{
	Name: "analytics", Title: "Analytics: dashboards",
	Words: []string{"analytics"},
	Types: []*Type{Dashboard},
}

// Dashboard is a page of charts.
var Dashboard = &Type{
	Terraform: Terraform{Beta: true},
	Kind:      "dashboard", Key: "dashboards",
	Aliases:  []string{"analytics.dashboards", "analytics_dashboards"},
	Identity: []string{"name"}, PerNamespace: true,
	Path: "/v2/dashboards",
}
