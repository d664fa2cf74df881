package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// configOf is a configuration with texts that hold a canary in every field that
// can hold one.
func configOf(f *plugin.Field, texts func() string) any {
	switch f.Kind {
	case plugin.KindRecord:
		out := map[string]any{}
		for _, x := range f.Fields {
			out[x.Name] = configOf(x, texts)
		}
		return out
	case plugin.KindArray, plugin.KindSet:
		return []any{configOf(f.Element, texts), configOf(f.Element, texts)}
	case plugin.KindMap:
		return map[string]any{"x-plain": configOf(f.Element, texts), "authorization": configOf(f.Element, texts)}
	case plugin.KindAny:
		return map[string]any{"note": texts(), "password": texts()}
	default:
		return texts()
	}
}

// TestOneRuleForSecrets: what a plan hides of a plugin is in no export, neither in
// a file nor in a configuration, and the embedded Konnect does not show it. An
// export in a configuration loads again.
func TestOneRuleForSecrets(t *testing.T) {
	forms := []string{"canary%d", "Authorization: Bearer canary%d", "Authorization:Basic canary%d", "x-api-key:canary%d", "https://u:canary%d@h/", "X-Mode: canary%d"}
	hidden, pairs := 0, 0
	for _, name := range append(plugin.Names(), "of-my-own") {
		for i, form := range forms {
			n := 0
			texts := func() string { n++; return fmt.Sprintf(form, 1000+n) + "z" }
			config := any(map[string]any{"client_secret": texts(), "add": map[string]any{"headers": []any{texts()}}, "note": texts()})
			if p := plugin.Lookup(name); p != nil {
				config = configOf(p.Config, texts)
			}
			entity := map[string]any{"name": name, "config": config}
			shown, _ := json.Marshal(hide(kindPlugin, name, nil, entity))
			d := NewDump(map[string]any{"plugins": []any{entity}}, "edge", map[string]bool{})
			file, err := d.File()
			if err != nil {
				t.Fatal(err)
			}
			inline := d.Inline().Field(keyState)
			if diags := checkInline(inline); len(diags) > 0 {
				t.Errorf("%s: the export does not load: %v", name, diags.Err())
			}
			state, _, _ := stateOf(inline, ".")
			inState, _ := json.Marshal(state)
			page, _ := json.Marshal(plugin.HideConfig(name, value.Clone(config).(map[string]any), Hidden))
			for c := 1; c <= n; c++ {
				canary := fmt.Sprintf("canary%dz", 1000+c)
				if strings.Contains(string(shown), canary) {
					continue
				}
				hidden++
				if i == 1 {
					pairs++
				}
				for where, text := range map[string]string{"file": string(file), "configuration": string(inState), "page": string(page)} {
					if strings.Contains(text, canary) {
						t.Errorf("%s: %s: the plan hides it, and the %s shows it", name, fmt.Sprintf(form, 1000+c), where)
					}
				}
			}
		}
	}
	t.Logf("%d texts hidden, %d of them in the form of a header", hidden, pairs)
	if hidden < 1000 || pairs < 200 {
		t.Errorf("only %d texts hidden, %d of them in the form of a header", hidden, pairs)
	}
}

// A stand-in keeps the name of its header.
func TestStandInOfAHeader(t *testing.T) {
	d := NewDump(map[string]any{"plugins": []any{map[string]any{
		"name": "request-transformer", "config": map[string]any{"add": map[string]any{"headers": []any{"Authorization: Bearer x"}}},
	}}}, "edge", map[string]bool{})
	if len(d.Secrets) != 1 || !strings.HasPrefix(d.Secrets[0].StandIn(), "Authorization: not-the-secret-") {
		t.Errorf("%+v", d.Secrets)
	}
}

// What fills a plugin in place of a secret fits fields that limit their length.
func TestStandInHasAFixedLength(t *testing.T) {
	one, two := DumpedSecret{Variable: "DECK_EDGE_PLUGINS_SAML_CONFIG_SESSION_SECRET"}.StandIn(), DumpedSecret{Variable: "DECK_B"}.StandIn()
	if len(one) != 32 || len(two) != 32 || one == two {
		t.Errorf("%q and %q", one, two)
	}
}
