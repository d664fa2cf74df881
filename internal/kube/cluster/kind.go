package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of objects that the server has, in one version of its API.
type Kind struct {
	schema.GroupVersionKind
	Resource   string // plural, as in paths
	Namespaced bool
	// Listable and Deletable report whether the server offers that.
	Listable, Deletable bool
}

func (k Kind) gvr() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// Kinds that every server has.
var (
	Namespaces = Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Resource: "namespaces", Listable: true, Deletable: true}
	CRDs       = Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
		Resource:         "customresourcedefinitions", Listable: true, Deletable: true,
	}
)

// UnknownKindError is a kind that the server does not have.
type UnknownKindError struct {
	schema.GroupKind
	Version string // "" where any would do
	Server  string
	// Others are the versions in which the server has the kind.
	Others []string
}

// Error names the kind, and the versions that there are.
func (e *UnknownKindError) Error() string {
	name := schema.GroupVersion{Group: e.Group, Version: e.Version}.String()
	if e.Version == "" {
		name = e.Group
	}
	text := fmt.Sprintf("the cluster %s has no kind %s in %s", e.Server, e.Kind, name)
	if len(e.Others) > 0 {
		return text + "; it has " + strings.Join(e.Others, ", ")
	}
	return text + "; fix: correct apiVersion and kind, or install its CustomResourceDefinition"
}

// Missing is true: what the server does not know cannot exist there.
func (*UnknownKindError) Missing() bool { return true }

// Rejected is true: asking again does not help.
func (*UnknownKindError) Rejected() bool { return true }

// UnavailableKindError is a kind of an API that the server cannot serve at
// present. Nothing is known about its objects.
type UnavailableKindError struct {
	schema.GroupKind
	Versions []string
	Server   string
}

// Error names the API that is broken.
func (e *UnavailableKindError) Error() string {
	return fmt.Sprintf("the cluster %s cannot serve %s at present, so kind %s is unknown; fix: repair its APIService, or delete it if the API is gone", e.Server, strings.Join(e.Versions, ", "), e.Kind)
}

// Kind returns the kind of objects of an API version. The server is asked once;
// an API that it cannot serve does not get into the way of others.
func (c *Cluster) Kind(ctx context.Context, gvk schema.GroupVersionKind) (Kind, error) {
	catalog, err := c.discover(ctx)
	if err != nil {
		return Kind{}, err
	}
	if k, ok := catalog.kinds[gvk]; ok {
		return k, nil
	}
	return Kind{}, catalog.unknown(gvk.GroupKind(), gvk.Version, c.Server())
}

// Preferred returns the kind in the version that the server prefers.
func (c *Cluster) Preferred(ctx context.Context, gk schema.GroupKind) (Kind, error) {
	catalog, err := c.discover(ctx)
	if err != nil {
		return Kind{}, err
	}
	if k, ok := catalog.preferred[gk]; ok {
		return k, nil
	}
	return Kind{}, catalog.unknown(gk, "", c.Server())
}

// Kinds returns every kind of the server in its preferred version, and the API
// versions that it cannot serve at present.
func (c *Cluster) Kinds(ctx context.Context) (kinds []Kind, broken []schema.GroupVersion, err error) {
	catalog, err := c.discover(ctx)
	if err != nil {
		return nil, nil, err
	}
	return catalog.order(), slices.Clone(catalog.broken), nil
}

// Rediscover forgets which kinds the server has.
func (c *Cluster) Rediscover() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catalog = nil
}

// catalog holds the kinds of a server.
type catalog struct {
	kinds     map[schema.GroupVersionKind]Kind
	preferred map[schema.GroupKind]Kind
	broken    []schema.GroupVersion
	names     []schema.GroupKind // of preferred, as the server orders them
}

func newCatalog() *catalog {
	return &catalog{kinds: map[schema.GroupVersionKind]Kind{}, preferred: map[schema.GroupKind]Kind{}}
}

// add notes a kind. The versions of a group come with the preferred one first.
func (c *catalog) add(k Kind) {
	// Several resources may have one kind: the one with objects counts.
	if known, ok := c.kinds[k.GroupVersionKind]; !ok || !known.Listable && k.Listable {
		c.kinds[k.GroupVersionKind] = k
	}
	gk := k.GroupKind()
	known, ok := c.preferred[gk]
	if !ok {
		c.names = append(c.names, gk)
	}
	if !ok || known.Version == k.Version && !known.Listable && k.Listable {
		c.preferred[gk] = k
	}
}

func (c *catalog) order() []Kind {
	out := make([]Kind, len(c.names))
	for i, gk := range c.names {
		out[i] = c.preferred[gk]
	}
	return out
}

// unknown is the error for a kind that the server does not list.
func (c *catalog) unknown(gk schema.GroupKind, version, server string) error {
	var broken []string
	for _, gv := range c.broken {
		if gv.Group == gk.Group && (version == "" || gv.Version == version) {
			broken = append(broken, gv.String())
		}
	}
	if len(broken) > 0 {
		return &UnavailableKindError{GroupKind: gk, Versions: broken, Server: server}
	}
	var others []string
	for gvk := range c.kinds {
		if gvk.GroupKind() == gk {
			others = append(others, gvk.GroupVersion().String())
		}
	}
	slices.Sort(others)
	return &UnknownKindError{GroupKind: gk, Version: version, Server: server, Others: others}
}
