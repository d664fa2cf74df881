package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// sharing are pairs of configurations in which what is used gets another identity and
// keeps a value that no two resources may share: one that it declares, or one that
// Konnect makes of its name.
func (u *usage) sharing() map[string][2]string {
	target, out := u.s.w.cat.Kind(u.use.Kind), map[string][2]string{}
	root := target.Root()
	before := u.s.lists[root]
	defer func() { u.s.lists[root] = before }()
	was := sampler{t: target, n: u.n, refs: u.s.reference}.sample(nil)
	text := func(fields map[string]any) string {
		doc := maps.Clone(fields)
		doc["ref"] = u.used
		if target.Parent != nil {
			doc[target.ParentKeys()[0]] = u.s.above[u.used]
		}
		var b strings.Builder
		write(&b, doc)
		u.s.lists[root] = slices.Clone(before)
		u.s.lists[root][u.usedAt] = b.String()
		return u.text(u.user, true)
	}
	for _, field := range target.Unique {
		p := value.ParsePath(field)
		for _, id := range target.Identity {
			is, _ := was[id].(string)
			now := maps.Clone(was)
			now[id] = strings.ToUpper(is)
			if is == "" || sameIdentity(target, was, now) {
				continue
			}
			made := target.Neutral().Generated(p, was)
			if made != "" && made == target.Neutral().Generated(p, now) {
				out[field+" left out"] = [2]string{text(was), text(now)}
			}
			was, now := maps.Clone(was), maps.Clone(now)
			value.Set(was, p, "shared")
			value.Set(now, p, "shared")
			if !u.s.w.try(text(was)).HasErrors() {
				out[field+" declared"] = [2]string{text(was), text(now)}
			}
		}
	}
	return out
}

// What is in use and gets another identity, and keeps a value that no two resources may
// share, is deleted before the new one is created, and what uses it leads to the new one.
func TestUniqueValueIsFreedFirst(t *testing.T) {
	var leftOut, declared atomic.Int64
	afterAll(t, func() {
		if leftOut.Load() == 0 || declared.Load() == 0 {
			t.Errorf("%d values left out, %d declared", leftOut.Load(), declared.Load())
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		for name, pair := range u.sharing() {
			t.Run(name, func(t *testing.T) {
				w := u.s.w
				w.t = t
				w.run(w.plan(pair[0], plan.ModeSync))
				p := w.plan(pair[1], plan.ModeSync)
				if !touches(p, plan.Create, u.use.Kind) || !touches(p, plan.Delete, u.use.Kind) {
					t.Fatalf("%s is not deleted and created: %v", u.used, p.ExecutionOrder)
				}
				w.run(p)
				w.settled(pair[1], plan.ModeSync)
				if strings.HasSuffix(name, "declared") {
					declared.Add(1)
				} else {
					leftOut.Add(1)
				}
			})
		}
	})
}
