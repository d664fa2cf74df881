//go:build !nonative

package native

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"github.com/kong/go-database-reconciler/pkg/file"
	"golang.org/x/sync/errgroup"
)

// readAhead asks for the schemas that the library will ask for one after the
// other, all at once and beside the lists.
func (s *session) readAhead(group *errgroup.Group, c *file.Content) {
	get := func(path string) {
		group.Go(func() error {
			req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, s.gate.base+path, http.NoBody)
			if err != nil {
				return err
			}
			res, err := s.gate.once(s.ctx, s.gate.schemas, req)
			if err != nil {
				return err
			}
			return res.Body.Close()
		})
	}
	if len(c.Services)+len(c.Routes)+len(c.Upstreams)+len(c.Plugins)+len(c.Consumers) > 0 {
		for _, entity := range []string{"service", "route", "upstream", "target"} {
			get("/v1/schemas/json/" + entity)
		}
	}
	for name := range pluginNames(c) {
		get("/schemas/plugins/" + url.PathEscape(name))
	}
	for _, p := range c.Partials {
		if p.Type != nil {
			get("/schemas/partials/" + url.PathEscape(*p.Type))
		}
	}
}

// groups is the list whose entities the library then reads one by one.
const groups = "consumer_groups"

// withMembers asks for the members of all groups of a page at once.
func (g *gate) withMembers(ctx context.Context, lists shelf, page *http.Response) (*http.Response, error) {
	defer func() { _ = page.Body.Close() }()
	a := answer{status: page.StatusCode, header: page.Header}
	if a.body, a.err = io.ReadAll(page.Body); a.err != nil {
		return nil, a.err
	}
	var all struct {
		Data []struct {
			Name string `json:"name"`
		} `json:"data"`
	}
	if json.Unmarshal(a.body, &all) != nil {
		return a.response(page.Request), nil // the library says what is wrong with it
	}
	var ahead errgroup.Group
	for _, one := range all.Data {
		ahead.Go(func() error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/"+groups+"/"+one.Name, http.NoBody)
			if err != nil {
				return err
			}
			res, err := g.once(ctx, lists, req)
			if err != nil {
				return err
			}
			return res.Body.Close()
		})
	}
	// Whatever went wrong ahead goes wrong again where it is needed.
	_ = ahead.Wait()
	return a.response(page.Request), nil
}

func pluginNames(c *file.Content) map[string]bool {
	out := map[string]bool{}
	add := func(name *string) {
		if name != nil {
			out[*name] = true
		}
	}
	all := func(list []*file.FPlugin) {
		for _, p := range list {
			add(p.Name)
		}
	}
	for _, p := range c.Plugins {
		add(p.Name)
	}
	for _, s := range c.Services {
		all(s.Plugins)
		for _, r := range s.Routes {
			all(r.Plugins)
		}
	}
	for _, r := range c.Routes {
		all(r.Plugins)
	}
	for _, x := range c.Consumers {
		all(x.Plugins)
	}
	for _, g := range c.ConsumerGroups {
		for _, p := range g.Plugins {
			add(p.Name)
		}
	}
	return out
}
