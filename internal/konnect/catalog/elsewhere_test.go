package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// What a response has elsewhere is brought to its place, and the response stays as it
// is.
func TestFieldsOfResponses(t *testing.T) {
	cat := load(t)
	for _, row := range []struct{ name, kind, response, want string }{
		{"from an object of its own", "control_plane", `{"name":"a","config":{"auth_type":"pki","endpoint":"e"}}`, `{"name":"a","auth_type":"pki","config":{"endpoint":"e"}}`},
		{"an object with nothing left is gone", "control_plane", `{"config":{"auth_type":"pki"}}`, `{"auth_type":"pki"}`},
		{"null in its place", "portal_auth_settings", `{"oidc_config":null}`, `{}`},
		{"an id where the response describes", "resource_mapping", `{"service":{"id":"1","name":"n"},"resource":{"type":"t","integration":{"name":"i","instance":{"id":"2"}}}}`, `{"service":"1","resource":{"type":"t","integration":{"name":"i"},"integration_instance":"2"}}`},
		{"another field takes its place", "cloud_gateway_configuration", `{"dataplane_groups":[{"region":"ending"}],"dataplane_group_config":[{"region":"wanted"}]}`, `{"dataplane_groups":[{"region":"wanted"}]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			response, before := object(t, row.response), object(t, row.response)
			if diff := cmp.Diff(object(t, row.want), cat.Kind(row.kind).Fields(response)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(before, response); diff != "" {
				t.Errorf("the response changed:\n%s", diff)
			}
		})
	}
}

// What another field took the place of can still be referred to.
func TestFieldBehindAnother(t *testing.T) {
	b := load(t).Kind("cloud_gateway_configuration")
	body := object(t, `{"dataplane_groups":[{"hostnames":["a.example.com"]}],"dataplane_group_config":[{"region":"wanted"}]}`)
	o := catalog.NewObject("1", b.Fields(body), nil, "")
	catalog.Keep(o, body)
	for path, want := range map[string]any{"dataplane_groups[0].hostnames[0]": "a.example.com", "dataplane_groups[0].region": "wanted"} {
		if got, ok := b.Neutral().Field(o, value.ParsePath(path)); !ok || got != want {
			t.Errorf("%s: %v, %v", path, got, ok)
		}
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := v.(map[string]any)
	return m
}
