package laws

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
)

// What there is once everywhere is imported into Terraform when an export has it, and
// only then: what Konnect makes by itself is in neither as long as nobody changed it.
func TestTerraformHasTheSingletonsOfTheExport(t *testing.T) {
	t.Parallel()
	for _, b := range writable(newWorld(t).cat) {
		if b.Shape != catalog.Singleton {
			continue
		}
		t.Run(b.Kind, func(t *testing.T) {
			t.Parallel()
			s := newScene(newWorld(t), b)
			if b.Parent != nil {
				s.parent(b)
			}
			for _, change := range []func(){func() {}, func() { s.samplesOf(features(b)[:1]) }} {
				change()
				s.w.run(s.w.plan(s.text(), plan.ModeApply))
				written, imported := singletons(t, s.w)
				if diff := cmp.Diff(written, imported); diff != "" {
					t.Errorf("-export +imports of Terraform:\n%s", diff)
				}
			}
		})
	}
}

// singletons are the kinds of what there is once that an export has, and that imports
// of Terraform have or say that no provider has.
func singletons(t *testing.T, w *world) (written, imported []string) {
	t.Helper()
	snap, err := export.Read(context.Background(), w.target, w.cat, export.Options{Children: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := export.Write(snap, export.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set, _ := w.load(string(out.Files[0].Data))
	text := string(export.Terraform(snap).Files[0].Data)
	for _, b := range w.cat.All() {
		if b.Shape != catalog.Singleton || b.ReadOnly {
			continue
		}
		for _, r := range set.Resources {
			if r.Type.Kind == b.Kind && !slices.Contains(written, b.Kind) {
				written = append(written, b.Kind)
			}
		}
		has := strings.Contains(text, "\n# "+b.Kind+" ")
		for _, name := range b.Terraform.Names(b.Kind) {
			has = has || strings.Contains(text, "= konnect_"+name+".")
		}
		if has {
			imported = append(imported, b.Kind)
		}
	}
	return written, imported
}
