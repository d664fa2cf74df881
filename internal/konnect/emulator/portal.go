package emulator

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/value"
)

// portal is what the contract cannot express about portals and what lies below them.
func portal() model.Family {
	return model.Family{
		Rules: slices.Concat(portalPeople(), groupMappings(), []model.Rule{
			{Kind: "portal", Source: model.Assumed, Says: "the display name is the name by default", Fill: fillFrom("display_name", "name")},
			{Kind: "portal", Source: model.Assumed, Says: "a portal answers at a host name made from its id, or at its custom domain", View: portalDomains},
			{
				Kind: "portal_page", Source: model.FromFacts, Says: "the content's front matter stands for fields that are left out",
				Expand: frontMatter(catalog.PortalPage.FrontMatter),
			},
			{Kind: "portal_page", Source: model.Assumed, Says: "the title is made from the slug by default", Fill: titleFromSlug},
			{Kind: "portal_page", Source: model.FromFacts, Says: "a new slug of a page below another begins with a slash, which goes at the top (assumed)", Fill: slashBefore},
			{Kind: "portal_page", Source: model.FromFacts, Says: "lists show the slugs of pages below others without slashes", Listed: plainSlug},
			{Kind: "portal_page", Source: model.FromContract, Says: "a move counts a negative index backwards from the last place, and takes null for the top, though its schema has no null", Moves: true},
			oneOrAllRule("portal_team_role"),
			{Kind: "portal_customization", Source: model.FromFacts, Says: "what a customization leaves out stays absent", Sparse: []string{"css", "robots"}},
			{Kind: "portal_snippet", Source: model.Assumed, Says: "the title is the name by default", Fill: fillFrom("title", "name")},
			{Kind: "portal_auth_settings", Source: model.FromContract, Says: "the response gathers OIDC in oidc_config", View: gatherOIDC},
			{
				Kind: "portal_auth_settings", Source: model.FromFacts, Says: "groups decide about teams only with an identity provider that is enabled",
				Check: mappingNeedsProvider(portalProvider),
			},
			{Kind: "portal_custom_domain", Source: model.FromSpec, Says: "the certificate is not returned; its end of validity is", Fill: readCertificate},
			{Kind: "portal_custom_domain", Source: model.Assumed, Says: "a domain waits for its DNS, and for its certificate if that is not its own", View: domainStatus},
			{Kind: "portal_email_template", Source: model.FromFacts, Says: "a portal has the templates that were changed; what it has for the others is made up", View: templateDefaults},
			{Kind: "portal_asset_logo", Source: model.Assumed, Says: "a portal comes with a logo", Values: map[string]any{"data": catalog.OwnImage}},
			{Kind: "portal_asset_favicon", Source: model.Assumed, Says: "a portal comes with an icon", Values: map[string]any{"data": catalog.OwnImage}},
			{Kind: "portal_email_domain", Source: model.Assumed, Says: "a domain waits for its DNS", View: emailDomainStatus},
			{Kind: "portal_audit_log_webhook", Source: model.Assumed, Says: "the destination is not looked for as long as the organization has none", Loose: []string{"audit_log_destination_id"}},
			{Kind: "portal_audit_log_webhook", Source: model.Assumed, Says: "it is one of those that the organization has", Check: knownDestination},
		}),
		Fixed: slices.Concat(oldGroupMappings(), portalImages(), []model.Fixed{
			{
				Operation: "GET /v3/portals/{portalId}/teams/{teamId}/developers", Source: model.FromContract, Says: "the developers of a team are those who are members of it",
				Many: teamDevelopers,
			},
			{
				Operation: "GET /v3/portals/email-templates", Source: model.Assumed, Says: "the names are of the contract, the texts made up",
				Many: func(model.Scene, *model.Call) ([]map[string]any, error) { return emailTemplates(), nil },
			},
			{Operation: "GET /v3/portals/email-templates/{templateName}", Source: model.Assumed, Says: "the names are of the contract, the texts made up", One: defaultEmailTemplate},
			{
				Operation: "GET /v3/portals/email-templates/variables", Source: model.Assumed, Says: "the names are of the contract, the texts made up",
				Many: func(model.Scene, *model.Call) ([]map[string]any, error) { return emailVariables(), nil },
			},
		}),
	}
}

// fillFrom takes a field's value from another field.
func fillFrom(field, source string) func(model.Scene, *store.Record) error {
	return func(_ model.Scene, r *store.Record) error {
		if v, ok := r.Fields[source]; ok && r.Fields[field] == nil {
			r.Fields[field] = v
		}
		return nil
	}
}

// frontMatter takes fields that are left out from the front matter of the
// content.
func frontMatter(fields []string) func(map[string]any) {
	return func(body map[string]any) {
		content, _ := body["content"].(string)
		for _, f := range catalog.FrontMatter(content, fields) {
			if _, written := body[f.Name]; !written {
				body[f.Name] = f.Text
			}
		}
	}
}

