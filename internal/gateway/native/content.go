//go:build !nonative

package native

import (
	"bytes"
	"errors"
	"fmt"

	"dario.cat/mergo"
	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-kong/kong"

	"github.com/kongctl/kongctl/internal/gateway"
)

// contentOf reads the files of a request and puts them together as decK does.
func contentOf(r gateway.Request) (*file.Content, error) {
	all := &file.Content{}
	for _, f := range r.Files {
		c, err := file.GetContentFromReader(bytes.NewReader(f.Content), file.EnvVarsSkip)
		if err != nil {
			return nil, &inFile{name: f.Name, alone: len(r.Files) == 1, err: err}
		}
		if err := mergo.Merge(all, c, mergo.WithAppendSlice); err != nil {
			return nil, fmt.Errorf("merge %s: %w", f.Name, err)
		}
	}
	if err := fit(all); err != nil {
		return nil, err
	}
	if r.Flags.SkipConsumers {
		withoutConsumers(all)
	}
	return all, nil
}

// inFile is an error of one file. Errors of a request name all of its files, so it
// is named where there are others.
type inFile struct {
	name  string
	alone bool
	err   error
}

func (e *inFile) Error() string {
	if e.alone {
		return e.err.Error()
	}
	return e.name + ": " + e.err.Error()
}

func (e *inFile) Unwrap() error { return e.err }

// fit tells what decK's command refuses before its library has a look. The name
// of the control plane was compared when the files were read.
func fit(c *file.Content) error {
	switch {
	case c.FormatVersion != gateway.FormatVersion:
		return fmt.Errorf("_format_version must be %q for Konnect, and is %q", gateway.FormatVersion, c.FormatVersion)
	case c.Transform != nil && !*c.Transform:
		return errors.New("_transform: false is not supported: remove it from the file")
	case c.Workspace != "":
		return fmt.Errorf("_workspace is %q: Konnect has no workspaces", c.Workspace)
	}
	for _, list := range []struct {
		key   string
		items int
	}{{"rbac_roles", len(c.RBACRoles)}, {"service_packages", len(c.ServicePackages)}, {"licenses", len(c.Licenses)}} {
		if list.items > 0 {
			return fmt.Errorf("%s cannot be part of a control plane in Konnect: remove them from the file", list.key)
		}
	}
	return nil
}

func withoutConsumers(c *file.Content) {
	c.Consumers, c.ConsumerGroups = nil, nil
	var rest []file.FPlugin
	for _, p := range c.Plugins {
		if p.Consumer == nil && p.ConsumerGroup == nil {
			rest = append(rest, p)
		}
	}
	c.Plugins = rest
}

// checkSets tells of a key in a set that is not there, of which the library
// would panic.
func checkSets(c *file.Content, there []*kong.KeySet) error {
	known := map[string]bool{}
	for _, s := range c.KeySets {
		if s.Name != nil {
			known[*s.Name] = true
		}
	}
	for _, s := range there {
		if s.Name != nil {
			known[*s.Name] = true
		}
	}
	for _, k := range c.Keys {
		if k.Set != nil && k.Set.ID == nil && k.Set.Name != nil && !known[*k.Set.Name] {
			return fmt.Errorf("key %q refers to the key set %q, which is not there", called(k), *k.Set.Name)
		}
	}
	return nil
}

// called is what a key is known by.
func called(k file.FKey) string {
	for _, s := range []*string{k.Name, k.KID, k.ID} {
		if s != nil {
			return *s
		}
	}
	return ""
}
