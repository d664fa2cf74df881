package laws

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// The ref that plans show of a resource to which nobody gave one can be written wherever a
// resource is named: it means the same as the name. Where the field may have other texts as
// well, or takes a name in the place of an id, a diagnostic says to write the name.
func TestPrintedRefInNames(t *testing.T) {
	var means, says atomic.Int64
	afterAll(t, func() {
		t.Logf("in %d fields it means the name, in %d a diagnostic says to write that", means.Load(), says.Load())
		if means.Load() < 8 || says.Load() < 8 {
			t.Error("too few were tried")
		}
	})
	eachNamed(t, func(x *namedCase) {
		managed := x.minimal()
		text := func(way string) string {
			out := strings.ReplaceAll(x.declare(way, managed), x.reference(), strconv.Quote(called))
			return strings.ReplaceAll(out, "ref: "+theNamed+", ", "")
		}
		byName := x.w.plan(text(strconv.Quote(called)), plan.ModeApply)
		i := slices.IndexFunc(x.w.set.Resources, func(r *resource.Resource) bool {
			return r.Type.Kind == x.to.Kind && r.OwnName() == called
		})
		if i < 0 {
			t.Fatalf("no %s is called %q", x.to.Kind, called)
		}
		ref := x.w.set.Resources[i].Ref
		if ref == called {
			t.Fatal("the ref is the name")
		}
		written := text(strconv.Quote(ref))
		p, diags := x.w.tryMode(written, plan.ModeApply)
		told := slices.ContainsFunc(append(x.w.try(written), diags...), func(d diag.Diagnostic) bool {
			return d.Code == diag.RefUnknown && strings.Contains(d.Fix, "write "+called)
		})
		closed := !x.open && x.typ.Neutral().NamedAt(strings.Split(x.field, ".")).Kind != ""
		switch {
		case closed && (told || diags.HasErrors()):
			x.t.Errorf("%s is not taken for the name: %v", ref, diags)
		case diags.HasErrors() && !told, x.open && !told:
			x.t.Errorf("%s: %v", ref, diags)
		case told:
			says.Add(1)
		default:
			means.Add(1)
			if diff := cmp.Diff(doneBy(byName), doneBy(p)); diff != "" {
				x.t.Errorf("by %s (-name +ref):\n%s", ref, diff)
			}
		}
	})
}

// doneBy is what the changes of a plan send, and after which others.
func doneBy(p *plan.Plan) []string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, fmt.Sprint(c.ID, c.Fields, c.DependsOn))
	}
	return out
}
