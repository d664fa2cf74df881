package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// tokensOf is where the access tokens of users or system accounts are. Their records
// have a kind that is no type of the catalog, and never the token itself.
type tokensOf struct {
	kind, path       string
	owner, parameter string // the kind that has them, and its id in the path
	prefix, field    string // of the token, and in the answer to a create
}

// accessTokens are the tokens of people and of system accounts. Any token is accepted,
// whether it is one of these or not.
func accessTokens() model.Family {
	var out model.Family
	for _, x := range []tokensOf{personalTokens(), accountTokens()} {
		item := x.path + "/{tokenId}"
		out.Shared = append(out.Shared, x.kind)
		out.Rules = append(out.Rules, model.Rule{Kind: x.owner, Source: model.Assumed, Says: "access tokens go with whom they belong to", Part: x.removeAll})
		out.Fixed = append(
			out.Fixed,
			model.Fixed{Operation: "GET " + x.path, Source: model.FromContract, Says: "access tokens are listed without the token", Many: x.list},
			model.Fixed{Operation: "POST " + x.path, Source: model.FromContract, Says: "the token is shown once and not kept", Change: x.create},
			model.Fixed{Operation: "GET " + item, Source: model.FromContract, Says: "an access token is shown without the token", One: x.read},
			model.Fixed{Operation: "PATCH " + item, Source: model.FromContract, Says: "an access token can be renamed", Change: x.rename},
			model.Fixed{Operation: "DELETE " + item, Source: model.FromContract, Says: "an access token can be deleted", Change: x.remove},
		)
	}
	out.Fixed = append(out.Fixed, model.Fixed{
		Operation: "PATCH " + personalTokens().path + "/{tokenId}/revoke", Source: model.FromContract, Says: "a personal access token can be revoked", Change: personalTokens().revoke,
	})
	return out
}

// record finds the token that a path names.
func (x tokensOf) record(sc model.Scene, c *model.Call) (*store.Record, error) {
	owner, err := sc.Find(x.owner, "", c.Params[x.parameter])
	if err != nil {
		return nil, err
	}
	rec := sc.Tx.Get(x.kind, c.Params["tokenId"])
	if rec == nil || rec.Parent != owner.ID {
		return nil, model.NotFound(strings.TrimPrefix(x.kind, "_"), c.Params["tokenId"])
	}
	return rec, nil
}

// view is a token as answers show it.
func (x tokensOf) view(sc model.Scene, r *store.Record) map[string]any {
	out := model.CloneMap(r.Fields)
	out["id"], out["user_id"], out["created_at"], out["updated_at"] = r.ID, r.Parent, r.Created, r.Updated
	out["state"] = "ACTIVE"
	text, _ := r.Fields["expires_at"].(string)
	if at, err := time.Parse(time.RFC3339, text); err == nil && at.Before(sc.Now()) {
		out["state"] = "EXPIRED"
	}
	if r.Fields["revoked_at"] != nil {
		out["state"] = "REVOKED"
	}
	return out
}

func (x tokensOf) list(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	owner, err := sc.Find(x.owner, "", c.Params[x.parameter])
	if err != nil {
		return nil, err
	}
	out := []map[string]any{}
	sc.Tx.Range(x.kind, owner.ID, func(r *store.Record) bool { out = append(out, x.view(sc, r)); return true })
	return out, nil
}

func (x tokensOf) read(sc model.Scene, c *model.Call) (map[string]any, error) {
	rec, err := x.record(sc, c)
	if err != nil {
		return nil, err
	}
	return x.view(sc, rec), nil
}

func (x tokensOf) create(sc model.Scene, c *model.Call) (map[string]any, error) {
	owner, err := sc.Find(x.owner, "", c.Params[x.parameter])
	if err != nil {
		return nil, err
	}
	now := sc.Now()
	expires := c.Body["expires_at"]
	if ttl, ok := c.Body["ttl_seconds"].(json.Number); ok {
		seconds, err := ttl.Int64()
		if err != nil {
			return nil, model.Bad("body", "ttl_seconds", "invalid", "must be a whole number")
		}
		expires = now.Add(time.Duration(seconds) * time.Second).Format(time.RFC3339)
	}
	token := x.prefix + strings.ReplaceAll(sc.NewID()+sc.NewID(), "-", "")
	rec := &store.Record{
		Kind: x.kind, ID: sc.NewID(), Parent: owner.ID, Created: now, Updated: now,
		Fields: map[string]any{"name": c.Body["name"], "expires_at": expires}, Made: map[string]any{tokenSum: sumOf(token)},
	}
	if err := x.put(sc, rec); err != nil {
		return nil, err
	}
	out := x.view(sc, rec)
	out[x.field] = token
	return out, nil
}

// tokenSum is what is kept of a token: enough to recognize it.
const tokenSum = "sum"

func sumOf(token string) string { return model.Hex(64, "access token", token) }

// ownerOf is whom a token belongs to; nil for one that was not made here.
func (x tokensOf) ownerOf(sc model.Scene, token string) *store.Record {
	var owner *store.Record
	sc.Tx.Range(x.kind, "", func(r *store.Record) bool {
		if r.Made[tokenSum] == sumOf(token) {
			owner = sc.Tx.Get(x.owner, r.Parent)
		}
		return owner == nil
	})
	return owner
}

// put keeps a token whose name no other of the same owner has.
func (x tokensOf) put(sc model.Scene, rec *store.Record) error {
	name, _ := rec.Fields["name"].(string)
	rec.Unique = rec.Parent + "\x00" + name
	if other := sc.Tx.Taken(x.kind, rec.Unique); other != nil && other.ID != rec.ID {
		return model.Refuse(http.StatusConflict, "an access token with the name %q exists", name)
	}
	sc.Tx.Put(rec)
	return nil
}

// change puts a token with other fields in place of the one that a path names.
func (x tokensOf) change(sc model.Scene, c *model.Call, fields map[string]any) (map[string]any, error) {
	old, err := x.record(sc, c)
	if err != nil {
		return nil, err
	}
	rec := *old
	rec.Updated, rec.Fields = sc.Now(), model.CloneMap(old.Fields)
	for name, v := range fields {
		rec.Fields[name] = v
	}
	if err := x.put(sc, &rec); err != nil {
		return nil, err
	}
	return x.view(sc, &rec), nil
}

func (x tokensOf) rename(sc model.Scene, c *model.Call) (map[string]any, error) {
	return x.change(sc, c, map[string]any{"name": c.Body["name"]})
}

func (x tokensOf) revoke(sc model.Scene, c *model.Call) (map[string]any, error) {
	return x.change(sc, c, map[string]any{"revoked_by": userID, "revoked_at": sc.Now().Format(time.RFC3339)})
}

func (x tokensOf) remove(sc model.Scene, c *model.Call) (map[string]any, error) {
	rec, err := x.record(sc, c)
	if err != nil {
		return nil, err
	}
	sc.Tx.Delete(x.kind, rec.ID)
	return nil, nil
}

// removeAll deletes the tokens of somebody who is gone.
func (x tokensOf) removeAll(sc model.Scene, owner *store.Record) error {
	var ids []string
	sc.Tx.Range(x.kind, owner.ID, func(r *store.Record) bool { ids = append(ids, r.ID); return true })
	for _, id := range ids {
		sc.Tx.Delete(x.kind, id)
	}
	return nil
}
