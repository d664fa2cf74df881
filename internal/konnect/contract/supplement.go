package contract

import (
	"maps"
	"slices"
	"strings"
)

// Fact is a default that Konnect has and the document leaves out: the value
// that a field gets which a request does not send. Sync takes undeclared fields
// back to it, and the embedded Konnect gives it to new resources.
type Fact struct {
	// Operation is the one whose body has the field: what creates a resource, or
	// changes one that is always there.
	Operation string
	// Field is its path. The fields inside a mapping get theirs from a default
	// of the mapping.
	Field   string
	Default any
	// Source is where it is known from.
	Source Source
}

// Source is where a fact is known from.
type Source string

// The sources.
const (
	// Prose: the document says so in words.
	Prose Source = "the document says so in words"
	// Observed: other clients that work with Konnect rely on it.
	Observed Source = "other clients rely on it"
	// Assumed: nobody has seen otherwise. A field without a text is empty, a list
	// that nobody filled has no items.
	Assumed Source = "assumed"
)

// Supplement lists the defaults that the document leaves out.
func Supplement() []Fact {
	const (
		portal   = "POST /v3/portals"
		page     = "POST /v3/portals/{portalId}/pages"
		snippet  = "POST /v3/portals/{portalId}/snippets"
		team     = "POST /v3/portals/{portalId}/teams"
		look     = "PATCH /v3/portals/{portalId}/customization"
		settings = "PATCH /v3/portals/{portalId}/authentication-settings"
		gateway  = "POST /v2/control-planes"

		organization = "PATCH /v3/authentication-settings"
	)
	return []Fact{
		{portal, "default_api_visibility", "private", Assumed},
		{portal, "default_page_visibility", "private", Assumed},
		{page, "status", "unpublished", Prose},
		{page, "description", "", Assumed},
		{snippet, "status", "unpublished", Prose},
		{snippet, "description", "", Assumed},
		{team, "description", "", Assumed},
		{look, "theme", map[string]any{"mode": "system", "colors": map[string]any{"primary": "#8250FF"}}, Assumed},
		{look, "layout", "topnav", Assumed},
		{look, "menu", map[string]any{"main": []any{}, "footer_sections": []any{}, "footer_bottom": []any{}}, Assumed},
		{look, "spec_renderer", map[string]any{}, Assumed},
		{settings, "basic_auth_enabled", true, Assumed},
		{settings, "konnect_mapping_enabled", true, Assumed},
		{settings, "oidc_auth_enabled", false, Assumed},
		{settings, "oidc_team_mapping_enabled", false, Assumed},
		{settings, "idp_mapping_enabled", false, Assumed},
		{settings, "saml_auth_enabled", false, Assumed},
		{gateway, "cluster_type", "CLUSTER_TYPE_CONTROL_PLANE", Observed},
		{gateway, "auth_type", "pinned_client_certs", Observed},
		{gateway, "cloud_gateway", false, Observed},
		{gateway, "proxy_urls", []any{}, Observed},
		{gateway, "description", "", Observed},
		{"POST /v3/teams", "description", "", Assumed},
		{organization, "basic_auth_enabled", true, Assumed},
		{organization, "oidc_auth_enabled", false, Assumed},
		{organization, "saml_auth_enabled", false, Assumed},
		{organization, "idp_mapping_enabled", false, Assumed},
		{organization, "konnect_mapping_enabled", true, Assumed},
		{"PATCH /v3/organizations/impersonation", "enabled", false, Assumed},
		{"POST /v3/portals/{portalId}/identity-providers", "enabled", false, Prose},
		// "Leave this empty if your API is unversioned."
		{"POST /v3/apis", "version", nil, Prose},
		// False leaves the decision to the portal.
		{"PUT /v3/apis/{apiId}/publications/{portalId}", "auto_approve_registrations", false, Prose},
		{"PUT /v3/api-packages/{apiPackageId}/publications/{portalId}", "auto_approve_registrations", false, Prose},
	}
}

// Driven lists, by operation, fields of a body that only say in which state
// Konnect starts: it moves on from there by itself, so that they are no
// configuration. They are read-only here, and left out of requests.
func Driven() map[string][]string {
	return map[string][]string{
		// A network starts as initializing or offline, and becomes ready.
		"POST /v2/cloud-gateways/networks": {"state"},
	}
}

