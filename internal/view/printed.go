package view

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/source"
)

// Printed are the forms of the documents that programs read. Lists, and what has no form
// of its own, are not among them.
func Printed() []source.Form {
	return []source.Form{
		source.FormOf(plan.Plan{}), source.FormOf(reportDocument{}), source.FormOf(Drift{}), source.FormOf(Failure{}),
		source.FormOf(Valid{}), source.FormOf(Lint{}), source.FormOf(LocalStatus{}), source.FormOf(Profiles{}), source.FormOf(ProfileSettings{}),
		source.FormOf(derive.Comparison{}),
	}
}
