package entity

import (
	"crypto/sha1" //nolint:gosec // it is what gateways hash passwords with
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"slices"
	"strings"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// routeVariant names the schema of a route.
func routeVariant(body map[string]any) string {
	for _, f := range []string{"expression", "priority"} {
		if body[f] != nil {
			return "RouteExpression"
		}
	}
	return "RouteJson"
}

func onlyExpression(_ model.Scene, r *store.Record) error {
	if r.Fields["expression"] != nil {
		r.Fields["path_handling"] = nil
	}
	return nil
}

// hashPassword leaves alone what is a hash of its own making: a client may send
// back what it read.
func hashPassword(sc model.Scene, r *store.Record) error {
	password, _ := r.Fields["password"].(string)
	consumer, _ := model.At(r.Fields, "consumer.id").(string)
	if old := sc.Tx.Get(r.Kind, r.ID); old != nil && old.Fields["password"] == password {
		return nil
	}
	sum := sha1.Sum([]byte(password + consumer)) //nolint:gosec // it is what gateways hash passwords with
	r.Fields["password"] = hex.EncodeToString(sum[:])
	return nil
}

// madeUp gives fields a new secret where they have none.
func madeUp(fields ...string) func(model.Scene, *store.Record) error {
	return func(sc model.Scene, r *store.Record) error {
		old := sc.Tx.Get(r.Kind, r.ID)
		for _, f := range fields {
			if r.Fields[f] != nil {
				continue
			}
			if old != nil && old.Fields[f] != nil {
				r.Fields[f] = old.Fields[f]
				continue
			}
			r.Fields[f] = model.Hex(32, sc.NewID(), f)
		}
		return nil
	}
}

const defaultTargetPort = ":8000"

func targetPort(_ model.Scene, r *store.Record) error {
	target, _ := r.Fields["target"].(string)
	bare := strings.HasPrefix(target, "[") && strings.HasSuffix(target, "]")
	if target != "" && (bare || !strings.Contains(target, ":")) {
		r.Fields["target"] = target + defaultTargetPort
	}
	return nil
}

// digestCertificate refuses what is not one certificate.
func digestCertificate(_ model.Scene, r *store.Record) error {
	text, _ := r.Fields["cert"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return model.Bad("body", "cert", "invalid", "must be a certificate in PEM form")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return model.Bad("body", "cert", "invalid", "must be a certificate in PEM form: "+err.Error())
	}
	sum := sha256.Sum256(block.Bytes)
	r.Fields["cert_digest"] = hex.EncodeToString(sum[:])
	return nil
}

const servedNames = "snis"

// serveNames lets a certificate serve the names that a write lists, and no
// others.
func serveNames(sc model.Scene, r *store.Record) error {
	list, listed := r.Fields[servedNames].([]any)
	delete(r.Fields, servedNames)
	if !listed {
		return nil
	}
	const kind = "gateway_sni"
	missing := model.Texts(list)
	for _, sni := range sc.Referring(kind, r.Parent, "certificate.id", r.Public()) {
		name, _ := sni.Fields["name"].(string)
		if i := slices.Index(missing, name); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			continue
		}
		sc.Tx.Delete(sni.Kind, sni.ID)
	}
	for _, name := range missing {
		sni := sc.NewRecord(kind, r.Parent, r.Updated, map[string]any{"name": name, "certificate": map[string]any{"id": r.Public()}})
		if err := sc.Store(sni); err != nil {
			return err
		}
	}
	return nil
}

func namesServed(sc model.Scene, r *store.Record, v map[string]any) {
	names := []any{}
	for _, sni := range sc.Referring("gateway_sni", r.Parent, "certificate.id", r.Public()) {
		names = append(names, sni.Fields["name"])
	}
	v[servedNames] = names
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
