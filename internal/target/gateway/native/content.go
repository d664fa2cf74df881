//go:build !nonative

package native

import (
	"bytes"
	"errors"
	"fmt"

	"dario.cat/mergo"
	"github.com/kong/go-database-reconciler/pkg/file"

	"kongctl/internal/target/gateway"
)

const formatVersion = "3.0"

// contentOf reads the files of a request and puts them together as decK does.
func contentOf(r gateway.Request) (*file.Content, error) {
	all := &file.Content{}
	for _, f := range r.Files {
		c, err := file.GetContentFromReader(bytes.NewReader(f.Content), file.EnvVarsSkip)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name, err)
		}
		if err := mergo.Merge(all, c, mergo.WithAppendSlice); err != nil {
			return nil, fmt.Errorf("merge %s: %w", f.Name, err)
		}
	}
	if err := fit(all, r.ControlPlane.Name); err != nil {
		return nil, err
	}
	if r.Flags.SkipConsumers {
		withoutConsumers(all)
	}
	return all, nil
}

// fit tells what decK's command refuses before its library has a look.
func fit(c *file.Content, controlPlane string) error {
	switch {
	case c.FormatVersion != formatVersion:
		return fmt.Errorf("_format_version must be %q for Konnect, and is %q", formatVersion, c.FormatVersion)
	case c.Workspace != "":
		return fmt.Errorf("_workspace is %q: Konnect has no workspaces", c.Workspace)
	case len(c.RBACRoles) > 0:
		return errors.New("rbac_roles are no part of a control plane in Konnect")
	case len(c.ServicePackages) > 0:
		return errors.New("service_packages are no part of a control plane")
	}
	if c.Konnect == nil || controlPlane == "" {
		return nil
	}
	for _, name := range []string{c.Konnect.ControlPlaneName, c.Konnect.RuntimeGroupName} {
		if name != "" && name != controlPlane {
			return fmt.Errorf("_konnect names control plane %q, and the configuration %q", name, controlPlane)
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
