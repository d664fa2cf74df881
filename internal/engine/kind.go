package engine

import (
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// rename brings a saved plan to the kinds that types have now.
func (h Host) rename(p *plan.Plan) error {
	targets := h.targets()
	if err := targets.load(); err != nil {
		return err
	}
	p.Rename(targets.types.Now)
	if p.Foreign() {
		placeForeign(targets.types, p)
		p.KeepSecrets(targets.hide(false))
	}
	p.Mark(targets.types)
	return nil
}

// journal reads a journal, whose plan may be one of before a kind got another
// name.
func (h Host) journal(name string) (*execute.Unfinished, error) {
	u, err := execute.ReadJournal(name)
	if err != nil {
		return nil, err
	}
	return u, h.rename(u.Plan)
}

// present brings permissions to the kinds that types have now: TYPE, TYPE:REF or
// REF.
func present(types *resource.Types, permissions []string) []string {
	var out []string
	for _, name := range permissions {
		if kind, ref, ok := strings.Cut(name, ":"); ok {
			name = types.Now(kind) + ":" + ref
		}
		out = append(out, name)
	}
	return out
}

// emptied are the kinds that may be emptied.
func emptied(types *resource.Types, kinds []string) []string {
	var out []string
	for _, kind := range kinds {
		out = append(out, types.Now(kind))
	}
	return out
}
