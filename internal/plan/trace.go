package plan

import "github.com/kongctl/kongctl/internal/resource"

// Trace is what is there now of what a change touched.
type Trace struct {
	// Object is the resource, all of it, or nil. Listed is the
	// same as its list gives it.
	Object, Listed *resource.Object
	// Ancestors are the ids above it.
	Ancestors []string
	// Same tells of a deletion that the resource is there: Object is the one that it was
	// about. Again tells that another one with the same identity is there now. Neither
	// holds where nothing tells the two apart.
	Same, Again bool
	// Restored reports of such a one that it is as the deleted one was, as far as the
	// plan knows.
	Restored bool
	// Orphan tells that what it belongs to is gone.
	Orphan bool
	// Protected tells of a protected root, RootProtected of what is below one.
	Protected, RootProtected bool
	// NotDone tells that the change was not carried out.
	NotDone bool
	// Reported tells that the report of the run names the resource.
	Reported bool
	// Below is what would go with the resource, were it deleted.
	Below []resource.Part
	// Settings is what exists once below the resource, or below what would go with it.
	Settings []resource.Part
	// Users is what refers to the resource, or to what is below it.
	Users []resource.User
}

// ID is that of the object, or "".
func (t Trace) ID() string {
	if t.Object == nil {
		return ""
	}
	return t.Object.ID
}
