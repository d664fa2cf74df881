package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// testCase is some configurations and the commands that are run with them.
type testCase struct {
	files map[string]string // by path
	steps []step
}

// step is one command. Faults, where there are any, are what the embedded
// Konnect does wrong meanwhile.
type step struct {
	args   []string
	faults string
}

// newCase makes the case of a seed, always the same one.
func newCase(seed uint64) *testCase {
	r := rand.New(rand.NewPCG(seed, 7))
	c := &testCase{files: map[string]string{}}
	namespaced := r.IntN(3) > 0
	for _, name := range []string{"a", "b", "c"} {
		g := &generator{Rand: r, namespaced: namespaced}
		c.files[name+"/konnect.yaml"] = g.configuration()
		c.files[name+"/gateway.yaml"] = g.gateway()
		c.files[name+"/home.md"] = "# Home of " + name + "\n"
	}
	c.steps = steps(r)
	return c
}

// steps brings about one configuration and then does things with another.
func steps(r *rand.Rand) []step {
	out := []step{run0("sync", "--dir", "a", "--auto-approve", "--skip-blocked")}
	flags := scopeFlags(r)
	mode := pick(r, "sync", "sync", "sync", "apply", "delete")
	verb := mode
	b := []string{"--dir", "b"}
	out = append(out,
		run0(join("plan", b, "--mode", mode, "-o", "json", flags)...),
		run0(join("diff", b, "--mode", mode, flags)...))
	if r.IntN(4) == 0 {
		out = append(out, step{args: join("plan", b, "--mode", mode, "-o", "json", flags), faults: faults(r)})
	}
	switch r.IntN(4) {
	case 0:
		out = append(out, run0(join(verb, b, "--auto-approve", flags)...))
	case 1:
		out = append(out, run0(join(verb, b, "--auto-approve", "-o", "json", flags)...))
	case 2:
		out = append(out,
			run0(join("plan", b, "--mode", mode, "--output-file", "plan.json", flags)...),
			run0(verb, "--plan", "plan.json", "--auto-approve", "-o", "json"),
			run0("plan", "--inverse", "plan.json", "-o", "json"))
	default:
		out = append(out,
			run0(join("plan", b, "--mode", mode, "--output-file", "plan.json", flags)...),
			run0("apply", "--dir", "c", "--auto-approve"),
			run0(verb, "--plan", "plan.json", "--auto-approve", "--on-drift", pick(r, "abort", "skip")))
	}
	out = append(out, run0("plan", "--dir", "b", "-o", "json"))
	switch r.IntN(5) {
	case 0:
		out = append(out, run0("drift", "--dir", "b"))
	case 1:
		out = append(out, run0("drift", "--dir", "c", "-o", "json"))
	case 2:
		out = append(out, run0("export"))
	case 3:
		out = append(out, run0("delete", "--dir", "b", "--auto-approve"))
	default:
		out = append(out, run0("resume", "--auto-approve"))
	}
	return out
}

func run0(args ...string) step { return step{args: args} }

