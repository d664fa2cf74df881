package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// configuring is a resource that configures a plugin.
type configuring struct {
	contract.Configured
	at    value.Path
	name  string
	named bool // the name is known now
	known *plugin.Plugin
}

// configures finds the plugin that a resource configures; false for none.
func configures(c checker) (configuring, bool) {
	op := catalog.Of(c.r).WriteOp()
	if op == nil {
		return configuring{}, false
	}
	of, ok := op.Configuration()
	if !ok {
		return configuring{}, false
	}
	out := configuring{Configured: of, at: value.ParsePath(of.Field)}
	out.name, out.named = of.Named(c.plain)
	if text, isText := c.r.Fields.Field(of.By).Text(); isText && of.By != "" {
		out.name, out.named = text, true // whatever it is
	}
	out.known = plugin.Lookup(out.name)
	return out, true
}

// undecidedSecret reports a secret in the configuration of a plugin that is not known,
// or in a field that a known one does not have: it may be a misspelt secret, and so
// must not be written in another way.
func undecidedSecret(c checker, p value.Path) bool {
	of, ok := configures(c)
	if !ok || !p.HasPrefix(of.at) {
		return false
	}
	undecided := fmt.Sprintf("it is not known whether %s of the %s is a secret", p, c.what())
	if of.known == nil {
		detail, fix := fmt.Sprintf("Which plugin is configured is not known yet, so %s.", undecided), fmt.Sprintf("write the name of the plugin as %s.", of.By)
		if of.named {
			detail, fix = fmt.Sprintf("No plugin %q is known, so %s.", of.name, undecided), of.meant("correct the name.")+" For a plugin that kongctl does not know, "+fromVault
		}
		c.add(diag.CfgPlugin, p, detail, fix)
		c.reported[of.By] = true // said with the secret
		return true
	}
	for n := len(of.at) + 1; n <= len(p); n++ {
		if key, fix := unknownField(c, of, p[:n]); key != "" {
			c.addKey(diag.CfgPluginField, p[:n], fmt.Sprintf("The plugin %s has no field %s that is known, so %s.", of.name, key, undecided), fix+" In a field that kongctl does not know, "+fromVault)
			return true
		}
	}
	return false
}

// fromVault is how to give a plugin a secret in a field that is not known as one.
const fromVault = "refer to a vault: \"{vault://…}\"."

// meant suggests the name of a plugin that is near.
func (of configuring) meant(otherwise string) string {
	if near := diag.Nearest(of.name, plugin.Names()); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// unknownField is a field that neither the plugin nor the contract has, and how to
// correct it; "" for one that is known.
func unknownField(c checker, of configuring, p value.Path) (field, fix string) {
	n := len(p) - 1
	if _, isItem := value.Place(p[n]); isItem {
		return "", ""
	}
	above, _ := of.known.Config.At(p[len(of.at):n])
	at, open := of.known.Config.At(p[len(of.at):])
	if above == nil || at != nil || open || documented(c, p) {
		return "", ""
	}
	for above.Element != nil {
		above = above.Element
	}
	return p[len(of.at):].String(), misspelt(p[n], above.Names(), "correct or remove it.")
}

// misspelt suggests the field that is near.
func misspelt(field string, known []string, otherwise string) string {
	if near := diag.Nearest(field, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// documented reports whether the contract itself has a field or says what its values
// are: then it checks them.
func documented(c checker, p value.Path) bool {
	above := c.schema(p[:len(p)-1])
	if above == nil {
		return false
	}
	in, _ := value.Get(c.plain, p[:len(p)-1])
	m, _ := in.(map[string]any)
	f := above.Object(m).Field(p[len(p)-1])
	return f != nil && !f.Schema.Tabled()
}

// configured warns of what looks wrong in the configuration of a plugin. It is no
// error: gateways may have plugins and fields that are not known here.
func configured(c checker) {
	of, ok := configures(c)
	config, _ := value.Get(c.plain, of.at)
	if !ok || !of.named || config == nil {
		return
	}
	if of.known == nil {
		p := value.Path{of.By}
		c.say(diag.Warn(diag.CfgPlugin, c.r.Fields.Nearest(p), fmt.Sprintf("No plugin %q is known: nothing of what the %s configures is checked, nor known to be a secret.", of.name, c.what()),
			of.meant("correct the name, unless the plugin is your own or newer than this kongctl.")), p)
		return
	}
	for _, x := range of.known.Config.Check(of.at, config) {
		pluginField(c, of, x)
	}
}

// pluginField warns of a field of a plugin. No message holds its value.
func pluginField(c checker, of configuring, x plugin.Problem) {
	n := len(x.Path) - 1
	switch f, _ := of.known.Config.At(x.Path[len(of.at):]); {
	case x.Absent || decided(c, of, x.Path):
	case x.Unknown:
		c.say(diag.Warn(diag.CfgPluginField, c.r.Fields.Lookup(x.Path[:n]).KeyPos(x.Path[n]),
			fmt.Sprintf("The plugin %s has no field %s that is known, in the %s.", of.name, x.Path[len(of.at):], c.what()), misspelt(x.Path[n], x.Known, "correct or remove it, unless your gateway has it.")), x.Path)
	case f == nil || f.IsSecret():
	default:
		detail := fmt.Sprintf("The field %s of the %s is not as the plugin %s takes it: %s.", x.Path, c.what(), of.name, x.Reason)
		takes, given := catalog.Kinds(&contract.Schema{Type: contract.Types(f.Kind)}), resource.KindsOf(c.r.Fields.Lookup(x.Path))
		if !given.Fit(takes) {
			detail = fmt.Sprintf("The plugin %s takes %s in %s of the %s, not %s.", of.name, takes, x.Path, c.what(), given)
		}
		c.say(diag.Warn(diag.CfgPluginField, c.r.Fields.Nearest(x.Path), detail, "correct the value."), x.Path)
	}
}

// decided reports whether what stands at a path, or around it, comes from elsewhere, was
// reported, or is a field of the contract.
func decided(c checker, of configuring, p value.Path) bool {
	for n := len(of.at); n <= len(p); n++ {
		if c.reported[p[:n].String()] || c.r.Fields.Lookup(p[:n]).Expr() != nil || n > len(of.at) && documented(c, p[:n]) {
			return true
		}
	}
	return false
}
