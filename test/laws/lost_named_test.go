package laws

import (
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// What an inverse plan says that it cannot restore, because no plan holds it, the plan that
// deletes it has said in as many words: resources that cannot be without a field that is
// not returned, or without a secret, and the secrets of others.
func TestDeletesSayWhatTheirInverseCannotRestore(t *testing.T) {
	var whole, secrets atomic.Int64
	afterAll(t, func() {
		t.Logf("%d resources, %d secrets", whole.Load(), secrets.Load())
		if whole.Load() < 40 || secrets.Load() < 100 {
			t.Error("too few were named")
		}
	})
	lacks := regexp.MustCompile(`^cannot undo: (.*): the plan does not hold its (.*)$`)
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
			if strings.Contains(said, "(the value of a variable)") {
				t.Errorf("%s: nothing comes from the environment: %q", s.t.Kind, said)
			}
			w.run(p)
			back, _ := w.inverse(p)
			for _, x := range back.Warnings {
				if m := lacks.FindStringSubmatch(x.Message); m != nil {
					whole.Add(1)
					name, _, _ := strings.Cut(m[1], " of ") // the change says of what
					once, _, _ := strings.Cut(name, ` "`)
					want := fmt.Sprintf(" (the plan does not hold its %s)", m[2])
					if !strings.Contains(said, name+want) && !strings.Contains(said, once+want) {
						t.Errorf("%s: the inverse plan says %q, the plan %q", s.t.Kind, x.Message, said)
					}
				} else if strings.Contains(x.Message, "the plan does not hold") {
					t.Errorf("%s: of what is restored the inverse plan says %q", s.t.Kind, x.Message)
				}
				for _, name := range namedBy(unset, x.Message) {
					secrets.Add(1)
					if !strings.Contains(said, "the secret "+name+" of ") {
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
