package entity

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// certificate is about certificates, keys and vaults.
func certificate() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "gateway_sni", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_certificate", Source: model.Assumed, Says: "a certificate may be written with the names that it serves", Fill: serveNames},
			{Kind: "gateway_certificate", Source: model.Assumed, Says: "a certificate shows the names that it serves", View: namesServed},
			{Kind: "gateway_ca_certificate", Source: model.Assumed, Says: "the digest is worked out from the certificate", Fill: digestCertificate},
			{Kind: "gateway_ca_certificate", Source: model.Assumed, Says: "an authority is one certificate in PEM form", Check: checkAuthority},
			{Kind: "gateway_vault", Source: model.FromContract, Says: "the prefix may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_vault", Source: model.Assumed, Says: "the configuration may hold a token and is not shown to people", Hide: func(v map[string]any) { delete(v, "config") }},
			{Kind: "gateway_key_set", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_key", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
		},
	}
}

// checkAuthority refuses what is not one certificate.
func checkAuthority(_ model.Scene, r *store.Record) error {
	text, _ := r.Fields["cert"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return model.Bad("body", "cert", "invalid", "must be a certificate in PEM form")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return model.Bad("body", "cert", "invalid", "must be a certificate in PEM form: "+err.Error())
	}
	return nil
}

// digestCertificate leaves what is no certificate to the check.
func digestCertificate(_ model.Scene, r *store.Record) error {
	text, _ := r.Fields["cert"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
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
		if err := sc.Rule(sc.Kind(kind)).Check.Run(sc, sni); err != nil {
			return wrong(servedNames, reason(err))
		}
		if err := sc.Store(sni); err != nil {
			return err
		}
	}
	return nil
}

// reason is why something was refused, without the field.
func reason(err error) string {
	var p *model.Problem
	if errors.As(err, &p) && len(p.Parameters) > 0 {
		return p.Parameters[0].Reason
	}
	return err.Error()
}

func namesServed(sc model.Scene, r *store.Record, v map[string]any) {
	names := []any{}
	for _, sni := range sc.Referring("gateway_sni", r.Parent, "certificate.id", r.Public()) {
		names = append(names, sni.Fields["name"])
	}
	v[servedNames] = names
}
