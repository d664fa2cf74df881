package object_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/kube/object"
)

func TestParseDependsOn(t *testing.T) {
	for text, want := range map[string][]object.ID{
		"apps/namespaces/prod/Deployment/web":                {{Group: "apps", Kind: "Deployment", Namespace: "prod", Name: "web"}},
		" /namespaces/prod/ConfigMap/a , /Namespace/prod ":   {{Kind: "ConfigMap", Namespace: "prod", Name: "a"}, {Kind: "Namespace", Name: "prod"}},
		"rbac.authorization.k8s.io/ClusterRole/system:basic": {{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "system:basic"}},
	} {
		got, err := object.ParseDependsOn(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{"", "Deployment/web", "apps/namespaces//Deployment/web", "apps/namespace/prod/Deployment/web", "apps//web", "a/b/c/d", "apps/Deployment/", "/Namespace/a,"} {
		if got, err := object.ParseDependsOn(text); err == nil {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}
