package cli

import (
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// savePlan writes a plan for later.
func savePlan(f *factory, p *engine.Planned, file string) error {
	path, err := f.absolute(file)
	if err != nil {
		return err
	}
	raw, err := p.Saved()
	if err != nil {
		return err
	}
	if err := disk.Save(path, raw); err != nil {
		return fmt.Errorf("save plan: %w", err)
	}
	return nil
}

// showPlan writes a plan to standard output.
func showPlan(f *factory, p *engine.Planned, form string, document func() ([]byte, error)) error {
	out := f.world.streams.out
	switch form {
	case formJSON, formYAML:
		raw, err := document()
		if err != nil {
			return err
		}
		if form == formYAML {
			return toOutput(view.WriteDocumentYAML(out, raw))
		}
		_, err = out.Write(raw)
		return toOutput(err)
	case formMarkdown:
		showBroken(p)
		return toOutput(view.WritePlanMarkdown(out, p.Plan, planOptionsOf(f, p)))
	case formSARIF, formJUnit, formCodeQuality:
		found := view.Findings{Diagnostics: append(view.PlanFindings(p.Warnings, p.Plan), view.Diagnostics(p.Broken.Sorted())...)}
		if e := p.Plan.Error; e != nil {
			found.Error = &view.Error{Message: e.Message, ExitCode: e.ExitCode}
		}
		return writeFindings(f, form, found)
	case formHTML:
		showBroken(p)
		return toOutput(view.WritePlanHTML(out, p.Plan, planOptionsOf(f, p)))
	default:
		return toOutput(view.WritePlan(out, p.Plan, planOptionsOf(f, p)))
	}
}

// planOptionsOf say how a plan is shown on standard output.
func planOptionsOf(f *factory, p *engine.Planned) view.PlanOptions {
	return view.PlanOptions{Style: f.outStyle(), Compared: p.Compared, Ignored: p.Ignored, Entities: p.Entities, Saved: p.FromFile()}
}

// showJudged shows a plan that was made, and returns the verdict on it. A document
// for programs has the error, too. Refused is why the policy refuses it.
func showJudged(f *factory, p *engine.Planned, form string, document func() ([]byte, error), detailed bool, refused error) error {
	verdict := refused
	if verdict == nil {
		verdict = judge(p.Plan, detailed)
	}
	if e := failure(f, verdict); e != nil && !errors.Is(verdict, errChanges) {
		var policy *policyError
		p.Plan.Error = &plan.Failure{Message: e.Message, ExitCode: e.ExitCode, Policy: errors.As(verdict, &policy)}
		p.Plan.Diagnostics = diagnosed(verdict)
	}
	if err := showPlan(f, p, form, document); err != nil {
		return err
	}
	annotate(f, view.PlanFindings(nil, p.Plan))
	return verdict
}

// judge is the verdict on a plan that was made and shown.
func judge(p *plan.Plan, detailed bool) error {
	switch {
	case len(p.Blocked) > 0:
		return &blockedError{count: len(p.Blocked), planned: true}
	case len(p.Errors) > 0:
		return &partialPlanError{count: len(p.Errors)}
	case detailed && !p.Empty():
		return errChanges
	default:
		return nil
	}
}
