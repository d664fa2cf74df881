package export

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// What Terraform imports a resource by names each parent once, and the resource. A key
// that is also the field by which a list knows the resource has the id of that: the
// path of a member may name it before what it is a member of.
func TestImportIDsNameEveryParent(t *testing.T) {
	field := regexp.MustCompile(`(?m)^    (\w+) = "(.*)"$`)
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		var chain []string
		var of func(b *catalog.Bound) *Resource
		of = func(b *catalog.Bound) *Resource {
			r := &Resource{Type: b}
			if b.Parent != nil {
				r.Parent = of(b.Parent)
			}
			r.Object = &resource.Object{ID: fmt.Sprintf("id-%d", len(chain))}
			chain = append(chain, r.Object.ID)
			return r
		}
		id := importID(of(b))
		if own := strings.Contains(id, "    id = "); b.Shape == catalog.Singleton && !own {
			chain = chain[:len(chain)-1]
		}
		if id == "" || len(chain) < 2 && !strings.Contains(id, "jsonencode") {
			continue
		}
		itself := "id"
		if params := pathParam.FindAllStringSubmatch(b.ItemPath(), -1); b.Terraform.IDs[snake(params[len(params)-1][1])] != "" {
			itself = b.Terraform.IDs[snake(params[len(params)-1][1])]
		}
		seen, ids := map[string]bool{}, map[string]bool{}
		above := chain
		for _, m := range field.FindAllStringSubmatch(id, -1) {
			if m[1] == itself || b.MapKey != "" && m[1] == b.MapKey {
				if m[2] != chain[len(chain)-1] {
					t.Errorf("%s: %s is not the resource: %s", b.Kind, m[1], id)
				}
			} else if len(above) == 0 || m[2] != above[0] {
				t.Errorf("%s: %s is not of the parent: %s", b.Kind, m[1], id)
			} else {
				above = above[1:]
			}
			if seen[m[1]] || ids[m[2]] {
				t.Errorf("%s: %s", b.Kind, id)
			}
			seen[m[1]], ids[m[2]] = true, true
		}
		if len(seen) != len(chain) {
			t.Errorf("%s: %d keys for %d resources: %s", b.Kind, len(seen), len(chain), id)
		}
	}
}

// What a parent cannot have is not imported: members of a control plane that is no
// group.
func TestTerraformLeavesOutWhatCannotBe(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for cluster, want := range map[string]int{"CLUSTER_TYPE_CONTROL_PLANE": 1, "CLUSTER_TYPE_CONTROL_PLANE_GROUP": 2} {
		fields := map[string]any{"name": "cp", "cluster_type": cluster}
		parent := &Resource{Type: cat.Kind("control_plane"), Object: &resource.Object{ID: "1", Fields: fields}}
		parent.children = []*Resource{{Type: cat.Kind("control_plane_membership"), Object: &resource.Object{Fields: map[string]any{"members": []any{map[string]any{"id": "2"}}}}, Parent: parent}}
		if got := Terraform(&Snapshot{Catalog: cat, Roots: []*Resource{parent}}); got.Resources != want {
			t.Errorf("%s: %d resources\n%s", cluster, got.Resources, got.Files[0].Data)
		}
	}
}

// resourcesOfTheProvider are the names that a Terraform provider of Konnect documents.
func resourcesOfTheProvider(t *testing.T, file string) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, names, _ := strings.Cut(string(raw), "\n")
	return strings.Fields(names)
}

