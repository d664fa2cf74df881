package laws

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// secretsSent counts the secrets of samples in what was sent.
func secretsSent(sent string) int {
	return strings.Count(sent, canary) + strings.Count(sent, strings.ReplaceAll(key, "\n", `\n`))
}

// An update that sends secrets again, since Konnect would lose them, is undone by one
// that sends them, too, or not at all: undoing takes no secret away.
func TestUndoneUpdatesKeepSecrets(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		t.Logf("%v", seen.n)
		if seen.n["restored"] < 10 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range spread(allSecretFeatures(s.t), maxFeatures/2) {
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			was := newScene(w, typ)
			if typ.Parent != nil {
				was.below = was.parent(typ)
			}
			from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
			for _, name := range []string{"description", "display_name"} { // so that there is something to change
				if at := typ.Write().At([]string{name}, from); at != nil && at.Type == "string" && from[name] == nil {
					from[name] = "text"
				}
			}
			to, changed := other(typ, from, false)
			is := &scene{w: w, t: typ, lists: maps.Clone(was.lists), below: was.below}
			was.add(typ, from, was.below)
			ref := is.add(typ, to, is.below)
			if !changed || w.try(was.text()).HasErrors() || w.try(is.text()).HasErrors() {
				continue
			}
			w.run(w.plan(was.text(), plan.ModeSync))
			p := w.plan(is.text(), plan.ModeSync, ref)
			if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update || len(p.Changes[0].SecretWrites) == 0 {
				continue
			}
			before := w.wire.sent.Len()
			w.run(p)
			there, writes := w.wire.sent.Len(), len(w.wire.writes)
			cannot := w.undo(p, "plans never contain secrets")
			sent := w.wire.sent.String()
			forth, back := secretsSent(sent[before:there]), secretsSent(sent[there:])
			switch {
			case len(w.wire.writes) == writes && slices.ContainsFunc(cannot, func(text string) bool { return strings.Contains(text, "the plan does not hold its") }):
				seen.add("left out", 1)
			case len(cannot) > 0 || forth != back:
				t.Errorf("%s%s: the update sent %d secrets, undoing it %d: %v", s.t.Kind, f, forth, back, cannot)
			default:
				seen.add("restored", 1)
				w.settled(was.text(), plan.ModeSync)
			}
		}
	})
}
