package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

// hard is a state of texts that YAML, templates and decK take for something else.
const hard = `{
"_format_version":"3.0",
"services":[{"name":"s","host":"h","port":8080,"tags":["no","on","0012","1e3","~","null",""],
  "routes":[{"name":"r","paths":["/a b","~/x\\d+$"],"headers":{"x-mode":["yes"]}}],
  "plugins":[{"name":"request-termination","config":{"status_code":503,"second":null,"rate":0.25,
    "body":"# no comment\nsay ${{ env \"DECK_X\" }} and $${{ more }}\n","message":"a: b # c","lines":"one\n  two\n","odd":" lead\ttab\u202e\u0007","${{ key }}":"v","KONGCTL":"KONGCTL0;"}}]}],
"consumers":[{"username":"alice","keyauth_credentials":[{"key":"canary-1"},{"key":"canary-2"}],"jwt_secrets":[{"key":"k","secret":" canary: # \"x\"\nsecond\n","algorithm":"HS256"}]},
  {"custom_id":"0012","keyauth_credentials":[{"key":"{vault://env/key}"}]}],
"certificates":[{"id":"1","cert":"CERT\nx\n","key":"-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n"}],
"plugins":[{"name":"http-log","config":{"http_endpoint":"https://u:canary@h/in","headers":{"authorization":"canary"}}}]
}`

func hardState(t *testing.T) map[string]any {
	t.Helper()
	data, err := value.Decode([]byte(hard))
	if err != nil {
		t.Fatal(err)
	}
	return data.(map[string]any)
}

// secretsOf are the values of the variables of a dump, found by what is at their
// place in the state.
func secretsOf(d *Dump) map[string]string {
	all := map[string]string{
		"DECK_EDGE_CONSUMERS_ALICE_KEYAUTH_CREDENTIALS_1_KEY": "canary-1", "DECK_EDGE_CONSUMERS_ALICE_KEYAUTH_CREDENTIALS_2_KEY": "canary-2",
		"DECK_EDGE_CONSUMERS_ALICE_JWT_SECRETS_SECRET":            " canary: # \"x\"\nsecond\n",
		"DECK_EDGE_CERTIFICATES_1_KEY":                            "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n",
		"DECK_EDGE_PLUGINS_HTTP_LOG_CONFIG_HTTP_ENDPOINT":         "https://u:canary@h/in",
		"DECK_EDGE_PLUGINS_HTTP_LOG_CONFIG_HEADERS_AUTHORIZATION": "canary",
	}
	out := map[string]string{}
	for _, s := range d.Secrets {
		out[s.Variable] = all[s.Variable]
	}
	return out
}

// A dump in a file is read back as the state it was made of, once the variables
// are set, and shows no secret.
func TestDumpInAFile(t *testing.T) {
	was := hardState(t)
	d := NewDump(was, "edge", map[string]bool{})
	if diff := cmp.Diff(hardState(t), was); diff != "" {
		t.Errorf("the state was changed (-was +is):\n%s", diff)
	}
	raw, err := d.File()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "canary") {
		t.Errorf("a secret is in the file:\n%s", raw)
	}
	values := secretsOf(d)
	if len(values) != 6 {
		t.Errorf("variables: %v", values)
	}
	doc, diags := Read("kong.yaml", raw, func(name string) (string, bool) { v, ok := values[name]; return v, ok && v != "" })
	if len(diags) > 0 {
		t.Fatalf("%v\n%s", diags.Err(), raw)
	}
	var got any
	if got, err = value.Decode(doc.Content); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(was), got); diff != "" {
		t.Errorf("the state (-was +read):\n%s\n%s", diff, raw)
	}
}

// A dump that stands in a configuration is the same state, and is not refused.
func TestDumpInline(t *testing.T) {
	was := hardState(t)
	d := NewDump(was, "edge", map[string]bool{})
	v := d.Inline().Field(keyState)
	if diags := checkInline(v); len(diags) > 0 {
		t.Error(diags.Err())
	}
	state, _, secrets := stateOf(v, ".")
	values := secretsOf(d)
	for _, s := range secrets {
		source, _ := s.Expression["source"].(map[string]any)
		name, _ := source["env"].(string)
		value.Set(state, value.ParsePath(s.Field)[1:], values[name])
	}
	raw, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	got, err := value.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	delete(was, "_format_version")
	if diff := cmp.Diff(any(was), got); diff != "" {
		t.Errorf("the state (-was +read):\n%s", diff)
	}
}

// Two secrets never share a variable.
func TestDumpVariables(t *testing.T) {
	taken := map[string]bool{}
	one, two := NewDump(hardState(t), "edge a", taken), NewDump(hardState(t), "edge-a", taken)
	seen := map[string]bool{}
	for _, s := range append(one.Secrets, two.Secrets...) {
		if seen[s.Variable] || !strings.HasPrefix(s.Variable, envPrefix) {
			t.Errorf("%s", s.Variable)
		}
		seen[s.Variable] = true
	}
}

func TestWritable(t *testing.T) {
	for kind, want := range map[string]bool{
		"": true, "CLUSTER_TYPE_CONTROL_PLANE": true, "CLUSTER_TYPE_CONTROL_PLANE_GROUP": false, "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER": false,
	} {
		if got := Writable(map[string]any{"config": map[string]any{"cluster_type": kind}}); got != want {
			t.Errorf("%s: %t", kind, got)
		}
	}
}
