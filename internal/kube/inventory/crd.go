package inventory

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/resource"
)

//go:embed resourcegroup.yaml
var definition []byte

const (
	lookAgain   = 50 * time.Millisecond
	established = 30 * time.Second // at most
)

// Definition returns the CustomResourceDefinition of ResourceGroups.
func Definition() (*unstructured.Unstructured, error) {
	out := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(definition, &out.Object); err != nil {
		return nil, fmt.Errorf("definition of ResourceGroups: %w", err)
	}
	return out, nil
}

// InstallCRD makes the server know ResourceGroups, and waits until it does. A
// definition that lacks fields gets them; what it has besides stays. With force
// its schema becomes ours. It reports whether something was written.
func InstallCRD(ctx context.Context, c *cluster.Cluster, force bool) (installed bool, err error) {
	want, err := Definition()
	if err != nil {
		return false, err
	}
	for try := 1; ; try++ {
		installed, err = install(ctx, c, want, force)
		var failed *cluster.Error
		// Another run does the same at the same time.
		if try < maxTries && errors.As(err, &failed) && (failed.Conflicted() || failed.Taken()) {
			continue
		}
		break
	}
	if err != nil {
		return false, err
	}
	if err := serving(ctx, c, want.GetName()); err != nil {
		return installed, err
	}
	if installed {
		c.Rediscover()
	}
	return installed, nil
}

func install(ctx context.Context, c *cluster.Cluster, want *unstructured.Unstructured, force bool) (bool, error) {
	live, err := c.Get(ctx, cluster.CRDs, "", want.GetName())
	if resource.Missing(err) {
		if _, err := c.Create(ctx, cluster.CRDs, want, false); err != nil {
			return false, err
		}
		return true, nil
	}
	if err != nil {
		return false, err
	}
	next := live.DeepCopy()
	if force {
		next.Object["spec"] = want.DeepCopy().Object["spec"]
	} else if err := complete(next, want); err != nil {
		return false, err
	}
	if reflect.DeepEqual(live.Object, next.Object) {
		return false, nil
	}
	if _, err := c.Update(ctx, cluster.CRDs, next, false); err != nil {
		return false, err
	}
	return true, nil
}

// Outdated reports whether a definition lacks something that inventories need.
func Outdated(live *unstructured.Unstructured) (bool, error) {
	want, err := Definition()
	if err != nil {
		return false, err
	}
	next := live.DeepCopy()
	if err := complete(next, want); err != nil {
		return false, err
	}
	return !reflect.DeepEqual(live.Object, next.Object), nil
}

// versionsAt is where a definition has its versions.
var versionsAt = strings.Split("spec.versions", ".")

// complete adds to a definition what it lacks of another.
func complete(live, want *unstructured.Unstructured) error {
	wanted, _, _ := unstructured.NestedSlice(want.Object, versionsAt...)
	versions, _, err := unstructured.NestedSlice(live.Object, versionsAt...)
	if err != nil || len(wanted) == 0 {
		return fmt.Errorf("definition %s: its versions cannot be read; fix: run kongctl live install-resource-group --force", live.GetName())
	}
	for _, w := range wanted {
		w := w.(map[string]any)
		var found bool
		for _, v := range versions {
			v, ok := v.(map[string]any)
			if found = ok && v["name"] == w["name"]; found {
				add(v, w)
				v["served"] = true
				break
			}
		}
		if !found {
			return fmt.Errorf("definition %s: the cluster has no version %v of it; fix: run kongctl live install-resource-group --force", live.GetName(), w["name"])
		}
	}
	return unstructured.SetNestedSlice(live.Object, versions, versionsAt...)
}

// add puts into a map what it lacks of another, at any depth. Texts for people,
// and what is required, are left alone.
func add(have, want map[string]any) {
	for key, w := range want {
		h, ok := have[key]
		switch w := w.(type) {
		case map[string]any:
			if inner, isMap := h.(map[string]any); isMap {
				add(inner, w)
			} else if !ok {
				have[key] = w
			}
		default:
			if !ok && key != "description" && key != "required" && key != "storage" {
				have[key] = w
			}
		}
	}
}

// serving waits until the server answers requests for ResourceGroups.
func serving(ctx context.Context, c *cluster.Cluster, name string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, established, errNotServed)
	defer cancel()
	for {
		_, err := c.List(ctx, Kind, "kube-system", cluster.ListOptions{FieldSelector: "metadata.name=none"})
		if err == nil || !resource.Missing(err) && !uncertain(err) {
			// Whoever may not list finds out with the first request that counts.
			if resource.Denied(err) {
				return nil
			}
			return err
		}
		if clock.Sleep(ctx, lookAgain) != nil {
			return fmt.Errorf("definition %s: %w", name, context.Cause(ctx))
		}
	}
}

var errNotServed = fmt.Errorf("the server does not serve it after %s; fix: look at the conditions of the CustomResourceDefinition", established)

func uncertain(err error) bool {
	var failed *cluster.Error
	return errors.As(err, &failed) && failed.Status() >= 500
}