// Every name that is written is one of a resource of the provider, no two types have the
// same, and a type that has none is not there under its kind.
func TestTerraformHasTheNames(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	stable, beta := resourcesOfTheProvider(t, "terraform-resources.txt"), resourcesOfTheProvider(t, "terraform-beta-resources.txt")
	seen := map[string]string{}
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		names, known := b.Terraform.Names(b.Kind), stable
		if b.Terraform.Beta {
			known = beta
		}
		if (len(names) == 0 || b.Terraform.Beta) && (slices.Contains(stable, b.Kind) || !b.Terraform.Beta && slices.Contains(beta, b.Kind)) {
			t.Errorf("%s: the provider has it", b.Kind)
		}
		if b.Terraform.None != (len(names) == 0) {
			t.Errorf("%s: names %v", b.Kind, names)
		}
		for _, name := range names {
			if !slices.Contains(known, name) {
				t.Errorf("%s: the provider has no konnect_%s", b.Kind, name)
			}
			if other := seen[name]; other != "" {
				t.Errorf("%s and %s are both konnect_%s", b.Kind, other, name)
			}
			seen[name] = b.Kind
		}
		if by := b.Terraform.By; by != "" && b.Write().At([]string{by}, nil) == nil {
			t.Errorf("%s: no field %s", b.Kind, by)
		}
		params := map[string]bool{}
		for _, p := range pathParam.FindAllStringSubmatch(b.ItemPath(), -1) {
			params[snake(p[1])] = true
		}
		for name := range b.Terraform.IDs {
			if !params[name] {
				t.Errorf("%s: %s has no {%s}", b.Kind, b.ItemPath(), name)
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d names", len(seen))
	}
}

// What resources are imported by has the names that the provider documents.
func TestTerraformIDs(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{
		"portal_page":                                        "portal_id id",
		"portal_asset_logo":                                  "",
		"api_publication":                                    "api_id portal_id",
		"control_plane_config_store_secret":                  "control_plane_id config_store_id key",
		"ai_gateway_config_store_secret":                     "gateway_id config_store_id key",
		"ai_gateway_consumer_credential":                     "gateway_id consumer_id id",
		"ai_gateway_consumer_group_consumer":                 "gateway_id consumer_group_id consumer_id",
		"organization_user_role":                             "user_id id",
		"organization_identity_provider_team_group_mapping":  "identity_provider_id id",
		"portal_identity_provider_team_group_mapping":        "portal_id id mapping_id",
		"portal_ip_allow_list":                               "portal_id id",
		"cloud_gateway_private_dns":                          "network_id id",
		"event_gateway_listener":                             "gateway_id id",
		"event_gateway_listener_policy":                      "gateway_id listener_id id",
		"event_gateway_listener_policy_chain":                "gateway_id listener_id",
		"event_gateway_virtual_cluster_produce_policy":       "gateway_id virtual_cluster_id id",
		"event_gateway_virtual_cluster_produce_policy_chain": "gateway_id virtual_cluster_id",
	} {
		var of func(b *catalog.Bound) *Resource
		of = func(b *catalog.Bound) *Resource {
			r := &Resource{Type: b, Object: &resource.Object{ID: b.Kind}}
			if b.Parent != nil {
				r.Parent = of(b.Parent)
			}
			return r
		}
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^    (\w+) = `).FindAllStringSubmatch(importID(of(cat.Kind(kind))), -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", kind, got, want)
		}
	}
}

// A field picks the resource of the provider, and what it has none for is a comment.
func TestTerraformPicksByField(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	gateway := &Resource{Type: cat.Kind("event_gateway"), Object: &resource.Object{ID: "g", Fields: map[string]any{"name": "g"}}}
	listener := &Resource{Type: cat.Kind("event_gateway_listener"), Object: &resource.Object{ID: "l", Fields: map[string]any{"name": "l"}}, Parent: gateway}
	for i, which := range []string{"tls_server", "not_there"} {
		policy := &resource.Object{ID: fmt.Sprint(i), Fields: map[string]any{"name": which, "type": which}}
		listener.children = append(listener.children, &Resource{Type: cat.Kind("event_gateway_listener_policy"), Object: policy, Parent: listener})
	}
	gateway.children = []*Resource{listener}
	board := &Resource{Type: cat.Kind("dashboard"), Object: &resource.Object{ID: "d", Fields: map[string]any{"name": "Traffic"}}}
	domain := &Resource{Type: cat.Kind("portal_email_domain"), Object: &resource.Object{ID: "m", Fields: map[string]any{"domain": "mail.example.com"}}}
	out := Terraform(&Snapshot{Catalog: cat, Roots: []*Resource{gateway, board, domain}})
	text := string(out.Files[0].Data)
	for _, want := range []string{
		"to       = konnect_event_gateway_listener_policy_tls_server.", "    listener_id = \"l\"\n",
		"to       = konnect_dashboard.traffic\n  provider = konnect-beta\n  id       = \"d\"\n",
		"\n# Konnect's Terraform providers have no resource for:\n", "# event_gateway_listener_policy g-l-not_there\n", "# portal_email_domain mail",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if out.Resources != 4 || strings.Count(text, "konnect-beta") != 1 {
		t.Errorf("%d resources\n%s", out.Resources, text)
	}
}

// Over all types: names that Terraform cannot tell apart get addresses that differ, and
// the same ones each time.
func TestTerraformAddressesDiffer(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, b := range cat.All() {
		names := b.Terraform.Names(b.Kind)
		if b.ReadOnly || len(names) == 0 || b.Parent != nil || len(b.Identity) != 1 {
			continue
		}
		tried++
		s := &Snapshot{Catalog: cat}
		for i, name := range []string{"My API", "my-api", "my.api", "my_api", "my_api_2", "MY API 2"} {
			fields := map[string]any{b.Identity[0]: name}
			if b.Terraform.By != "" {
				fields[b.Terraform.By] = b.Terraform.Values[0]
			}
			s.Roots = append(s.Roots, &Resource{Type: b, Object: &resource.Object{ID: fmt.Sprint(i), Fields: fields}})
		}
		out := Terraform(s)
		text := string(out.Files[0].Data)
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^  to       = (konnect_[a-z0-9_]+\.[a-z_][a-z0-9_]*)$`).FindAllStringSubmatch(text, -1) {
			seen[m[1]] = true
		}
		if len(seen) != len(s.Roots) || out.Resources != len(s.Roots) {
			t.Errorf("%s: %d addresses of %d resources:\n%s", b.Kind, len(seen), len(s.Roots), text)
		}
		if again := string(Terraform(s).Files[0].Data); again != text {
			t.Errorf("%s: the second time:\n%s", b.Kind, again)
		}
	}
	if tried < 10 {
		t.Errorf("%d types were tried", tried)
	}
}
