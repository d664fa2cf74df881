package laws

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Forms of an id that a ref may have.
var idForms = map[string]func(ref string) string{
	"UUID":                    func(ref string) string { return strings.ToLower(uuidOf(ref)) },
	"UUID in capital letters": uuidOf,
	"ULID":                    func(ref string) string { return fmt.Sprintf("0%X", sha256.Sum256([]byte(ref)))[:26] },
}

func uuidOf(ref string) string {
	sum := sha256.Sum256([]byte(ref))
	return fmt.Sprintf("%X-%X-%X-%X-%X", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// linked are the links of a configuration in words, with the refs that others stand for, and what
// stands for ids and lookups.
func linked(set *resource.Set, links *resource.Links, back []string) (edges, unnamed []string) {
	name := strings.NewReplacer(back...).Replace
	for _, r := range set.Resources {
		if r.External != nil && r.External.Unnamed {
			unnamed = append(unnamed, r.Type.Kind+" "+r.Ref)
			continue
		}
		if r.Parent != nil {
			edges = append(edges, fmt.Sprintf("%s %s below %s", r.Type.Kind, name(r.Ref), name(r.Parent.Ref)))
		}
		for _, e := range links.From(r) {
			edges = append(edges, fmt.Sprintf("%s %s: %s is %s of %s %s", r.Type.Kind, name(r.Ref), e.Path, e.Field, e.Target.Type.Kind, name(e.Target.Ref)))
		}
	}
	slices.Sort(edges)
	slices.Sort(unnamed)
	return edges, unnamed
}

// A ref in the form of an id is the declared resource wherever it is referred to.
func TestRefInTheFormOfAnID(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d links", tried.Load())
		if tried.Load() < 1500 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		text := s.text()
		set, links := s.w.load(text)
		want, lookups := linked(set, links, nil)
		for form, id := range idForms {
			written, back := text, []string(nil)
			for _, r := range set.Resources {
				if !r.Explicit {
					continue
				}
				to := id(r.Type.Kind + " " + r.Ref)
				back = append(back, to, r.Ref)
				for _, was := range []string{fmt.Sprintf("!ref %q", r.Ref), fmt.Sprintf("%q", r.Ref)} {
					written = strings.ReplaceAll(written, was, fmt.Sprintf("%q", to))
				}
				written = strings.ReplaceAll(written, fmt.Sprintf("!ref \"%s#", r.Ref), fmt.Sprintf("!ref \"%s#", to))
			}
			set, links := s.w.load(written)
			got, unnamed := linked(set, links, back)
			tried.Add(int64(len(got)))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("a %s as ref (-want +got):\n%s", form, diff)
			}
			if diff := cmp.Diff(lookups, unnamed); diff != "" {
				t.Errorf("a %s as ref stands for something that exists (-want +got):\n%s", form, diff)
			}
		}
	})
}

// A dump has ids for refs. It makes in another organization what it was made of, secrets
// and what others own aside.
func TestDumpMakesAnotherOrganization(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d types", tried.Load())
		if tried.Load() < 40 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if len(features(s.t)) == 0 || s.t.ReadOnly {
			return
		}
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		text, warnings := exportedWith(t, s.w, export.WriteOptions{ByID: true})
		if len(warnings) > 0 {
			return // something does not come back
		}
		fresh := newWorld(t)
		fresh.run(fresh.plan(text, plan.ModeApply))
		fresh.settled(text, plan.ModeApply)
		tried.Add(1)
	})
}
