package export_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/testkit"
)

// The id of an exported control plane in a dashboard is a reference, and what is
// exported can be brought about elsewhere.
func TestIDsInDashboardsAreReferences(t *testing.T) {
	w := testkit.New(t)
	w.Sync(`
control_planes: [{ref: cp, name: edge}]
dashboards:
- ref: traffic
  name: traffic
  definition:
    tiles:
    - type: chart
      layout: {position: {col: 0, row: 0}, size: {cols: 2, rows: 2}}
      definition:
        chart: {type: donut}
        query: {datasource: api_usage, metrics: [request_count], dimensions: [api], filters: [{field: control_plane, operator: in, value: [!ref cp]}]}
`)
	text, warnings := whole(t, w, export.WriteOptions{})
	if len(warnings) > 0 || !strings.Contains(text, "!ref edge") {
		t.Errorf("%v\n%s", warnings, text)
	}
	w.Settled(testkit.Ask{}, text)
	other := testkit.New(t)
	other.Sync(text)
	other.Settled(testkit.Ask{}, text)
	byID, _ := whole(t, w, export.WriteOptions{ByID: true})
	if strings.Contains(byID, "!ref") {
		t.Errorf("a dump has ids:\n%s", byID)
	}
}
