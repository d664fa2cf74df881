package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/value"
)

// repairer makes a body one that loads: what the contract lets Konnect return and
// not take is left out.
type repairer struct {
	t    *catalog.Bound
	body map[string]any
	lost []string // reported
}

// rounds bounds how often leaving something out can uncover the next problem.
const rounds = 5

func (m *repairer) repair(live map[string]any) {
	for range rounds {
		changed := false
		for _, v := range m.violations() {
			changed = m.leaveOut(v) || changed
		}
		if !changed {
			break
		}
	}
	m.settle(live)
	m.agree()
}

// settle writes fields that something else would stand for, as they are.
func (m *repairer) settle(live map[string]any) {
	normalize := catalog.Normalizer(m.t)
	if len(m.t.FrontMatter) == 0 {
		return
	}
	v, _ := normalize(value.From(value.Pos{}, plain(m.body, value.UnknownText)))
	for _, f := range m.t.FrontMatter {
		if have := live[f]; m.body[f] == nil && have != nil && v.Has(f) && !value.Equal(v.Field(f).Plain(nil), have) {
			m.body[f] = have
		}
	}
}

func (m *repairer) violations() []contract.Violation {
	body, _ := plain(m.body, value.UnknownText).(map[string]any)
	delete(body, m.t.MapKey)
	return m.t.ValidateBody(m.t.WriteOp(), body, func(path []string) bool {
		v, _ := value.Get(m.body, path)
		_, secret := v.(secretMark)
		return secret
	})
}

// leaveOut drops the part that a violation is about, or the nearest around it
// that need not be there.
func (m *repairer) leaveOut(v contract.Violation) bool {
	for p := value.Path(v.Path); len(p) > 0; p = p[:len(p)-1] {
		if _, there := value.Get(m.body, p); !there || !m.mayGo(p) {
			continue
		}
		value.Delete(m.body, p)
		if _, still := value.Get(m.body, p); still {
			continue // an element of a list
		}
		m.lost = append(m.lost, fmt.Sprintf("%s %s", value.Path(v.Path), v.Detail))
		return true
	}
	return false
}

func (m *repairer) mayGo(p value.Path) bool {
	if m.t.IsIdentity(p.Generic()) || p[0] == m.t.MapKey {
		return false
	}
	above, _ := value.Get(m.body, p[:len(p)-1])
	fields, ok := above.(map[string]any)
	if !ok {
		return false
	}
	s := m.t.Write().At(p[:len(p)-1], m.body)
	if s == nil {
		return true
	}
	f := s.Object(fields).Field(p[len(p)-1])
	return f == nil || !f.Required
}

// agree leaves out fields that contradict what the type reads out of others.
func (m *repairer) agree() {
	normalize := catalog.Normalizer(m.t)
	if normalize == nil {
		return
	}
	problems := func() int {
		_, diags := normalize(value.From(value.Pos{}, plain(m.body, value.UnknownText)))
		n := 0
		for _, d := range diags {
			if d.Severity == diag.Error { // a warning contradicts nothing
				n++
			}
		}
		return n
	}
	n := problems()
	if n > 0 && len(m.t.FrontMatter) > 0 {
		m.body[catalog.OverrideKey] = true
		n = problems()
	}
	for _, k := range slices.Sorted(maps.Keys(m.body)) {
		if n == 0 {
			return
		}
		if !m.mayGo(value.Path{k}) {
			continue
		}
		was := m.body[k]
		delete(m.body, k)
		if now := problems(); now < n {
			n = now
			m.lost = append(m.lost, k+" contradicts what the content says of it")
			continue
		}
		m.body[k] = was
	}
}

// differences are the fields that a sync of the body would change.
func (m *repairer) differences(live map[string]any) []string {
	desired, _ := plain(m.body, nil).(map[string]any)
	if normalize := catalog.Normalizer(m.t); normalize != nil {
		v, _ := normalize(value.From(value.Pos{}, desired))
		desired, _ = v.Plain(nil).(map[string]any)
	}
	var out []string
	for _, c := range diff.Compare(m.t, desired, live, diff.Whole).Changes {
		out = append(out, c.Path.String())
	}
	return out
}

// tell reports what does not come back.
func (w *writer) tell(r *Resource, m *repairer) {
	what := capital(r.what())
	if len(m.lost) > 0 {
		w.warn(diag.ExpLeftOut, fmt.Sprintf("%s has values that a configuration cannot hold, so they are left out:\n%s", what, strings.Join(m.lost, "\n")),
			"set them in Konnect where they matter.")
	}
	if changes := m.differences(r.Object.Fields); len(changes) > 0 {
		w.warn(diag.ExpDiffers, fmt.Sprintf("%s does not come back as it is: a plan would change %s.", what, strings.Join(changes, ", ")),
			"compare the plan before you run it.")
	}
	secrets, unread := marks(m.body)
	for _, p := range secrets {
		w.warn(diag.ExpSecret, fmt.Sprintf("Konnect does not show the secret %s of %s; the export takes it from the variable %s.", p, r.what(), w.variables[r][p.String()]),
			"set the variable where the resource is created again, or take the secret from elsewhere.")
	}
	for _, p := range unsaid(r.Type, m.body, r.Object.Fields) {
		w.warn(diag.ExpSecret, fmt.Sprintf("Konnect does not show the secret %s of %s, nor whether there is one; the export leaves it out.", p, r.what()),
			"add it, with !secret, if it was set: a resource that is created again needs it.")
	}
	for _, p := range unread {
		w.warn(diag.ExpUnread, fmt.Sprintf("Konnect does not return %s of %s; a placeholder stands for it.", p, r.what()),
			"put the value in its place: a plan is the same, but a new resource needs it.")
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
