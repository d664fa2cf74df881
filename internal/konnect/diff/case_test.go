package diff_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A declared text that differs in its capitals alone differs, in every type, but for
// host names: they are the same in any case.
func TestCapitalsDiffer(t *testing.T) {
	tried := 0
	for _, b := range testkit.Catalog(t).All() {
		o := b.Write().Object(nil)
		for _, name := range o.Names() {
			s := o.Field(name).Schema.Deref()
			if b.ReadOnly || b.IsIdentity([]string{name}) || s.Type != "string" || s.ReadOnly || s.Secret || s.WriteOnly {
				continue
			}
			if f, _ := b.Format([]string{name}); f == catalog.Hostname || f == catalog.Domain {
				continue
			}
			tried++
			was := map[string]any{name: "SOME TEXT"}
			d := diff.Compare(b, map[string]any{name: "Some text"}, was, diff.Whole)
			if len(d.Changes)+len(d.Unseen) == 0 {
				t.Errorf("%s: %s differs, and nothing says so", b.Kind, name)
			}
		}
	}
	if tried == 0 {
		t.Error("nothing was tried")
	}
}
