package plan

func sameParent(c, d *Change) bool {
	if c.Parent == nil || d.Parent == nil {
		return c.Parent == d.Parent
	}
	return c.Parent.ID == d.Parent.ID
}
