package view

import (
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// Place is where a plan is carried out.
type Place struct {
	Organization *plan.Organization `json:"organization,omitempty"`
	Cluster      *plan.Cluster      `json:"cluster,omitempty"`
}

// PlaceOf is the place that a plan was made for.
func PlaceOf(m plan.Metadata) Place {
	p := Place{Cluster: m.Cluster}
	if m.Organization != (plan.Organization{}) {
		p.Organization = &m.Organization
	}
	return p
}

// Words name the place in a sentence; "" where nothing is known of it.
func (p Place) Words() string { return strings.Join(p.parts(), " and ") }

// lines name the place above a plan and below a report.
func (p Place) lines() []string {
	var out []string
	for _, part := range p.parts() {
		out = append(out, "Target: "+part)
	}
	return out
}

func (p Place) parts() []string {
	var out []string
	if p.Organization != nil {
		out = append(out, printable(p.Organization.Words()))
	}
	if p.Cluster != nil {
		out = append(out, clusterWords(*p.Cluster))
	}
	return out
}

// clusterWords say which cluster it is.
func clusterWords(c plan.Cluster) string {
	if c.Context == "" {
		return "Kubernetes cluster " + printable(c.Server)
	}
	return "Kubernetes context " + printable(c.Context) + " (" + printable(c.Server) + ")"
}
