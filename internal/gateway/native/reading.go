//go:build !nonative

package native

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/kong/go-database-reconciler/pkg/file"

	"github.com/kongctl/kongctl/internal/gateway"
)

// reading says which lists of a control plane have to be read.
type reading struct {
	tags []string
	// some are the lists that matter; nil is all.
	some map[string]bool
	// foreign tells that entities of other tags are looked up, too.
	foreign bool
}

// readingFor decides by the files. What deletes has to see everything; what
// does not needs only what the files have or refer to.
func readingFor(r gateway.Request, c *file.Content) reading {
	out := reading{tags: r.Flags.SelectTags, foreign: c.Info != nil && c.Info.LookUpSelectorTags != nil}
	if r.Mode != gateway.Apply {
		return out
	}
	out.some = map[string]bool{}
	for list, used := range used(c) {
		if used {
			out.some[list] = true
		}
	}
	return out
}

func (r reading) wants(list string) bool { return r.some == nil || r.some[list] }

// owner is the list whose entities those of a list belong to, where an empty
// owner means an empty list. Credentials of consumers out of sight do not
// count for decK; targets and SNIs do, so tags must not narrow the owner.
func (r reading) owner(list string) string {
	switch list {
	case "key-auths", "hmac-auths", "jwts", "basic-auths", "acls", "mtls-auths", oauth2List:
		if !r.foreign {
			return "consumers"
		}
	case "targets":
		if len(r.tags) == 0 {
			return "upstreams"
		}
	case "snis":
		if len(r.tags) == 0 {
			return "certificates"
		}
	}
	return ""
}

// query is how the library asks for the first page of a list.
func (r reading) query() string {
	q := url.Values{"size": {"1000"}}
	if len(r.tags) > 0 {
		q.Set("tags", strings.Join(r.tags, ","))
	}
	return q.Encode()
}

func isEmptyList(res *http.Response) bool {
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusForbidden {
		return true
	}
	var page struct {
		Data   []json.RawMessage `json:"data"`
		Offset *string           `json:"offset"`
	}
	err := json.NewDecoder(res.Body).Decode(&page)
	return err == nil && len(page.Data) == 0 && page.Offset == nil
}

// used are the lists that files write to or refer to.
func used(c *file.Content) map[string]bool {
	u := map[string]bool{
		"services":        len(c.Services) > 0 || len(c.CustomEntities) > 0,
		"routes":          len(c.Routes) > 0,
		"plugins":         len(c.Plugins) > 0,
		"filter-chains":   len(c.FilterChains) > 0,
		"certificates":    len(c.Certificates) > 0,
		"snis":            len(c.Certificates) > 0,
		"ca_certificates": len(c.CACertificates) > 0,
		"upstreams":       len(c.Upstreams) > 0,
		"targets":         len(c.Upstreams) > 0,
		"vaults":          len(c.Vaults) > 0,
		"keys":            len(c.Keys) > 0,
		"key-sets":        len(c.Keys)+len(c.KeySets) > 0,
		"partials":        len(c.Partials) > 0,
		"ai-models":       len(c.AIModels) > 0,
		"consumers":       len(c.Consumers)+len(c.ConsumerGroups) > 0,
		"consumer_groups": len(c.ConsumerGroups) > 0,
		"cloned-plugins":  len(c.ClonedPluginDefinitions) > 0,
		"custom-plugins":  len(c.CustomPluginDefinitions) > 0,
	}
	for _, e := range c.CustomEntities {
		u[*e.Type] = true
	}
	usedByServices(u, c)
	usedByConsumers(u, c)
	for _, p := range c.Plugins {
		usedByPlugin(u, &p)
	}
	return u
}

func usedByServices(u map[string]bool, c *file.Content) {
	route := func(r *file.FRoute) {
		u["routes"] = true
		u["services"] = u["services"] || r.Service != nil
		u["filter-chains"] = u["filter-chains"] || len(r.FilterChains) > 0
		for _, p := range r.Plugins {
			usedByPlugin(u, p)
		}
	}
	for _, s := range c.Services {
		u["filter-chains"] = u["filter-chains"] || len(s.FilterChains) > 0
		for _, p := range s.Plugins {
			usedByPlugin(u, p)
		}
		for _, r := range s.Routes {
			route(r)
		}
	}
	for _, r := range c.Routes {
		route(&r)
	}
	for _, f := range c.FilterChains {
		u["services"] = u["services"] || f.Service != nil
		u["routes"] = u["routes"] || f.Route != nil
	}
}

func usedByConsumers(u map[string]bool, c *file.Content) {
	for _, x := range c.Consumers {
		for list, n := range map[string]int{
			"consumer_groups": len(x.Groups), "key-auths": len(x.KeyAuths), "basic-auths": len(x.BasicAuths),
			"hmac-auths": len(x.HMACAuths), "jwts": len(x.JWTAuths), "acls": len(x.ACLGroups), "mtls-auths": len(x.MTLSAuths),
			oauth2List: len(x.Oauth2Creds),
		} {
			u[list] = u[list] || n > 0
		}
		for _, p := range x.Plugins {
			usedByPlugin(u, p)
		}
	}
	for _, g := range c.ConsumerGroups {
		for _, p := range g.Plugins {
			u["plugins"] = true
			u["partials"] = u["partials"] || len(p.Partials) > 0
		}
	}
}

func usedByPlugin(u map[string]bool, p *file.FPlugin) {
	for list, refers := range map[string]bool{
		"plugins": true, "services": p.Service != nil, "routes": p.Route != nil, "consumers": p.Consumer != nil,
		"consumer_groups": p.ConsumerGroup != nil, "ai-models": p.Model != nil, "partials": len(p.Partials) > 0,
	} {
		u[list] = u[list] || refers
	}
}
