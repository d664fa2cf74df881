package plan

import (
	"fmt"
	"strings"
)

// Describe notes where a target may carry the plan out.
func (m *Metadata) Describe(target string, place any) {
	if m.Targets == nil {
		m.Targets = map[string]any{}
	}
	m.Targets[target] = place
}

// Where names what a plan is about: Konnect, a cluster, or both. It may begin a
// sentence, and its verb is singular.
func (m Metadata) Where() string {
	switch {
	case m.Cluster == nil:
		return "Konnect"
	case m.Organization == (Organization{}):
		return "The cluster"
	default:
		return "Konnect or the cluster"
	}
}

// Same tells whether a plan that belongs to o may be carried out here, and if
// not, why. An address that is "" on one side fits any. What a plan says of its
// organization must be confirmed; a plan of a token that could not read its
// organization runs only at its address, with such a token.
func (o Organization) Same(here Organization) error {
	switch {
	case o.ID == "" && (here.ID != "" || o.BaseURL == ""):
		return fmt.Errorf("the plan does not say which organization it was created for (metadata.organization.id): create a new one")
	case o.ID != "" && here.ID == "":
		return fmt.Errorf("the plan was created for organization %s, but the token does not allow reading which organization this is", o.ID)
	case o.ID != "" && o.ID != here.ID:
		return fmt.Errorf("the plan was created for organization %s, but this is organization %s%s", o.ID, here.ID, here.embedded())
	case o.Region != "" && here.Region != "" && o.Region != here.Region:
		return fmt.Errorf("the plan was created for region %s, but this is region %s", o.Region, here.Region)
	}
	made, now := strings.TrimRight(o.BaseURL, "/"), strings.TrimRight(here.BaseURL, "/")
	if made != "" && now != "" && made != now {
		return fmt.Errorf("the plan was created for %s, but this is %s", made, now)
	}
	return nil
}

// embedded says which data folder an organization is in; "" for one of Konnect.
func (o Organization) embedded() string {
	if o.Embedded == "" {
		return ""
	}
	return ", embedded Konnect (" + o.Embedded + ")"
}

// Is reports whether two organizations are the same one at the same address,
// whatever they are called.
func (o Organization) Is(other Organization) bool {
	return o.ID == other.ID && o.Region == other.Region && o.BaseURL == other.BaseURL
}

// Is reports whether two clusters are the same one at the same address, whatever
// context leads there.
func (c Cluster) Is(other Cluster) bool { return c.Server == other.Server && c.UID == other.UID }

// Words say whose Konnect it is and where.
func (o Organization) Words() string {
	if o.Embedded != "" {
		return "embedded Konnect (" + o.Embedded + ")"
	}
	var words []string
	switch {
	case o.Name != "" && o.ID != "":
		words = append(words, `organization "`+o.Name+`" (`+o.ID+")")
	case o.ID != "":
		words = append(words, "organization "+o.ID)
	default:
		words = append(words, "an organization that the token may not read")
	}
	switch {
	case o.Region != "":
		words = append(words, "region "+o.Region)
	case o.BaseURL != "":
		words = append(words, o.BaseURL)
	}
	if o.Profile != "" {
		words = append(words, "profile "+o.Profile)
	}
	return strings.Join(words, ", ")
}

// String names an organization.
func (o Organization) String() string {
	return fmt.Sprintf("organization %s at %s", orText(o.ID, "(unknown)"), orText(o.BaseURL, "(unknown)"))
}
