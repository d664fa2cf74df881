package cluster

import (
	"errors"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/resource"
)

// TestOldServer asserts that servers are understood that describe each version
// of an API by itself, and that one that is broken is in nobody's way.
func TestOldServer(t *testing.T) {
	documents := map[string]string{
		"/api":    `{"kind":"APIVersions","versions":["v1"]}`,
		"/api/v1": `{"resources":[{"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["list","delete"]},{"name":"pods/eviction","kind":"Eviction","verbs":["create"]}]}`,
		"/apis": `{"groups":[
			{"name":"apps","versions":[{"version":"v1beta1"},{"version":"v1"}],"preferredVersion":{"version":"v1"}},
			{"name":"broken.example.com","versions":[{"version":"v1"}],"preferredVersion":{"version":"v1"}}]}`,
		"/apis/apps/v1":      `{"resources":[{"name":"deployments","namespaced":true,"kind":"Deployment","verbs":["list","delete"]}]}`,
		"/apis/apps/v1beta1": `{"resources":[{"name":"deployments","namespaced":true,"kind":"Deployment","verbs":["list"]}]}`,
	}
	server := newAnswers(t, func(w http.ResponseWriter, r *http.Request) {
		if text, ok := documents[r.URL.Path]; ok {
			answer(200, text)(w, r)
		} else {
			failure(500, "InternalError", "broken")(w, r)
		}
	})
	c := server.open(t)
	k, err := c.Preferred(t.Context(), schema.GroupKind{Group: "apps", Kind: "Deployment"})
	if err != nil || k.Version != "v1" || !k.Deletable {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := c.Kind(t.Context(), schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}); err != nil {
		t.Error(err)
	}
	if _, err := c.Kind(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "Eviction"}); !resource.Missing(err) {
		t.Errorf("a subresource is a kind: %v", err)
	}
	var unavailable *UnavailableKindError
	if _, err := c.Preferred(t.Context(), schema.GroupKind{Group: "broken.example.com", Kind: "Widget"}); !errors.As(err, &unavailable) || resource.Missing(err) {
		t.Errorf("%v", err)
	}
	if got, want := server.count(), 6; got != want {
		t.Errorf("%d requests, want %d: the server is asked once", got, want)
	}
	c.Rediscover()
	if _, _, err := c.Kinds(t.Context()); err != nil || server.count() == 6 {
		t.Errorf("nothing was asked again: %v", err)
	}
}

// TestNoServer asserts what is said about a host that is no API server.
func TestNoServer(t *testing.T) {
	server := newAnswers(t, answer(200, "<html>", "Content-Type", "text/html"))
	_, err := server.open(t).Kind(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	if err == nil || resource.Missing(err) {
		t.Fatal(err)
	}
	t.Log(err)
}
