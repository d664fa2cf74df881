package plugin_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// sample is a value that a field takes, as small as may be.
func sample(f *plugin.Field) any {
	switch {
	case f.HasDefault && f.Default != nil:
		return f.Default
	case len(f.OneOf) > 0 && f.Kind == plugin.KindString:
		return f.OneOf[0]
	case len(f.OneOf) > 0:
		return json.Number(f.OneOf[0])
	}
	switch f.Kind {
	case plugin.KindRecord:
		return smallest(f)
	case plugin.KindArray, plugin.KindSet:
		return []any{sample(f.Element)}
	case plugin.KindMap:
		return map[string]any{"k": sample(f.Element)}
	case plugin.KindBoolean:
		return true
	case plugin.KindNumber, plugin.KindInteger:
		if f.Min != nil {
			return *f.Min
		}
		return 1.0
	}
	n := 1
	if f.MinLen != nil {
		n = *f.MinLen
	}
	return strings.Repeat("x", n)
}

// smallest has what a record cannot do without.
func smallest(f *plugin.Field) map[string]any {
	out := map[string]any{}
	for _, x := range f.Fields {
		needed := x.Required && !x.HasDefault
		if f.Some != nil && x.Name == f.Some[0] || needed {
			out[x.Name] = sample(x)
		}
	}
	return out
}

func TestAllPluginsAreKnown(t *testing.T) {
	if n := len(plugin.Names()); n != 111 {
		t.Errorf("%d plugins, want 111", n)
	}
	if plugin.Lookup("nonesuch") != nil {
		t.Error("a plugin that nobody knows is known")
	}
}

// What a plugin cannot do without is enough; filled in it is still right, and
// filling in a second time changes nothing. The schema that is served says the
// same as the table.
func TestEveryPlugin(t *testing.T) {
	for _, name := range plugin.Names() {
		t.Run(name, func(t *testing.T) {
			p := plugin.Lookup(name)
			if len(p.Protocols) == 0 || !slices.ContainsFunc(p.DefaultProtocols, func(x string) bool { return slices.Contains(p.Protocols, x) }) {
				t.Errorf("protocols %v, by default %v", p.Protocols, p.DefaultProtocols)
			}
			config := smallest(p.Config)
			p.Config.Complete(config)
			if wrong := p.Config.Check(value.Path{"config"}, config); len(wrong) > 0 {
				t.Fatalf("%v in %v", wrong, config)
			}
			again := roundTrip(t, config)
			p.Config.Complete(again)
			if diff := cmp.Diff(roundTrip(t, config), roundTrip(t, again)); diff != "" {
				t.Errorf("filled in again (-once +twice):\n%s", diff)
			}
			for _, f := range p.Config.Fields {
				if _, has := config[f.Name]; !has {
					t.Errorf("%s is not filled in", f.Name)
				}
			}
			served, err := plugin.Served(roundTrip(t, map[string]any{"fields": []any{map[string]any{"config": p.Config.Schema()}}}))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []map[string]any{config, {}, {"nonesuch": true}, wrong(p.Config)} {
				if diff := cmp.Diff(reasons(p.Config, c), reasons(served, c)); diff != "" && p.Config.Some == nil {
					t.Errorf("what is wrong with %v (-table +served):\n%s", c, diff)
				}
			}
		})
	}
}

// wrong has a text where none may be, in every field that takes none.
func wrong(f *plugin.Field) map[string]any {
	out := map[string]any{}
	for _, x := range f.Fields {
		if x.Kind != plugin.KindString && x.Kind != plugin.KindAny {
			out[x.Name] = "wrong"
		}
	}
	return out
}

func reasons(f *plugin.Field, config map[string]any) []string {
	var out []string
	for _, p := range f.Check(value.Path{"config"}, config) {
		out = append(out, p.Path.String()+": "+p.Reason)
	}
	slices.Sort(out)
	return out
}

