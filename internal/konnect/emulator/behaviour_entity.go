package emulator

import (
	"crypto/sha1" //nolint:gosec // it is what gateways hash passwords with
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"slices"
	"strings"

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

func onlyExpression(_ scene, r *store.Record) error {
	if r.Fields["expression"] != nil {
		r.Fields["path_handling"] = nil
	}
	return nil
}

// hashPassword leaves alone what is a hash of its own making: a client may send
// back what it read.
func hashPassword(sc scene, r *store.Record) error {
	password, _ := r.Fields["password"].(string)
	consumer, _ := at(r.Fields, "consumer.id").(string)
	if old := sc.tx.Get(r.Kind, r.ID); old != nil && old.Fields["password"] == password {
		return nil
	}
	sum := sha1.Sum([]byte(password + consumer)) //nolint:gosec // it is what gateways hash passwords with
	r.Fields["password"] = hex.EncodeToString(sum[:])
	return nil
}

// madeUp gives fields a new secret where they have none.
func madeUp(fields ...string) func(scene, *store.Record) error {
	return func(sc scene, r *store.Record) error {
		old := sc.tx.Get(r.Kind, r.ID)
		for _, f := range fields {
			if r.Fields[f] != nil {
				continue
			}
			if old != nil && old.Fields[f] != nil {
				r.Fields[f] = old.Fields[f]
				continue
			}
			r.Fields[f] = hexOf(32, sc.s.o.NewID(), f)
		}
		return nil
	}
}

const defaultTargetPort = ":8000"

func targetPort(_ scene, r *store.Record) error {
	target, _ := r.Fields["target"].(string)
	bare := strings.HasPrefix(target, "[") && strings.HasSuffix(target, "]")
	if target != "" && (bare || !strings.Contains(target, ":")) {
		r.Fields["target"] = target + defaultTargetPort
	}
	return nil
}

// digestCertificate refuses what is not one certificate.
func digestCertificate(_ scene, r *store.Record) error {
	text, _ := r.Fields["cert"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return bad("body", "cert", "invalid", "must be a certificate in PEM form")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return bad("body", "cert", "invalid", "must be a certificate in PEM form: "+err.Error())
	}
	sum := sha256.Sum256(block.Bytes)
	r.Fields["cert_digest"] = hex.EncodeToString(sum[:])
	return nil
}

const servedNames = "snis"

// serveNames lets a certificate serve the names that a write lists, and no
// others.
func serveNames(sc scene, r *store.Record) error {
	list, listed := r.Fields[servedNames].([]any)
	delete(r.Fields, servedNames)
	if !listed {
		return nil
	}
	b := sc.s.cat.Kind("gateway_sni")
	missing := texts(list)
	for _, sni := range sc.referring(b, r.Parent, refKey("certificate.id", r.Public())) {
		name, _ := sni.Fields["name"].(string)
		if i := slices.Index(missing, name); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			continue
		}
		sc.tx.Delete(sni.Kind, sni.ID)
	}
	for _, name := range missing {
		if err := sc.store(b, &store.Record{
			Kind: b.Kind, ID: recordID(b, r.Parent, sc.s.o.NewID()), Parent: r.Parent, Created: r.Updated, Updated: r.Updated, Made: map[string]any{},
			Fields: map[string]any{"name": name, "certificate": map[string]any{"id": r.Public()}},
		}); err != nil {
			return err
		}
	}
	return nil
}

func namesServed(sc scene, r *store.Record, v map[string]any) {
	names := []any{}
	for _, sni := range sc.referring(sc.s.cat.Kind("gateway_sni"), r.Parent, refKey("certificate.id", r.Public())) {
		names = append(names, sni.Fields["name"])
	}
	v[servedNames] = names
}

// memberOf are the ids of the groups that a consumer is in.
const memberOf = "groups"

func (sc scene) members(group *store.Record) []*store.Record {
	return sc.referring(sc.s.cat.Kind("gateway_consumer"), group.Parent, refKey(memberOf, group.Public()))
}

// withConsumers is what reading a group tells beside the group.
func withConsumers(sc scene, c *call, group *store.Record, body map[string]any) {
	if c.raw.Get("list_consumers") != "false" {
		body["consumers"] = sc.shownAs("Consumer", "gateway_consumer", sc.members(group))
	}
	body["plugins"] = []any{}
}

// shownAs is records in the form of a schema of the contract.
func (sc scene) shownAs(schema, kind string, records []*store.Record) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = sc.s.project(sc.s.contract.Schema(schema), sc.view(sc.s.cat.Kind(kind), r))
	}
	return out
}

func dissolve(sc scene, group *store.Record) {
	for _, consumer := range sc.members(group) {
		sc.leave(consumer, group.Public())
	}
}

func (sc scene) join(consumer *store.Record, group string) {
	groups := texts(consumer.Made[memberOf])
	if !slices.Contains(groups, group) {
		sc.regroup(consumer, append(groups, group))
	}
}

func (sc scene) leave(consumer *store.Record, group string) {
	sc.regroup(consumer, slices.DeleteFunc(texts(consumer.Made[memberOf]), func(id string) bool { return id == group }))
}

func (sc scene) regroup(consumer *store.Record, groups []string) {
	rec := *consumer
	rec.Made = cloneMap(consumer.Made)
	list := make([]any, len(groups))
	for i, id := range groups {
		list[i] = id
	}
	rec.Made[memberOf] = list
	rec.Refs = sc.s.refs(sc.s.cat.Kind(rec.Kind), &rec)
	sc.tx.Put(&rec)
}
