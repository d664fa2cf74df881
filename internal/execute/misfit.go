package execute

import "github.com/kongctl/kongctl/internal/plan"

// Misfit is a value from outside the plan, of a variable or a file, that is not there or
// that the target would refuse. It is found before anything is written.
type Misfit struct {
	error
	Change *plan.Change
	// Field is what takes the value, From says where it comes from, Says what is wrong
	// with it, without the value, as the clause that follows, and Fix what to do. Code is
	// that of a diagnostic.
	Field, From, Says, Fix, Code string
}

// NewMisfit says of an error which field of a change it is about.
func NewMisfit(err error, m Misfit) *Misfit {
	m.error = err
	return &m
}
