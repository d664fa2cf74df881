package query_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// memory is a list of objects.
type memory struct {
	objects []*resource.Object
	single  *resource.Object
}

func (m memory) List(context.Context, remote.Scope) ([]*resource.Object, error) {
	return m.objects, nil
}

func (m memory) Read(context.Context, remote.Scope, string) (*resource.Object, error) {
	return m.single, nil
}

func (m memory) Whoami(context.Context, string) (map[string]any, error) { return nil, nil }

func object(body map[string]any) *resource.Object {
	id, _ := body["id"].(string)
	o := catalog.NewObject(id, body, nil, "")
	catalog.Keep(o, body)
	return o
}

func load(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func TestNames(t *testing.T) {
	cat := load(t)
	var objects []*resource.Object
	for _, x := range [][3]string{{"1", "a", "x"}, {"2", "a", "y"}, {"3", "b", "x"}, {"4", "1", "z"}, {"5", "x", "w"}} {
		objects = append(objects, object(map[string]any{"id": x[0], "name": x[1], "display_name": x[2]}))
	}
	for word, want := range map[string]string{"1": "1", "b": "3", "y": "2", "x": "5", "w": "5"} {
		r := query.Request{Asked: query.Asked{Type: cat.Kind("portal").Type, Name: word}}
		a, err := query.Run(context.Background(), memory{objects: objects}, cat, r)
		if err != nil || a.Bodies[0]["id"] != want {
			t.Errorf("%s: %v, %v; want %s", word, a, err, want)
		}
	}
	r := query.Request{Asked: query.Asked{Type: cat.Kind("portal").Type, Name: "a"}}
	_, err := query.Run(context.Background(), memory{objects: objects}, cat, r)
	var several *query.AmbiguousError
	if !errors.As(err, &several) || !reflect.DeepEqual(several.IDs, []string{"1", "2"}) {
		t.Errorf("a: %v", err)
	}
	r.Name, r.Parents = "", map[string]query.Selection{"portal": {ID: "9"}}
	_, err = query.Run(context.Background(), memory{objects: objects}, cat, r)
	var missing *query.NotFoundError
	if !errors.As(err, &missing) {
		t.Errorf("an id that does not exist: %v", err)
	}
}

// What the contract marks as secret is not shown, even if Konnect returned it.
func TestSecretsAreMasked(t *testing.T) {
	cat := load(t)
	settings := object(map[string]any{"oidc_client_secret": "canary", "oidc_auth_enabled": true, "oidc_config": map[string]any{"client_secret": nil}})
	r := query.Request{Asked: query.Asked{Type: cat.Kind("portal_auth_settings").Type}, Parents: map[string]query.Selection{"portal": {ID: "p"}}}
	a, err := query.Run(context.Background(), memory{single: settings}, cat, r)
	if err != nil || a.Bodies[0]["oidc_client_secret"] != query.Hidden || a.Bodies[0]["oidc_auth_enabled"] != true {
		t.Errorf("%v, %v", a, err)
	}
	oauth := object(map[string]any{"id": "o", "client_secret": "canary", "hash_secret": true})
	r = query.Request{Asked: query.Asked{Type: cat.Kind("gateway_oauth2_credential").Type}, Parents: map[string]query.Selection{"control-plane": {ID: "c"}}}
	a, err = query.Run(context.Background(), memory{objects: []*resource.Object{oauth}}, cat, r)
	if err != nil || a.Bodies[0]["client_secret"] != query.Hidden || a.Bodies[0]["hash_secret"] != true {
		t.Errorf("a switch is no secret: %v, %v", a, err)
	}
	keyAuth := object(map[string]any{"id": "k", "key": "canary", "tags": []any{"a"}})
	r = query.Request{Asked: query.Asked{Type: cat.Kind("gateway_key_auth").Type}, Parents: map[string]query.Selection{"control-plane": {ID: "c"}}}
	a, err = query.Run(context.Background(), memory{objects: []*resource.Object{keyAuth}}, cat, r)
	if err != nil || a.Bodies[0]["key"] != query.Hidden {
		t.Errorf("%v, %v", a, err)
	}
	if keyAuth.Fields["key"] != "canary" {
		t.Error("the object itself was changed")
	}
	for _, row := range a.Table(true).Rows {
		for _, cell := range row {
			if cell == "canary" {
				t.Error("the table shows a secret")
			}
		}
	}
}

// canaries is a configuration with a canary in each field that holds a secret.
func canaries(f *plugin.Field, secret bool) any {
	secret = secret || f.IsSecret()
	switch f.Kind {
	case plugin.KindRecord:
		out := map[string]any{}
		for _, x := range f.Fields {
			if v := canaries(x, secret); v != nil {
				out[x.Name] = v
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case plugin.KindMap:
		if v := canaries(f.Element, secret); v != nil {
			return map[string]any{"own": v}
		}
	case plugin.KindArray, plugin.KindSet:
		if v := canaries(f.Element, secret); v != nil {
			return []any{v}
		}
	default:
		if secret {
			return "hunter2"
		}
	}
	return nil
}

// The facts about plugins decide what of their configuration is secret.
func TestSecretsOfPluginsAreMasked(t *testing.T) {
	cat := load(t)
	kind := cat.Kind("gateway_plugin")
	fields := 0
	for _, name := range plugin.Names() {
		config := canaries(plugin.Lookup(name).Config, false)
		fields += strings.Count(fmt.Sprint(config), "hunter2")
		got := query.Masked(kind, map[string]any{"id": "p", "name": name, "enabled": true, "config": config})
		if strings.Contains(fmt.Sprint(got), "hunter2") {
			t.Errorf("%s: %v", name, got["config"])
		}
		if got["name"] != name || got["enabled"] != true {
			t.Errorf("%s: plain fields are hidden: %v", name, got)
		}
	}
	if fields < 350 {
		t.Errorf("only %d fields hold secrets", fields)
	}
	config := map[string]any{
		"add":    map[string]any{"headers": []any{"Authorization: Bearer hunter2", "X-Mode: plain"}},
		"remove": map[string]any{"headers": []any{"X-Other"}},
	}
	got := query.Masked(kind, map[string]any{"name": "request-transformer", "config": config})
	want := map[string]any{"name": "request-transformer", "config": map[string]any{
		"add":    map[string]any{"headers": []any{"Authorization: " + query.Hidden, "X-Mode: plain"}},
		"remove": map[string]any{"headers": []any{"X-Other"}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, own := range []string{"own-plugin", ""} {
		got := query.Masked(kind, map[string]any{"name": own, "config": map[string]any{"nested": map[string]any{"client_secret": "hunter2"}}})
		if strings.Contains(fmt.Sprint(got), "hunter2") {
			t.Errorf("a plugin that is not known: %v", got)
		}
	}
}
