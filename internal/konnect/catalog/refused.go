package catalog

import "strings"

// Refused is a key of the root that files for Konnect may have and that no type
// stands behind: why, and what to write instead.
type Refused struct{ Key, Why, Fix string }

// RefusedKey finds the refused key that a key is, or that it is the beginning of.
func RefusedKey(key string) (Refused, bool) {
	for _, r := range []Refused{{
		Key: "audit-logs.destinations",
		Why: "Audit log destinations cannot be looked up: the published API of Konnect has no path for them.",
		Fix: "remove audit-logs, and write the id that Konnect shows for the destination as audit_log_destination_id of the audit_log_webhook.",
	}} {
		if r.Key == key || strings.HasPrefix(r.Key, key+".") {
			return r, true
		}
	}
	return Refused{}, false
}
