package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/view"
)

// place is where the plan is carried out. A saved plan says whose Konnect that is;
// the profile and the data folder are those of this command.
func (x *execution) place() *view.Place {
	p := view.PlaceOf(x.shown().Metadata)
	if p.Organization == nil || x.planFile == "" && x.continued == nil {
		return &p
	}
	here := *p.Organization
	if x.connect.local {
		if dir, err := x.factory.dataDir(); err == nil { // else opening it says why
			here.Embedded = dir
		}
	} else if s, err := x.factory.settings(); err == nil {
		here.Profile, here.Embedded = s.Profile(), ""
	}
	p.Organization = &here
	return &p
}

// question asks whether the plan may be carried out, and says where.
func (x *execution) question() string {
	n, where := len(x.shown().Changes), ""
	if words := x.place().Words(); words != "" {
		where = " in " + words
	}
	if n == 1 {
		return "Do you want to carry out this change" + where + "?"
	}
	return fmt.Sprintf("Do you want to carry out these %d changes%s?", n, where)
}
