package engine

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/plan"
)

// ownPlanError is a plan that kongctl made and would refuse to carry out: a
// defect of kongctl, found before anybody approves the plan.
type ownPlanError struct{ text string }

func (e *ownPlanError) Error() string {
	return "kongctl created a plan that it would refuse to carry out, and stopped; nothing was changed. " +
		"This is a defect of kongctl: please report it with this text\n" + e.text
}

// checkOwn holds a plan that was just made to what plan files are held to.
func checkOwn(p *plan.Plan, cat *catalog.Catalog) error {
	if err := propose.Validate(p, cat); err != nil {
		return &ownPlanError{err.Error()}
	}
	return nil
}
