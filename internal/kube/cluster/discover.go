package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/resource"
)

// The forms of discovery that are understood, the best first. client-go's own
// package for it brings all typed objects with it, and takes no context.
const (
	discoveryGroup = "apidiscovery.k8s.io"
	acceptDiscover = "application/json;g=" + discoveryGroup + ";v=v2;as=APIGroupDiscoveryList," +
		"application/json;g=" + discoveryGroup + ";v=v2beta1;as=APIGroupDiscoveryList," +
		"application/json"
)

// groupList is the answer of servers that describe all of a tree at once.
type groupList struct {
	Items []struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Versions []struct {
			Version   string `json:"version"`
			Freshness string `json:"freshness"`
			Resources []struct {
				Resource     string                   `json:"resource"`
				ResponseKind *metav1.GroupVersionKind `json:"responseKind"`
				Scope        string                   `json:"scope"`
				Verbs        []string                 `json:"verbs"`
			} `json:"resources"`
		} `json:"versions"`
	} `json:"items"`
}

// discover returns the kinds of the server, and asks for them when nobody has.
func (c *Cluster) discover(ctx context.Context) (*catalog, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.catalog != nil {
		return c.catalog, nil
	}
	out := newCatalog()
	for _, path := range []string{"/api", "/apis"} {
		if err := c.discoverTree(ctx, path, out); err != nil {
			return nil, err
		}
	}
	c.catalog = out
	return out, nil
}

func (c *Cluster) discoverTree(ctx context.Context, path string, out *catalog) error {
	raw, contentType, err := c.read(ctx, path, acceptDiscover)
	if err != nil {
		return err
	}
	_, params, err := mime.ParseMediaType(contentType)
	if err == nil && params["g"] == discoveryGroup && params["as"] == "APIGroupDiscoveryList" {
		var list groupList
		if err := json.Unmarshal(raw, &list); err != nil {
			return c.unreadable(path, err)
		}
		out.addAll(list)
		return nil
	}
	versions, err := plainVersions(path, raw)
	if err != nil {
		return c.unreadable(path, err)
	}
	return c.discoverVersions(ctx, path, versions, out)
}

func (c *catalog) addAll(list groupList) {
	for _, group := range list.Items {
		for _, v := range group.Versions {
			gv := schema.GroupVersion{Group: group.Metadata.Name, Version: v.Version}
			if v.Freshness == "Stale" {
				// What is listed is what the server knew last.
				c.broken = append(c.broken, gv)
			}
			for _, r := range v.Resources {
				if r.ResponseKind == nil || r.ResponseKind.Kind == "" {
					continue
				}
				c.add(Kind{
					GroupVersionKind: gv.WithKind(r.ResponseKind.Kind),
					Resource:         r.Resource,
					Namespaced:       r.Scope == "Namespaced",
					Listable:         slices.Contains(r.Verbs, "list"),
					Deletable:        slices.Contains(r.Verbs, "delete"),
				})
			}
		}
	}
}

// plainVersions reads the list of groups or versions of servers that describe
// each version by itself. The preferred version of a group comes first.
func plainVersions(path string, raw []byte) ([]schema.GroupVersion, error) {
	var out []schema.GroupVersion
	if path == "/api" {
		var list metav1.APIVersions
		err := json.Unmarshal(raw, &list)
		for _, v := range list.Versions {
			out = append(out, schema.GroupVersion{Version: v})
		}
		return out, err
	}
	var list metav1.APIGroupList
	err := json.Unmarshal(raw, &list)
	for _, group := range list.Groups {
		preferred := schema.GroupVersion{Group: group.Name, Version: group.PreferredVersion.Version}
		if preferred.Version != "" {
			out = append(out, preferred)
		}
		for _, v := range group.Versions {
			if v.Version != preferred.Version {
				out = append(out, schema.GroupVersion{Group: group.Name, Version: v.Version})
			}
		}
	}
	return out, err
}

func (c *Cluster) discoverVersions(ctx context.Context, path string, versions []schema.GroupVersion, out *catalog) error {
	lists := make([]*metav1.APIResourceList, len(versions))
	group, gctx := errgroup.WithContext(ctx)
	for i, gv := range versions {
		group.Go(func() error {
			address := path + "/" + gv.String()
			raw, _, err := c.read(gctx, address, "application/json")
			if err == nil {
				var list metav1.APIResourceList
				if err := json.Unmarshal(raw, &list); err != nil {
					return c.unreadable(address, err)
				}
				lists[i] = &list
			} else if gctx.Err() != nil || resource.Fatal(err) {
				return err
			} // else this API is broken: the others are not
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, gv := range versions {
		if lists[i] == nil {
			out.broken = append(out.broken, gv)
			continue
		}
		for _, r := range lists[i].APIResources {
			if strings.Contains(r.Name, "/") {
				continue
			}
			out.add(Kind{
				GroupVersionKind: gv.WithKind(r.Kind), Resource: r.Name, Namespaced: r.Namespaced,
				Listable: slices.Contains(r.Verbs, "list"), Deletable: slices.Contains(r.Verbs, "delete"),
			})
		}
	}
	return nil
}

// read gets a document that is no object.
func (c *Cluster) read(ctx context.Context, path, accept string) (raw []byte, contentType string, err error) {
	err = c.do(ctx, call{op: "read the APIs of the cluster", repeatable: true}, func(ctx context.Context) error {
		raw, err = c.client.Get().AbsPath(path).SetHeader("Accept", accept).Do(ctx).ContentType(&contentType).Raw()
		return err
	})
	return raw, contentType, err
}

func (c *Cluster) unreadable(path string, err error) error {
	return &Error{Op: "read the APIs of the cluster", Attempts: 1, Err: fmt.Errorf("%s%s is not an API server: %w", c.Server(), path, err)}
}
