package emulator

import (
	"maps"
	"slices"
	"strings"

	"kongctl/internal/konnect/emulator/store"
)

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

func defaultEmailTemplate(_ scene, c *call) (map[string]any, error) {
	return templateNamed(emailTemplates(), c)
}

// templateNamed picks the one in the path.
func templateNamed(list []map[string]any, c *call) (map[string]any, error) {
	name := c.params["templateName"]
	for _, t := range list {
		if t["name"] == name {
			return t, nil
		}
	}
	return nil, notFound("email template", name)
}

// portalOf is the portal in the path.
func portalOf(sc scene, c *call) (*store.Record, error) {
	return sc.find(sc.s.cat.Kind("portal"), "", c.params["portalId"])
}

func (e email) of(portal *store.Record) map[string]any {
	t := e.template()
	t["enabled"], t["created_at"], t["updated_at"] = true, portal.Created, portal.Created
	return t
}

func portalEmailTemplates(sc scene, c *call) ([]map[string]any, error) {
	portal, err := portalOf(sc, c)
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for _, e := range emails() {
		out = append(out, e.of(portal))
	}
	return out, nil
}

func portalEmailTemplate(sc scene, c *call) (map[string]any, error) {
	list, err := portalEmailTemplates(sc, c)
	if err != nil {
		return nil, err
	}
	return templateNamed(list, c)
}

// emailVariables tells of each variable in which templates it stands.
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
