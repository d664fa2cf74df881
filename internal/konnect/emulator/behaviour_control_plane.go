package emulator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"

	"kongctl/internal/konnect/emulator/store"
)

// hexOf makes up a stable name of n hexadecimal digits.
func hexOf(n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:n]
}

func controlPlaneConfig(sc scene, r *store.Record, v map[string]any) {
	host := hexOf(10, r.ID) + "." + sc.region
	v["config"] = map[string]any{
		"cluster_type": r.Fields["cluster_type"], "auth_type": r.Fields["auth_type"],
		"cloud_gateway": r.Fields["cloud_gateway"], "proxy_urls": r.Fields["proxy_urls"],
		"control_plane_endpoint": "https://" + host + ".cp0.konghq.com",
		"telemetry_endpoint":     "https://" + host + ".tp0.konghq.com",
	}
}

// expandURL leaves a URL that cannot be read to the validation.
func expandURL(body map[string]any) {
	text, ok := body["url"].(string)
	if !ok {
		return
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return
	}
	body["protocol"], body["host"] = u.Scheme, u.Hostname()
	switch {
	case u.Port() != "":
		body["port"] = json.Number(u.Port())
	case u.Scheme == "https":
		body["port"] = json.Number("443")
	default:
		body["port"] = json.Number("80")
	}
	if u.Path != "" {
		body["path"] = u.Path
	}
	delete(body, "url")
}