func titleFromSlug(_ model.Scene, r *store.Record) error {
	if r.Fields["title"] == nil {
		slug, _ := r.Fields["slug"].(string)
		r.Fields["title"] = headline(slug)
	}
	return nil
}

// headline makes "getting-started" into "Getting started".
func headline(slug string) string {
	words := strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ", "/", " ").Replace(slug))
	if words == "" {
		return "Home"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

func portalDomains(sc model.Scene, r *store.Record, v map[string]any) {
	domain := model.Hex(12, r.ID) + "." + sc.Region + ".kongportals.com"
	v["default_domain"], v["canonical_domain"] = domain, domain
	if custom := sc.Tx.Get("portal_custom_domain", r.ID); custom != nil && custom.Fields["enabled"] == true {
		v["canonical_domain"] = custom.Fields["hostname"]
	}
}

func gatherOIDC(_ model.Scene, r *store.Record, v map[string]any) {
	config := map[string]any{}
	for _, name := range []string{"issuer", "client_id", "scopes", "claim_mappings"} {
		if x := r.Fields["oidc_"+name]; x != nil {
			config[name] = x
		}
	}
	if len(config) == 1 && value.Equal(config["scopes"], []any{"email", "openid", "profile"}) {
		return // what it has by default
	}
	for _, required := range []string{"issuer", "client_id"} {
		if config[required] == nil {
			config[required] = ""
		}
	}
	v["oidc_config"] = config
}

// mappingNeedsProvider is about what a request changes: the setting stays as it is
// when the last provider is deleted.
func mappingNeedsProvider(kind string) func(model.Scene, *store.Record) error {
	return func(sc model.Scene, r *store.Record) error {
		if old := sc.Tx.Get(r.Kind, r.ID); old != nil && old.Fields["idp_mapping_enabled"] == true {
			return nil
		}
		if r.Fields["idp_mapping_enabled"] == true && enabledProvider(sc, kind, r.Parent) == nil {
			return model.Bad("body", "idp_mapping_enabled", "invalid", "needs an identity provider that is enabled")
		}
		return nil
	}
}

// What is kept of a certificate.
const (
	certificateEnd   = "certificate_expires_at"
	certificateSince = "certificate_uploaded_at"
	certificateSum   = "certificate_sum"
)

func readCertificate(_ model.Scene, r *store.Record) error {
	ssl, _ := r.Fields["ssl"].(map[string]any)
	text, ok := ssl["custom_certificate"].(string)
	if !ok {
		return nil
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil // not of the format, which is checked for every type
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	if sum := model.Hex(32, text); r.Made[certificateSum] != sum {
		r.Made[certificateSum] = sum
		r.Made[certificateSince] = r.Updated.Format(time.RFC3339)
	}
	r.Made[certificateEnd] = cert.NotAfter.UTC().Format(time.RFC3339)
	return nil
}

func domainStatus(_ model.Scene, r *store.Record, v map[string]any) {
	written, _ := r.Fields["ssl"].(map[string]any)
	ssl := map[string]any{
		"domain_verification_method": written["domain_verification_method"], "verification_status": "pending",
	}
	if end, ok := r.Made[certificateEnd]; ok {
		ssl["verification_status"] = "verified"
		ssl["expires_at"], ssl["uploaded_at"] = end, r.Made[certificateSince]
		ssl["skip_ca_check"] = written["skip_ca_check"]
	}
	v["ssl"], v["cname_status"] = ssl, "pending"
}

// slashBefore is about changes alone: a new page keeps the slug that it is made with.
func slashBefore(sc model.Scene, r *store.Record) error {
	slug, _ := r.Fields["slug"].(string)
	old := sc.Tx.Get(r.Kind, r.ID)
	switch {
	case old == nil:
	case r.Fields[parentPage] != nil && old.Fields["slug"] != slug:
		r.Fields["slug"] = "/" + withoutSlashes(slug)
	case r.Fields[parentPage] == nil && old.Fields[parentPage] != nil:
		r.Fields["slug"] = cmp.Or(withoutSlashes(slug), slug)
	}
	return nil
}

func plainSlug(v map[string]any) {
	if slug, ok := v["slug"].(string); ok && v[parentPage] != nil {
		v["slug"] = withoutSlashes(slug)
	}
}

// parentPage is the field of a page that names the one above it.
const parentPage = "parent_page_id"

// withoutSlashes is the slug as a part of an address.
func withoutSlashes(slug string) string { return strings.Trim(slug, "/") }

// email is a text that Konnect sends to developers of a portal.
type email struct {
	name, subject, title, body, button string
	variables                          []string
}

// emails are made up, but for the names.
func emails() []email {
	usual := []string{"portal_display_name", "portal_domain", "developer_fullname", "developer_email", "dev_portal_reply_to"}
	app := append([]string{"application_name", "api_name", "api_version", "api_documentation_url"}, usual...)
	key := append([]string{"application_name", "credential_name", "credential_expires_at"}, usual...)
	return []email{
		{"confirm-email-address", "Confirm your email address", "Confirm your email address", "Please confirm that this address is yours.", "Confirm", usual},
		{"app-registration-approved", "Registration approved", "Your registration is approved", "{{application_name}} may now use {{api_name}}.", "See the API", app},
		{"app-registration-rejected", "Registration rejected", "Your registration is rejected", "{{application_name}} may not use {{api_name}}.", "", app},
		{"app-registration-revoked", "Registration revoked", "Your registration is revoked", "{{application_name}} may no longer use {{api_name}}.", "", app},
		{"reset-password", "Reset your password", "Reset your password", "A new password was asked for.", "Reset", usual},
		{"account-access-approved", "Welcome", "Your account is approved", "You can now sign in at {{portal_domain}}.", "Sign in", usual},
		{"account-access-rejected", "Account rejected", "Your account is rejected", "You cannot sign in at {{portal_domain}}.", "", usual},
		{"account-access-revoked", "Account revoked", "Your account is revoked", "You can no longer sign in at {{portal_domain}}.", "", usual},
		{"api-key-expiring-soon", "A key expires soon", "A key expires soon", "{{credential_name}} ends at {{credential_expires_at}}.", "See your keys", key},
		{"api-key-expired", "A key has expired", "A key has expired", "{{credential_name}} ended at {{credential_expires_at}}.", "See your keys", key},
		{"developer-invitation", "Invitation", "You are invited", "You are invited to {{portal_display_name}}.", "Accept", usual},
	}
}

func (e email) template() map[string]any {
	content := map[string]any{"subject": e.subject, "title": e.title, "body": e.body}
	if e.button != "" {
		content["button_label"] = e.button
	}
	variables := make([]any, len(e.variables))
	for i, v := range e.variables {
		variables[i] = v
	}
	return map[string]any{"name": e.name, "label": headline(e.name), "default_content": content, "variables": variables}
}

func emailTemplates() []map[string]any {
	var out []map[string]any
	for _, e := range emails() {
		out = append(out, e.template())
	}
	return out
}

func defaultEmailTemplate(_ model.Scene, c *model.Call) (map[string]any, error) {
	return templateNamed(emailTemplates(), c)
}

// templateNamed picks the one in the path.
func templateNamed(list []map[string]any, c *model.Call) (map[string]any, error) {
	name := c.Params["templateName"]
	for _, t := range list {
		if t["name"] == name {
			return t, nil
		}
	}
	return nil, model.NotFound("email template", name)
}

func templateDefaults(_ model.Scene, r *store.Record, v map[string]any) {
	for _, t := range emailTemplates() {
		if t["name"] == r.Made["name"] {
			maps.Copy(v, t)
		}
	}
}

func emailDomainStatus(_ model.Scene, r *store.Record, v map[string]any) {
	domain, _ := r.Fields["domain"].(string)
	v["verification"] = map[string]any{"status": "pending", "last_time_checked": r.Created, "last_time_success": r.Created}
	v["dns_validation_records"] = []any{
		map[string]any{"type": "CNAME", "name": model.Hex(12, domain) + "._domainkey." + domain, "value": model.Hex(12, domain) + ".dkim.example.com"},
	}
}

// emailVariables lists the variables with the templates that use them.
func emailVariables() []map[string]any {
	scope := map[string][]any{}
	for _, e := range emails() {
		for _, v := range e.variables {
			scope[v] = append(scope[v], e.name)
		}
	}
	var out []map[string]any
	for _, name := range slices.Sorted(maps.Keys(scope)) {
		words := headline(strings.ReplaceAll(name, "_", "-"))
		out = append(out, map[string]any{"name": name, "description": words, "scope": scope[name], "example": words})
	}
	return out
}

// portalImages are the images of a portal as browsers ask for them.
func portalImages() []model.Fixed {
	const says = "the image itself, with its type; a portal that nobody gave one has none"
	return []model.Fixed{
		{Operation: "GET /v3/portals/{portalId}/assets/logo/raw", Source: model.FromContract, Says: says, Raw: imageOf("portal_asset_logo")},
		{Operation: "GET /v3/portals/{portalId}/assets/favicon/raw", Source: model.FromContract, Says: says, Raw: imageOf("portal_asset_favicon")},
	}
}

func imageOf(kind string) func(model.Scene, *model.Call) (model.Content, error) {
	return func(sc model.Scene, c *model.Call) (model.Content, error) {
		portal, err := sc.Find("portal", "", c.Params["portalId"])
		if err != nil {
			return model.Content{}, err
		}
		asset := sc.Named(kind, portal.ID, "")
		if asset == nil || asset.Fields["data"] == catalog.OwnImage {
			return model.Content{}, model.Refuse(http.StatusNotFound, "portal %s has no such image", portal.ID)
		}
		text, _ := asset.Fields["data"].(string)
		return dataURL(text)
	}
}

// dataURL is what a data URL holds.
func dataURL(text string) (model.Content, error) {
	head, data, _ := strings.Cut(strings.TrimPrefix(text, "data:"), ",")
	raw, err := base64.StdEncoding.DecodeString(data)
	return model.Content{Media: strings.TrimSuffix(head, ";base64"), Data: raw}, err
}
