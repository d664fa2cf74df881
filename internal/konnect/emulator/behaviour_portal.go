package emulator

import (
	"crypto/x509"
	"encoding/pem"
	"strings"
	"time"

	"kongctl/internal/konnect/emulator/store"

	"kongctl/internal/konnect/catalog"
)

// fillFrom takes a field's value from another field.
func fillFrom(field, source string) func(scene, *store.Record) error {
	return func(_ scene, r *store.Record) error {
		if v, ok := r.Fields[source]; ok && r.Fields[field] == nil {
			r.Fields[field] = v
		}
		return nil
	}
}

// visibilityOfPortal takes the visibility that the portal has for its pages.
func visibilityOfPortal(sc scene, r *store.Record) error {
	if r.Fields["visibility"] == nil {
		if portal := sc.tx.Get("portal", r.Parent); portal != nil {
			r.Fields["visibility"] = portal.Fields["default_page_visibility"]
		}
	}
	return nil
}

// frontMatter takes fields that are left out from the front matter of the
// content.
func frontMatter(fields ...string) func(map[string]any) {
	return func(body map[string]any) {
		content, _ := body["content"].(string)
		for _, f := range catalog.FrontMatter(content, fields) {
			if _, written := body[f.Name]; !written {
				body[f.Name] = f.Text
			}
		}
	}
}

func titleFromSlug(_ scene, r *store.Record) error {
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

func portalDomains(sc scene, r *store.Record, v map[string]any) {
	domain := hexOf(12, r.ID) + "." + sc.region + ".kongportals.com"
	v["default_domain"], v["canonical_domain"] = domain, domain
	if custom := sc.tx.Get("portal_custom_domain", r.ID); custom != nil && custom.Fields["enabled"] == true {
		v["canonical_domain"] = custom.Fields["hostname"]
	}
}

func gatherOIDC(_ scene, r *store.Record, v map[string]any) {
	if r.Fields["oidc_issuer"] == nil && r.Fields["oidc_client_id"] == nil {
		return
	}
	config := map[string]any{}
	for _, name := range []string{"issuer", "client_id", "scopes", "claim_mappings"} {
		if x := r.Fields["oidc_"+name]; x != nil {
			config[name] = x
		}
	}
	v["oidc_config"] = config
}

func dcrProvider(_ scene, r *store.Record, v map[string]any) {
	if id, ok := r.Fields["dcr_provider_id"].(string); ok {
		v["dcr_provider"] = map[string]any{"id": id, "name": "dcr-" + hexOf(8, id), "provider_type": "http"}
	}
}

// What is kept of a certificate.
const (
	certificateEnd   = "certificate_expires_at"
	certificateSince = "certificate_uploaded_at"
	certificateSum   = "certificate_sum"
)

func readCertificate(_ scene, r *store.Record) error {
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
	if sum := hexOf(32, text); r.Made[certificateSum] != sum {
		r.Made[certificateSum] = sum
		r.Made[certificateSince] = r.Updated.Format(time.RFC3339)
	}
	r.Made[certificateEnd] = cert.NotAfter.UTC().Format(time.RFC3339)
	return nil
}

func domainStatus(_ scene, r *store.Record, v map[string]any) {
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

// withoutSlashes is the slug as a part of an address.
func withoutSlashes(slug string) string { return strings.Trim(slug, "/") }
