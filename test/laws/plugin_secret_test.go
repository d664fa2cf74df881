package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/plan"
)

// configured writes the configuration of a plugin with a text in every field that is
// secret, and counts them; "" for a plugin without any.
func configured(f *plugin.Field, secret bool, text string) (out string, n int) {
	secret = secret || f.Encrypted || f.Secret
	switch f.Kind {
	case plugin.KindRecord:
		var fields []string
		for _, x := range f.Fields {
			below, m := configured(x, secret, text)
			if n += m; m > 0 {
				fields = append(fields, fmt.Sprintf("%q: %s", x.Name, below))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}", n
	case plugin.KindMap:
		below, m := configured(f.Element, secret, text)
		return fmt.Sprintf("{own: %s}", below), m
	case plugin.KindArray, plugin.KindSet:
		below, m := configured(f.Element, secret, text)
		return fmt.Sprintf("[%s]", below), m
	default:
		if !secret {
			return "", 0
		}
		return text, 1
	}
}

// policies is an AI gateway with a policy for every plugin that has secrets, with a
// text for each of them.
func policies(display, text string) (out string, n int) {
	var b strings.Builder
	fmt.Fprintf(&b, "_defaults: {kongctl: {namespace: laws}}\nai_gateways:\n  - {ref: gw, name: gw, display_name: gw, policies: [\n")
	for _, name := range plugin.Names() {
		config, m := configured(plugin.Lookup(name).Config, false, text)
		if n += m; m > 0 {
			fmt.Fprintf(&b, "      {ref: p-%s, name: p-%s, display_name: %s, type: %s, config: %s},\n", name, name, display, name, config)
		}
	}
	b.WriteString("    ]}\n")
	return b.String(), n
}

// What is secret of a plugin is so in a policy of an AI gateway: it is refused in
// clear, and is in no plan, text, journal, export or answer.
func TestSecretsOfPlugins(t *testing.T) {
	t.Parallel()
	plain, secrets := policies("x", canary)
	if secrets < 400 {
		t.Errorf("only %d secrets were tried", secrets)
	}
	w := newWorld(t)
	refused := 0
	for _, d := range w.try(plain) {
		if d.Code == diag.CfgSecretLiteral {
			refused++
		}
		if strings.Contains(d.Detail+d.Fix, canary) {
			t.Errorf("a message shows the secret: %s", d.Detail)
		}
	}
	if refused != secrets {
		t.Errorf("%d of %d secrets in clear are refused", refused, secrets)
	}
	for _, tag := range []string{"!secret {source: !env LAW_SECRET_WORD}", "!env LAW_SECRET_WORD"} {
		t.Run(strings.Fields(tag)[0][1:], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.loud = true
			for _, display := range []string{"first", "second"} {
				text, _ := policies(display, tag)
				w.run(w.plan(text, plan.ModeSync))
				w.settled(text, plan.ModeSync)
			}
			if sent := strings.Count(w.wire.sent.String(), canary); sent < 2*secrets {
				t.Errorf("%d secrets were written, not those of the create and of the update of %d", sent, secrets)
			}
			if strings.Contains(w.text.String(), canary) {
				t.Error("a plan or an event holds a secret")
			}
			if strings.Contains(stored(t, w), canary) {
				t.Error("the state shows a secret")
			}
			back, warnings := exportedWith(t, w, export.WriteOptions{})
			if strings.Contains(back, canary) {
				t.Error("the export shows a secret")
			}
			if n := len(slices.DeleteFunc(warnings, func(d diag.Diagnostic) bool { return d.Code != diag.ExpSecret })); n != secrets {
				t.Errorf("the export names %d of %d secrets", n, secrets)
			}
			loadsQuietly(t, w, back)
			w.settled(back, plan.ModeSync)
			typ, shown := w.cat.Kind("ai_gateway_policy"), 0
			for _, part := range w.snap.Objects(typ.Neutral()) {
				got := fmt.Sprint(query.Masked(typ, part.Object.Fields))
				if shown++; strings.Contains(got, canary) || !strings.Contains(got, query.Hidden) {
					t.Errorf("an answer shows a secret: %s", got)
				}
			}
			if shown == 0 {
				t.Error("nothing was read")
			}
		})
	}
}
