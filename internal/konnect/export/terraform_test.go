package export

import (
	"fmt"
	"regexp"
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
		seen, ids := map[string]bool{}, map[string]bool{}
		above := chain
		for _, m := range field.FindAllStringSubmatch(id, -1) {
			if m[1] == "id" || b.MapKey != "" && m[1] == b.MapKey {
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
		parent.children = []*Resource{{Type: cat.Kind("control_plane_membership"), Object: &resource.Object{Fields: map[string]any{}}, Parent: parent}}
		if got := Terraform(&Snapshot{Catalog: cat, Roots: []*Resource{parent}}); got.Resources != want {
			t.Errorf("%s: %d resources\n%s", cluster, got.Resources, got.Files[0].Data)
		}
	}
}