func join(parts ...any) []string {
	var out []string
	for _, p := range parts {
		switch x := p.(type) {
		case string:
			out = append(out, x)
		case []string:
			out = append(out, x...)
		}
	}
	return out
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// scopeFlags are some of the flags that choose and guard.
func scopeFlags(r *rand.Rand) []string {
	var out []string
	one := func(in int, flags ...string) {
		if r.IntN(in) == 0 {
			out = append(out, flags...)
		}
	}
	switch r.IntN(6) {
	case 0:
		out = append(out, "--ignore-refs", pick(r, "p1", "type:api", "type:portal_page", "a1,type:team", "cp1", "type:_deck"))
	case 1:
		out = append(out, "--isolate-refs", pick(r, "p1", "type:api", "type:portal", "a1,a2", "s1", "cp1"))
	}
	one(4, "--prune", pick(r, "declared", "none"))
	one(4, "--allow-replace", pick(r, "s1", "p1", "cp1"))
	one(4, "--allow-empty="+pick(r, "portal,api", "api,team", "team,portal", "control_plane,team", "catalog_service,api"))
	one(6, "--max-deletes", pick(r, "1", "20%"))
	one(3, "--skip-blocked")
	one(5, "--allow-partial")
	one(3, "--allow-pending-external")
	return out
}

// faults let one read fail.
func faults(r *rand.Rand) string {
	on := pick(r, "GET /v3/portals", "GET /v3/apis", "GET /v2/control-planes", "GET /v2/application-auth-strategies", "GET /v3/portals/{portalId}/pages", "GET /v3/teams")
	return fmt.Sprintf(`{"fault":"403:1","on":[%q]}`, on)
}

// generator writes configurations from a small pool of names, so that two of
// them overlap.
type generator struct {
	*rand.Rand
	namespaced bool
	b          strings.Builder
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }
func (g *generator) often() bool                     { return g.IntN(3) > 0 }
func (g *generator) seldom() bool                    { return g.IntN(5) == 0 }
func (g *generator) word() string {
	return pick(g.Rand, "red", "green", "blue", "long and\\nin two lines")
}

func (g *generator) configuration() string {
	if g.namespaced {
		g.line("_defaults: {kongctl: {namespace: %s}}", pick(g.Rand, "web", "web", "web", "ops"))
	}
	g.teams()
	g.strategies()
	g.portals()
	g.controlPlanes()
	g.apis()
	if g.seldom() {
		g.line("catalog_services:\n  - {name: billing, display_name: Billing %s}", pick(g.Rand, "A", "B"))
	}
	if g.IntN(40) == 0 {
		g.line("%s", pick(g.Rand, "portalz: []", "apis: []", "moved: [{type: portal, from: p1, to: p9}]", "teams: {}"))
	}
	return g.b.String()
}

func (g *generator) teams() {
	if g.seldom() {
		g.line("teams: []")
		return
	}
	if !g.often() {
		return
	}
	g.line("teams:")
	for i := range 1 + g.IntN(2) {
		g.line("  - name: t%d\n    description: %q", i+1, g.word())
		g.protection("    ")
	}
}

func (g *generator) protection(indent string) {
	if g.seldom() {
		g.line("%skongctl: {protected: %t}", indent, g.often())
	}
}

func (g *generator) strategies() {
	if !g.often() {
		return
	}
	g.line("application_auth_strategies:")
	for i := range 1 + g.IntN(2) {
		g.line("  - ref: s%d\n    name: s%d\n    display_name: %q", i+1, i+1, g.word())
		if g.seldom() {
			g.line("    strategy_type: openid_connect\n    configs: {openid-connect: {issuer: https://id.example.com, credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}")
		} else {
			g.line("    strategy_type: key_auth\n    configs: {key-auth: {key_names: [%s]}}", pick(g.Rand, "apikey", "key, apikey"))
		}
		g.protection("    ")
	}
}

func (g *generator) portals() {
	if g.seldom() {
		return
	}
	g.line("portals:")
	for i := range 1 + g.IntN(2) {
		if i == 1 && g.seldom() {
			g.line("  - ref: p2\n    _external: {selector: {matchFields: {name: %s}}}", pick(g.Rand, "p2", "elsewhere"))
			continue
		}
		g.line("  - ref: p%d\n    name: p%d\n    display_name: %q", i+1, i+1, g.word())
		g.protection("    ")
		if g.often() {
			g.line("    labels: {tier: %s}", pick(g.Rand, "gold", "silver"))
		}
		if g.often() {
			g.line("    pages:\n      - {slug: home, title: %q, content: !file home.md, visibility: %s}", g.word(), pick(g.Rand, "public", "private"))
			if g.often() {
				g.line("      - slug: guides\n        content: Guides\n        children:\n          - {slug: first, content: %q}", g.word())
			}
		}
		if g.seldom() {
			g.line("    pages: []")
		}
		if g.seldom() {
			g.line("    snippets: [{name: intro, content: %q}]", g.word())
		}
		if g.seldom() {
			g.line("    customization: {theme: {mode: %s}}", pick(g.Rand, "light", "dark"))
		}
		if g.seldom() {
			g.line("    custom_domain: {hostname: %s.example.com, enabled: %t, ssl: {domain_verification_method: http}}", pick(g.Rand, "dev", "docs"), g.often())
		}
		if g.seldom() {
			g.line("    teams: [{name: dev, description: %q}]", g.word())
		}
	}
}

func (g *generator) controlPlanes() {
	if !g.often() {
		return
	}
	g.line("control_planes:\n  - ref: cp1\n    name: cp1\n    description: %q", g.word())
	g.protection("    ")
	switch g.IntN(3) {
	case 0:
		g.line("    _deck: {files: [gateway.yaml]}")
	case 1:
		g.line("    gateway_services:\n      - {ref: svc, _external: {deck: {file: gateway.yaml, service: users}}}")
	}
}

func (g *generator) gateway() string {
	out := "_format_version: \"3.0\"\n_info: {select_tags: [users]}\nservices:\n  - name: users\n    url: http://" + pick(g.Rand, "a", "b") + ".example.com\n"
	if g.often() {
		out += "    routes: [{name: users, paths: [/users]}]\n"
	}
	return out
}

func (g *generator) apis() {
	if g.seldom() {
		return
	}
	have := g.b.String()
	g.line("apis:")
	for i := range 1 + g.IntN(3) {
		g.line("  - ref: a%d\n    name: a%d\n    description: %q", i+1, i+1, g.word())
		if g.often() {
			g.line("    versions: [{version: %s, spec: {content: '{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"a\",\"version\":\"1\"},\"paths\":{}}'}}]", pick(g.Rand, "1.0.0", "2.0.0"))
		}
		if g.often() {
			g.line("    documents: [{slug: readme, title: Readme, content: %q}]", g.word())
		}
		if g.often() && strings.Contains(have, "ref: p1") {
			g.line("    publications:\n      - portal: p1\n        visibility: %s", pick(g.Rand, "public", "private"))
			if g.often() && strings.Contains(have, "ref: s1") {
				g.line("        auth_strategy_ids: [s1]")
			}
		}
		if i == 0 && strings.Contains(have, "ref: svc") {
			g.line("    implementations: [{ref: impl, service: {id: svc, control_plane_id: cp1}}]")
		}
	}
}
