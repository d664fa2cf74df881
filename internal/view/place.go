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
		out = append(out, organizationWords(*p.Organization))
	}
	if p.Cluster != nil {
		out = append(out, clusterWords(*p.Cluster))
	}
	return out
}

// organizationWords say whose Konnect it is and where.
func organizationWords(o plan.Organization) string {
	if o.Embedded != "" {
		return "embedded Konnect (" + printable(o.Embedded) + ")"
	}
	var words []string
	switch {
	case o.Name != "" && o.ID != "":
		words = append(words, `organization "`+printable(o.Name)+`" (`+printable(o.ID)+")")
	case o.ID != "":
		words = append(words, "organization "+printable(o.ID))
	default:
		words = append(words, "an organization that the token may not read")
	}
	switch {
	case o.Region != "":
		words = append(words, "region "+printable(o.Region))
	case o.BaseURL != "":
		words = append(words, printable(o.BaseURL))
	}
	if o.Profile != "" {
		words = append(words, "profile "+printable(o.Profile))
	}
	return strings.Join(words, ", ")
}

// clusterWords say which cluster it is.
func clusterWords(c plan.Cluster) string {
	if c.Context == "" {
		return "Kubernetes cluster " + printable(c.Server)
	}
	return "Kubernetes context " + printable(c.Context) + " (" + printable(c.Server) + ")"
}