// Needed lists, by operation, fields of a body that the document lets requests leave
// out and that every answer has.
func Needed() map[string][]string {
	role := []string{"role_name", "entity_type_name", "entity_id", "entity_region"}
	return map[string][]string{
		// A role is what these four say; two that lack one of them look alike.
		"POST /v3/teams/{teamId}/assigned-roles":              role,
		"POST /v3/users/{userId}/assigned-roles":              role,
		"POST /v3/system-accounts/{accountId}/assigned-roles": role,
		// People sign in there; the type alone does not tell two of them apart.
		"POST /v3/identity-providers": {"login_path"},
		// A private DNS without an attachment has no form that an answer could have.
		"POST /v2/cloud-gateways/networks/{networkId}/private-dns": {"private_dns_attachment_config"},
	}
}

// Closed lists operations whose body is a union in which no variant takes a field that
// only others have. The document leaves their variants open.
func Closed() []string {
	return []string{"POST /v2/cloud-gateways/networks/{networkId}/transit-gateways"}
}

// Narrowed lists, by operation, fields of a body that can have several forms, with the
// place of the one that is used here.
func Narrowed() map[string]map[string]int {
	return map[string]map[string]int{
		// The other form is the id that Konnect gives a resource once it has found it.
		"POST /v1/resource-mappings": {"resource": 1},
	}
}

// Listed has, by operation, fields of a body with all the values that they take,
// which another operation lists.
func Listed() map[string]map[string][]any {
	return map[string]map[string][]any{
		// GET /v3/portal-roles.
		"POST /v3/portals/{portalId}/teams/{teamId}/assigned-roles": {"role_name": {"API Consumer", "API Viewer"}},
	}
}

// Longest has, by operation, texts of a body with the most characters that they take:
// the document limits them in answers alone.
func Longest() map[string]map[string]int {
	team := map[string]int{"name": 250}
	certificate := map[string]int{"name": 255}
	return map[string]map[string]int{
		"POST /v3/teams":                                                             team,
		"PATCH /v3/teams/{teamId}":                                                   team,
		"POST /v3/portals/{portalId}/teams":                                          team,
		"PATCH /v3/portals/{portalId}/teams/{teamId}":                                team,
		"POST /v1/event-gateways/{gatewayId}/data-plane-certificates":                certificate,
		"PUT /v1/event-gateways/{gatewayId}/data-plane-certificates/{certificateId}": certificate,
		"PUT /v1/ai-gateways/{gatewayId}/config-stores/{configStoreIdOrName}":        {"display_name": 256},
	}
}

// Whole lists, by operation, mappings of a PATCH's body that take the place of what is
// there; others are merged into it. The document says of neither which it is.
func Whole() map[string][]string {
	return map[string][]string{
		// null clears the cost, and a cost replaces it: its parts exclude each other, so
		// that a merge could never go from one to the other. None of them takes null.
		"PATCH /v3/openmeter/features/{featureId}": {"unit_cost"},
	}
}

// Cleared lists, by operation, fields that other clients take away with null, which the
// document does not say, and that nothing else takes away.
func Cleared() map[string][]string {
	return map[string][]string{
		"PATCH /v2/application-auth-strategies/{authStrategyId}": {"configs.key-auth.key_names"},
		"PATCH /v3/portals/{portalId}/authentication-settings":   {"oidc_issuer", "oidc_client_id"},
	}
}

