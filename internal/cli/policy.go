package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/engine"
	"kongctl/internal/plan"
	"kongctl/internal/policy"
)

// policyError is a plan that rules refuse.
type policyError struct{ list *diag.ListError }

func (e *policyError) Error() string {
	return "the policy refuses the plan: " + plural(len(e.list.List), "rule", "rules") + " broken"
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
			return nil, fmt.Errorf("policy %s: %w", name, err)
		}
		files = append(files, policy.File{Name: name, Content: raw})
	}
	return policy.Load(files...)
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
	list, err := rules.Judge(document)
	if err != nil {
		return err
	}
	if list.HasErrors() {
		return &policyError{list: &diag.ListError{List: list}}
	}
	warn(f, list)
	return nil
}

// refused tells why the plan may not be carried out: the policy comes first, because
// nothing gets around it.
func (x *execution) refused(p *plan.Plan) error {
	if err := askPolicy(x.factory, x.planned); err != nil {
		return err
	}
	return x.trust.refuses(p)
}