func roundTrip(t *testing.T, v map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Each value of a wrong type is found, in every field of every plugin, and a
// reference to a vault is accepted in its place.
func TestWrongTypesAreFound(t *testing.T) {
	for _, name := range plugin.Names() {
		config := plugin.Lookup(name).Config
		for _, f := range config.Fields {
			if f.Kind == plugin.KindAny {
				continue
			}
			var not any = map[string]any{"no": "such"}
			if f.Kind == plugin.KindMap || f.Kind == plugin.KindRecord {
				not = "text"
			}
			if len(f.Check(value.Path{f.Name}, not)) == 0 {
				t.Errorf("%s: %s accepts %v", name, f.Name, not)
			}
			scalar := !slices.Contains([]string{plugin.KindRecord, plugin.KindArray, plugin.KindSet, plugin.KindMap}, f.Kind)
			if wrong := f.Check(value.Path{f.Name}, "{vault://env/x}"); scalar && len(wrong) > 0 {
				t.Errorf("%s: %s refuses a reference to a vault: %v", name, f.Name, wrong)
			}
		}
	}
}

// A field that is named like a secret is one, unless it was reviewed.
func TestNamesOfSecrets(t *testing.T) {
	public := []string{"jwt_session_cookie", "login_tokens"}
	seen := map[string]bool{}
	var walk func(where string, f *plugin.Field)
	walk = func(where string, f *plugin.Field) {
		if f.Element != nil {
			walk(where, f.Element)
		}
		for _, x := range f.Fields {
			at := where + "." + x.Name
			leaf := x
			for leaf.Element != nil {
				leaf = leaf.Element
			}
			isSecret := x.IsSecret()
			switch {
			case leaf.Kind != plugin.KindString || isSecret:
			case slices.Contains(public, x.Name):
				seen[x.Name] = true
			case value.NamesSecret(x.Name):
				t.Errorf("%s is named like a secret: list it as secret or as public in supplement.yaml", at)
			}
			if !isSecret {
				walk(at, x)
			}
		}
	}
	for _, name := range plugin.Names() {
		walk(name, plugin.Lookup(name).Config)
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, public) {
		t.Errorf("public fields %v, want %v", got, public)
	}
}

// An identifier is encrypted by some plugins, by others it is not, and its name does not
// speak of what opens something.
func TestIdentifiers(t *testing.T) {
	encrypted, plain := map[string]bool{}, map[string]bool{}
	var walk func(where string, f *plugin.Field)
	walk = func(where string, f *plugin.Field) {
		if f.Element != nil {
			walk(where, f.Element)
		}
		for _, x := range f.Fields {
			switch {
			case x.Identifier:
				encrypted[x.Name] = true
				if x.IsSecret() || plugin.Secret(where, []string{x.Name}) && plugin.Lookup(where).Config == f {
					t.Errorf("%s: %s is an identifier and secret", where, x.Name)
				}
				for _, word := range []string{"key", "secret", "token", "password", "user", "cert", "value"} {
					if strings.Contains(x.Name, word) {
						t.Errorf("%s: %s is no identifier", where, x.Name)
					}
				}
			case !x.Encrypted:
				plain[x.Name] = true
			}
			walk(where, x)
		}
	}
	for _, name := range plugin.Names() {
		walk(name, plugin.Lookup(name).Config)
	}
	want := []string{"aws_assume_role_arn", "aws_role_session_name", "azure_client_id", "azure_tenant_id", "client_id"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(encrypted))); diff != "" {
		t.Errorf("identifiers (-want +got):\n%s", diff)
	}
	for _, name := range want {
		if !plain[name] {
			t.Errorf("every plugin encrypts %s", name)
		}
	}
}

func TestChecks(t *testing.T) {
	for _, row := range []struct {
		what, name string
		config     map[string]any
		want       []string
	}{
		{"limits", "rate-limiting", map[string]any{"minute": 1.0, "redis": map[string]any{"port": 65536.0}}, []string{"config.redis.port: value should be between 0 and 65535"}},
		{"an unknown field below", "rate-limiting", map[string]any{"minute": 1.0, "redis": map[string]any{"hots": "h"}}, []string{"config.redis.hots: unknown field"}},
		{"null below", "rate-limiting", map[string]any{"minute": 1.0, "redis": map[string]any{"cloud_authentication": nil, "host": nil}}, nil},
		{"a wrong item", "cors", map[string]any{"methods": []any{"GET", "FETCH"}}, []string{"config.methods[1]: expected one of: CONNECT, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, TRACE"}},
		{"a whole number", "request-termination", map[string]any{"status_code": 200.5}, []string{"config.status_code: expected an integer"}},
		{"numbers that are allowed", "acme", map[string]any{"account_email": "a", "rsa_key_size": 1024.0}, []string{"config.rsa_key_size: expected one of: 2048, 3072, 4096"}},
		{"nothing of several", "rate-limiting", nil, []string{"config: at least one of these fields must be non-empty: second, minute, hour, day, month, year"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			config := row.config
			if config == nil {
				config = map[string]any{}
			}
			p := plugin.Lookup(row.name)
			p.Config.Complete(config)
			if diff := cmp.Diff(row.want, reasons(p.Config, config)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPartialsGiveRedis(t *testing.T) {
	for name, want := range map[string]map[string][]string{
		"rate-limiting":          {"redis-ce": {"config.redis"}},
		"rate-limiting-advanced": {"redis-ee": {"config.redis"}},
		"openid-connect":         {"redis-ee": {"config.cluster_cache_redis", "config.redis"}},
		"basic-auth":             {"redis-ce": {"config.brute_force_protection.redis"}},
		"cors":                   {},
	} {
		if diff := cmp.Diff(want, plugin.Lookup(name).Partials); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWithout(t *testing.T) {
	f := plugin.Lookup("rate-limiting").Config.Without([]value.Path{{"redis"}})
	config := map[string]any{"minute": 1.0, "redis": "whatever"}
	f.Complete(config)
	if wrong := f.Check(nil, config); len(wrong) > 0 {
		t.Error(wrong)
	}
}
