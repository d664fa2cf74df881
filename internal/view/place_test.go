package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func TestPlace(t *testing.T) {
	acme := plan.Organization{ID: "11-22", Name: "Acme", Region: "eu", BaseURL: "https://eu.api.konghq.com", Profile: "prod"}
	for _, tc := range []struct {
		name     string
		metadata plan.Metadata
		want     string
	}{
		{"an organization", plan.Metadata{Organization: acme}, `organization "Acme" (11-22), region eu, profile prod`},
		{"an older plan", plan.Metadata{Organization: plan.Organization{ID: "11-22", BaseURL: "http://127.0.0.1:1"}}, "organization 11-22, http://127.0.0.1:1"},
		{"a token that may not read it", plan.Metadata{Organization: plan.Organization{BaseURL: "https://k.example"}}, "an organization that the token may not read, https://k.example"},
		{"the embedded Konnect", plan.Metadata{Organization: plan.Organization{ID: "1", Name: "local", BaseURL: "http://localhost", Embedded: "/data"}}, "embedded Konnect (/data)"},
		{"a cluster", plan.Metadata{Cluster: &plan.Cluster{Server: "https://c:6443", Context: "dev"}}, "Kubernetes context dev (https://c:6443)"},
		{"a pod", plan.Metadata{Cluster: &plan.Cluster{Server: "https://c:6443"}}, "Kubernetes cluster https://c:6443"},
		{"both", plan.Metadata{Organization: acme, Cluster: &plan.Cluster{Server: "https://c", Context: "dev"}}, `organization "Acme" (11-22), region eu, profile prod and Kubernetes context dev (https://c)`},
		{"hostile names", plan.Metadata{Organization: plan.Organization{ID: "1", Name: "A\x1b[31m\nB"}}, `organization "A\x1b[31m\nB" (1)`},
		{"nothing", plan.Metadata{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := view.PlaceOf(tc.metadata).Words(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			p := &plan.Plan{Metadata: tc.metadata}
			var texts strings.Builder
			for _, err := range []error{
				view.WritePlan(&texts, p, view.PlanOptions{}),
				view.WriteSummary(&texts, view.NewReport(p, &execute.Report{}), view.Style{}),
				view.WriteSummary(&texts, view.NotRun(p, true, time.Unix(0, 0)), view.Style{}),
				view.WriteDrift(&texts, &plan.Drift{}, view.DriftOptions{Metadata: tc.metadata}),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			lines := len(strings.Split(tc.want, " and Kube"))
			if tc.want == "" {
				lines = 0
			}
			if got := strings.Count("\n"+texts.String(), "\nTarget: "); got != 4*lines {
				t.Errorf("%d lines say where, want %d:\n%s", got, 4*lines, texts.String())
			}
		})
	}
}
