package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kongctl/internal/disk"
	"kongctl/internal/plan"
)

// maxPlanSize keeps a wrong file from eating the machine.
const maxPlanSize = 1 << 30

// loadPlan reads a saved plan; - is standard input. One that is not as it was
// sealed is refused, and one that is not signed where a key is named.
func loadPlan(f *factory, file string) (*planned, error) {
	key, err := f.verifyKey()
	if err != nil {
		return nil, err
	}
	work, err := f.world.workDir()
	if err != nil {
		return nil, err
	}
	in, dir := f.world.streams.in, work
	if file != "-" {
		path, err := f.absolute(file)
		if err != nil {
			return nil, err
		}
		h, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read plan %s: %w", file, disk.Cause(err))
		}
		defer func() { _ = h.Close() }() // nothing was written
		in, dir = h, filepath.Dir(path)
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxPlanSize))
	if err != nil {
		return nil, fmt.Errorf("read plan %s: %w", file, disk.Cause(err))
	}
	p, err := plan.Parse(raw)
	if err != nil {
		return nil, &planError{fmt.Errorf("plan %s: %w", file, err)}
	}
	if err := plan.Verify(raw, key); err != nil {
		return nil, &planError{fmt.Errorf("plan %s: %w", file, err)}
	}
	return &planned{plan: p, dir: disk.Real(dir), raw: raw}, nil
}

// validate refuses a plan that asks for what its kind does not allow, before
// anybody is asked to approve it.
func (f *factory) validate(p *plan.Plan) error {
	cat, err := f.catalog()
	if err != nil {
		return err
	}
	return plan.Validate(p, cat)
}

// bases are the folders that the files of a saved plan may be read from: its own,
// and --base-dir. A folder that the plan names does not count.
func (o *executeOptions) bases(own ...string) ([]string, error) {
	if o.sources.baseDir == "" {
		return own, nil
	}
	base, err := o.factory.absolute(o.sources.baseDir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(base); err != nil || !info.IsDir() {
		return nil, usagef("--base-dir %s: not a folder", o.sources.baseDir)
	}
	return append(own, disk.Real(base)), nil
}

// savePlan writes a plan for later.
func savePlan(f *factory, p *planned, file string) error {
	path, err := f.absolute(file)
	if err != nil {
		return err
	}
	raw, err := p.document()
	if err != nil {
		return err
	}
	if err := disk.Write(path, raw); err != nil {
		return fmt.Errorf("save plan: %w", err)
	}
	return nil
}

// document is the plan as it is written, or as it was read.
func (p *planned) document() ([]byte, error) {
	if p.raw != nil {
		return p.raw, nil
	}
	raw, err := p.plan.WriteSigned(p.key)
	if err != nil {
		return nil, fmt.Errorf("render plan: %w", err)
	}
	return raw, nil
}

// absolute is a path that does not depend on the current folder.
func (f *factory) absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	work, err := f.world.workDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(work, path), nil
}

// executable refuses a plan that a verb may not carry out.
func executable(p *plan.Plan, verb plan.Mode) error {
	mode := p.Metadata.Mode
	if p.Metadata.Inverse {
		return runsInverse(p, verb)
	}
	if mode == verb || verb == plan.ModeSync && mode == plan.ModeApply {
		return nil
	}
	switch mode {
	case plan.ModeSync:
		return &planError{fmt.Errorf("the plan was made for sync and may delete: run it with kongctl sync --plan, or make another with plan --apply-only")}
	case "":
		return &planError{fmt.Errorf("the plan does not say which mode it was made for")}
	default:
		return &planError{fmt.Errorf("%s does not run a plan that was made for %q", verb, mode)}
	}
}
