package laws

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// What an inverse plan says that it cannot restore of a deleted resource, because no plan
// holds it, the plan that deletes it has said: fields that are not returned, and secrets.
func TestDeletesSayWhatTheirInverseCannotRestore(t *testing.T) {
	var fields, secrets atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields, %d secrets", fields.Load(), secrets.Load())
		if fields.Load() < 2 || secrets.Load() < 10 {
			t.Error("too few were named")
		}
	})
	lacks := regexp.MustCompile(`the plan does not hold its (.*)$`)
	unset := regexp.MustCompile(`with --write-secret \((.*)\)`)
	eachType(t, func(t *testing.T, s *scene) {
		for i, f := range twice(append(secretFeatures(s.t), nil)) {
			w := newWorld(t)
			w.keep = true
			one := newScene(w, w.cat.Kind(s.t.Kind))
			one.sampleOf(f)
			if w.try(one.text()).HasErrors() {
				continue
			}
			w.run(w.plan(one.text(), plan.ModeSync))
			one.emptied()
			text := one.text()
			if i%2 == 0 {
				text = emptyLists(one, nothing)
			}
			if w.try(text).HasErrors() {
				continue
			}
			p := w.plan(text, plan.ModeSync)
			if len(p.Changes) == 0 {
				continue
			}
			said := ""
			for _, x := range p.Warnings {
				said += x.Message + "\n"
			}
			w.run(p)
			back, _ := w.inverse(p)
			for _, x := range back.Warnings {
				for _, name := range namedBy(lacks, x.Message) {
					fields.Add(1)
					if !strings.Contains(said, "(nothing returns its ") && !strings.Contains(said, "the secret "+name+" of ") || !strings.Contains(said, name) {
						t.Errorf("%s: the inverse plan says %q, the plan %q", s.t.Kind, x.Message, said)
					}
				}
				for _, name := range namedBy(unset, x.Message) {
					secrets.Add(1)
					if !strings.Contains(said, "the secret "+name+" of ") && !strings.Contains(said, " more") {
						t.Errorf("%s: the inverse plan says %q, the plan %q", s.t.Kind, x.Message, said)
					}
				}
			}
		}
	})
}

// namedBy are the names that a sentence lists.
func namedBy(form *regexp.Regexp, sentence string) []string {
	if m := form.FindStringSubmatch(sentence); m != nil {
		return strings.Split(m[1], ", ")
	}
	return nil
}

func twice[T any](list []T) (out []T) {
	for _, x := range list {
		out = append(out, x, x)
	}
	return out
}