// supplemented is the body of an operation with the defaults that the document
// leaves out. It needs the contract's lock.
func (o *Operation) supplemented(body *Schema) *Schema {
	for _, f := range o.c.facts[o.Key()] {
		if with := body.withDefault(strings.Split(f.Field, "."), f.Default); with != nil {
			body = with
		}
	}
	for _, field := range Cleared()[o.Key()] {
		if with := changed(body, strings.Split(field, "."), func(f *Schema) { f.Nullable = true }); with != nil {
			body = with
		}
	}
	for _, name := range Driven()[o.Key()] {
		body = body.having(name, func(field *Schema) { field.ReadOnly = true })
	}
	for _, name := range Whole()[o.Key()] {
		body = body.having(name, func(field *Schema) { field.Whole = true })
	}
	if needed := Needed()[o.Key()]; needed != nil {
		with := *body.deref()
		with.Required = append(slices.Clone(with.Required), needed...)
		body = &with
	}
	for name, values := range Listed()[o.Key()] {
		body = body.having(name, func(field *Schema) { field.Enum = values })
	}
	for name, most := range Longest()[o.Key()] {
		body = body.having(name, func(field *Schema) { field.MaxLength = &most })
	}
	for name, form := range Narrowed()[o.Key()] {
		with := *body.deref()
		with.Properties = maps.Clone(with.Properties)
		with.Properties[name] = with.Properties[name].deref().OneOf[form]
		body = &with
	}
	if slices.Contains(Closed(), o.Key()) {
		with := *body.deref()
		branches := make([]*Schema, len(with.OneOf))
		for i, b := range with.OneOf {
			closed := *b.deref()
			closed.Additional = &Schema{never: true}
			branches[i] = &closed
		}
		with.replaceBranches(branches)
		body = &with
	}
	return body
}

// having is a copy of the schema in which a field is changed.
func (s *Schema) having(name string, change func(field *Schema)) *Schema {
	out := *s.deref()
	field := *out.Properties[name].deref()
	change(&field)
	out.Properties = maps.Clone(out.Properties)
	out.Properties[name] = &field
	return &out
}

// withDefault is a copy of the schema in which the field at a path has a
// default; nil where there is no such field.
func (s *Schema) withDefault(path []string, v any) *Schema {
	return changed(s, path, func(f *Schema) {
		f.Default, f.hasDefault = v, true
		inner, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(inner)) {
			if with := f.withDefault([]string{name}, inner[name]); with != nil {
				*f = *with
			}
		}
	})
}

// changed is a copy of the schema in which the field at a path is changed; nil where
// there is no such field. It needs the contract's lock.
func changed(s *Schema, path []string, change func(field *Schema)) *Schema {
	out := *s.deref()
	if len(path) == 0 {
		change(&out)
		return &out
	}
	if p := out.Properties[path[0]]; p != nil {
		with := changed(p, path[1:], change)
		if with == nil {
			return nil
		}
		out.Properties = maps.Clone(out.Properties)
		out.Properties[path[0]] = with
		return &out
	}
	for i, b := range out.AllOf {
		if with := changed(b, path, change); with != nil {
			out.AllOf = slices.Clone(out.AllOf)
			out.AllOf[i] = with
			return &out
		}
	}
	return inBranches(out, path, change)
}

// inBranches changes a field in every variant of a union that has it.
func inBranches(union Schema, path []string, change func(field *Schema)) *Schema {
	found, with := false, make([]*Schema, len(union.OneOf))
	for i, b := range union.OneOf {
		with[i] = b.deref()
		if to := changed(b, path, change); to != nil {
			found, with[i] = true, to
		}
	}
	if !found {
		return nil
	}
	union.replaceBranches(with)
	return &union
}

// replaceBranches gives a union other variants, each in its former place. It needs
// the contract's lock.
func (s *Schema) replaceBranches(with []*Schema) {
	was, mapped := s.OneOf, map[string]*Schema{}
	s.OneOf = with
	if s.Discriminator == nil {
		return
	}
	for value, name := range s.Discriminator.Mapping {
		old := s.mapped[value]
		if old == nil {
			old = s.c.named(name).deref()
		}
		for i, b := range was {
			if b.deref() == old {
				mapped[value] = with[i]
			}
		}
	}
	s.mapped = mapped
}

// bounded is a body in which keys that the document does not know have no place: an
// answer may have more than people know, but what people write is meant for a field.
// It needs the contract's lock.
func (s *Schema) bounded() *Schema {
	flat := s.deref()
	out, changed := *flat, false
	if out.Additional != nil && out.Additional.plainTrue() && len(out.Properties) > 0 {
		out.Additional, changed = nil, true
	}
	with := make([]*Schema, len(out.OneOf))
	for i, b := range out.OneOf {
		with[i] = b.bounded()
		changed = changed || with[i] != b.deref()
	}
	if !changed {
		return flat
	}
	if len(with) > 0 {
		out.replaceBranches(with)
	}
	return &out
}
