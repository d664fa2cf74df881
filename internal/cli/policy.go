package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/guard"
	"github.com/kongctl/kongctl/internal/policy"
	"github.com/kongctl/kongctl/internal/value"
)

// policyError is a plan that rules refuse.
type policyError struct{ list *diag.ListError }

func (e *policyError) Error() string { return e.message() }

// message names the rules in one line.
func (e *policyError) message() string {
	var details []string
	for _, d := range e.list.List {
		if d.Severity == diag.Error {
			details = append(details, d.Detail)
		}
	}
	const most = 5
	if n := len(details); n > most {
		details = append(details[:most], fmt.Sprintf("and %d more.", n-most))
	}
	return "the policy refuses the plan: " + strings.Join(details, " ")
}

func (e *policyError) Unwrap() error { return e.list }

// maxPolicySize is far more than rules need.
const maxPolicySize = 1 << 20

// addPolicy adds a flag whose value is a setting: the factory finds it.
func addPolicy(cmd *cobra.Command) {
	cmd.Flags().String("policy", "", "refuse a plan that breaks the rules in these files (YAML with CEL expressions; exit status 7); separated by commas")
}

// loadPolicy reads the rules that the settings name; nil where they name none. Only
// the flag may name them by a relative path: what a profile demands must not depend
// on the current folder.
func loadPolicy(f *factory) (*policy.Policy, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	named, origin, _ := s.Lookup(settingPolicy)
	if named == "" {
		if f.flags != nil && f.flags.Changed("policy") {
			return nil, usagef("--policy: no file is named")
		}
		return nil, nil
	}
	var files []policy.File
	for name := range strings.SplitSeq(named, ",") {
		if origin != "flag" && !filepath.IsAbs(name) {
			return nil, usagef("%s (%s): %s is not an absolute path", settingPolicy, origin, name)
		}
		raw, err := readSmall(f, name, maxPolicySize, anybody)
		if err != nil {
			return nil, (diag.List{diag.New(diag.PolicyFile, value.Pos{File: name}, fmt.Sprintf("The file cannot be read: %v.", disk.Cause(err)), "name files with rules, separated by commas.")}).Err()
		}
		files = append(files, policy.File{Name: name, Content: raw})
	}
	return policy.Load(files...)
}

// showBroken lets views of a plan say which rules it breaks.
func showBroken(p *engine.Planned) {
	for _, d := range policy.Few(p.Broken.Sorted()) {
		if d.Severity == diag.Error && p.Plan.Error != nil {
			p.Plan.Error.Rules = append(p.Plan.Error.Rules, d.Detail)
			continue
		}
		p.Plan.Warnings = append(p.Plan.Warnings, plan.Warning{Message: d.Detail})
	}
}

// askPolicy asks the rules about a plan. Their warnings are shown.
func askPolicy(f *factory, p *engine.Planned) error {
	rules, err := f.policy()
	if err != nil || rules == nil {
		return err
	}
	document, err := p.Document()
	if err != nil {
		return err
	}
	list, err := rules.Judge(document, f.readable)
	if err != nil {
		return err
	}
	p.Broken = list
	if list.HasErrors() {
		return &policyError{list: &diag.ListError{List: list}}
	}
	warn(f, list)
	return nil
}

// refused tells why the plan may not be carried out: the policy comes first, because
// nothing gets around it. Guards have judged a plan of this run when it was made, and a run
// that is continued when it began.
func (x *execution) refused(p *plan.Plan) error {
	left := *x.planned
	if x.continued != nil {
		left = engine.Planned{Plan: p} // what is done is not asked about again
	}
	if err := askPolicy(x.factory, &left); err != nil {
		return err
	}
	if x.planFile != "" && !x.restated {
		if err := x.exceeded(p); err != nil {
			return err
		}
	}
	return x.trust.refuses(p)
}

// exceeded tells which bound of this run a saved plan exceeds.
func (x *execution) exceeded(p *plan.Plan) (err error) {
	bounds := guard.Bounds{Prune: x.prune}
	if bounds.MaxDeletes, err = x.factory.maxDeletes(); err != nil {
		return err
	}
	if bounds.Prune == "" {
		if bounds.Prune, err = x.factory.prune(); err != nil {
			return err
		}
	}
	if why := bounds.Exceeded(p); why != "" {
		return &boundError{why}
	}
	return nil
}
