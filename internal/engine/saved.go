package engine

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan"
)

// maxPlanSize keeps a wrong file from eating the machine.
const maxPlanSize = 1 << 30

// Load reads a saved plan of kongctl; - is standard input. One that is not as it
// was sealed is refused, and one that is not signed where a key is named.
func (h Host) Load(file string, verify func() (ed25519.PublicKey, error)) (*Planned, error) {
	p, err := h.LoadAny(file, verify)
	if err != nil {
		return nil, err
	}
	if err := allowForeign(p.Plan, false); err != nil {
		return nil, &PlanFileError{file, err}
	}
	return p, nil
}

// LoadAny is Load that also reads plans of Kong's own tool, to be shown. They have
// neither seal nor signature, and may hold secrets, which are hidden.
func (h Host) LoadAny(file string, verify func() (ed25519.PublicKey, error)) (*Planned, error) {
	p, err := h.load(file, verify)
	if err != nil {
		return nil, err
	}
	return p, h.hideSecrets(p)
}

// load reads a plan as it is.
func (h Host) load(file string, verify func() (ed25519.PublicKey, error)) (*Planned, error) {
	key, err := verify()
	if err != nil {
		return nil, err
	}
	work, err := h.WorkDir()
	if err != nil {
		return nil, err
	}
	in, dir := h.Stdin, work
	if file != "-" {
		path, err := h.Absolute(file)
		if err != nil {
			return nil, err
		}
		opened, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read plan %s: %w", file, disk.Cause(err))
		}
		defer func() { _ = opened.Close() }() // nothing was written
		in, dir = opened, filepath.Dir(path)
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxPlanSize))
	if err != nil {
		return nil, fmt.Errorf("read plan %s: %w", file, disk.Cause(err))
	}
	p, err := parse(raw, key)
	if err != nil {
		return nil, &PlanFileError{file, &PlanError{err}}
	}
	if err := h.rename(p); err != nil {
		return nil, err
	}
	return &Planned{Plan: p, Dir: disk.Real(dir), raw: raw}, nil
}

// parse reads a plan of kongctl that is as it was written, or one of Kong's own
// tool.
func parse(raw []byte, key ed25519.PublicKey) (*plan.Plan, error) {
	p, err := plan.ParseForeign(raw)
	switch {
	case err != nil:
		return nil, err
	case p != nil && key != nil:
		return nil, &plan.SealError{Problem: plan.Unsigned}
	case p != nil:
		return p, nil
	}
	if p, err = plan.Parse(raw); err != nil {
		return nil, err
	}
	return p, plan.Verify(raw, key)
}

// Saved is a saved plan to carry out.
type Saved struct {
	File  string
	Trust Trust
	// Verb is what is to carry it out.
	Verb plan.Mode
	// BaseDir is a folder that its files may be in, besides its own.
	BaseDir string
	// AllowForeign takes a plan of another program, which must be stated again
	// before it is carried out.
	AllowForeign bool
}

// Saved reads a saved plan and refuses one that is not to be carried out.
func (h Host) Saved(r Saved) (*Planned, error) {
	p, err := h.load(r.File, r.Trust.Key)
	if err != nil {
		return nil, err
	}
	if err := allowForeign(p.Plan, r.AllowForeign); err != nil {
		return nil, OfPlanFile(r.File, err)
	}
	if err := executable(p.Plan, r.Verb); err != nil {
		return nil, OfPlanFile(r.File, err)
	}
	if err := h.fresh(r.Trust, "the plan was created", p.Plan.Metadata.GeneratedAt); err != nil {
		return nil, OfPlanFile(r.File, err)
	}
	if p.Bases, err = h.bases(r.BaseDir, p.Dir); err != nil {
		return nil, err
	}
	if p.Plan.Foreign() {
		return p, nil
	}
	return p, OfPlanFile(r.File, h.Validate(p.Plan))
}

// Validate refuses a plan that asks for what its kind does not allow, before
// anybody is asked to approve it.
func (h Host) Validate(p *plan.Plan) error {
	return h.targets().validate(p)
}

// bases are the folders that the files of a saved plan may be read from: its own,
// and --base-dir. A folder that the plan names does not count.
func (h Host) bases(baseDir string, own ...string) ([]string, error) {
	if baseDir == "" {
		return own, nil
	}
	base, err := h.Absolute(baseDir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(base); err != nil || !info.IsDir() {
		return nil, Usagef("--base-dir %s: not a folder", baseDir)
	}
	return append(own, disk.Real(base)), nil
}

// Saved is the document for others to carry out.
func (p *Planned) Saved() ([]byte, error) {
	if p.unsavable != nil {
		return nil, p.unsavable
	}
	return p.Document()
}

// Document is the plan as it is written, or as it was read.
func (p *Planned) Document() ([]byte, error) {
	if p.raw != nil {
		return p.raw, nil
	}
	raw, err := p.Plan.WriteSigned(p.Key)
	if err != nil {
		return nil, fmt.Errorf("render plan: %w", err)
	}
	return raw, nil
}

// executable refuses a plan that a verb may not carry out.
func executable(p *plan.Plan, verb plan.Mode) error {
	mode := p.Metadata.Mode
	if p.Error != nil && p.Error.Policy {
		return &PlanError{errors.New("the policy refused the plan when it was made: create it again")}
	}
	if p.Metadata.Inverse {
		return runsInverse(p, verb)
	}
	if mode == verb || verb == plan.ModeSync && mode == plan.ModeApply {
		return nil
	}
	switch mode {
	case plan.ModeSync:
		if verb == plan.ModeDelete {
			return &PlanError{fmt.Errorf("the plan was made for sync: run it with kongctl sync --plan, or make one that deletes what the configuration declares with kongctl plan --mode delete")}
		}
		return &PlanError{fmt.Errorf("the plan was made for sync and may delete: run it with kongctl sync --plan, or make another with plan --apply-only")}
	case "":
		return &PlanError{fmt.Errorf("the plan does not say which mode it was made for")}
	default:
		return &PlanError{fmt.Errorf("%s does not run a plan that was made for %q%s", verb, mode, otherVerb(verb, mode))}
	}
}

// otherVerb says what runs a plan instead, where both modes are those of verbs
// that make plans and run them.
func otherVerb(verb, mode plan.Mode) string {
	verbs := []plan.Mode{plan.ModeApply, plan.ModeSync, plan.ModeDelete}
	if !slices.Contains(verbs, verb) || !slices.Contains(verbs, mode) {
		return ""
	}
	return fmt.Sprintf(": run it with kongctl %s --plan, or make another with kongctl plan --mode %s", mode, verb)
}
