package resource

// TargetState is what one target has read of its types.
type TargetState struct {
	Types *Types
	State State
}

// Join makes one state of those of several targets. Types that none of them has
// were not read.
func Join(parts ...TargetState) State {
	j := &joined{of: map[*Type]State{}}
	for _, p := range parts {
		j.all = append(j.all, p.State)
		for _, t := range p.Types.All() {
			j.of[t] = p.State
		}
	}
	return j
}

// joined asks the target of a type.
type joined struct {
	all []State
	of  map[*Type]State
}

func (j *joined) Object(r *Resource) *Object {
	if s := j.of[r.Type]; s != nil {
		return s.Object(r)
	}
	return nil
}

func (j *joined) Ancestors(r *Resource) ([]string, bool) {
	if s := j.of[r.Type]; s != nil {
		return s.Ancestors(r)
	}
	return nil, r.Parent == nil
}

func (j *joined) Failed(r *Resource) error {
	if s := j.of[r.Type]; s != nil {
		return s.Failed(r)
	}
	return nil
}

func (j *joined) Missing(r *Resource) bool {
	s := j.of[r.Type]
	return s != nil && s.Missing(r)
}

func (j *joined) Absent(r *Resource) bool {
	s := j.of[r.Type]
	return s != nil && s.Absent(r)
}

func (j *joined) Undeclared(t *Type, ancestors []string) ([]*Object, bool) {
	if s := j.of[t]; s != nil {
		return s.Undeclared(t, ancestors)
	}
	return nil, false
}

func (j *joined) Below(t *Type, ancestors []string, id string) []Part {
	if s := j.of[t]; s != nil {
		return s.Below(t, ancestors, id)
	}
	return nil
}

func (j *joined) Unread(t *Type, ancestors []string, id string) bool {
	s := j.of[t]
	return s != nil && s.Unread(t, ancestors, id)
}

func (j *joined) Objects(t *Type) []Part {
	if s := j.of[t]; s != nil {
		return s.Objects(t)
	}
	return nil
}

func (j *joined) Kinds() []string {
	out := []string{}
	for _, s := range j.all {
		out = append(out, s.Kinds()...)
	}
	return out
}

func (j *joined) Failures() []Failure {
	var out []Failure
	for _, s := range j.all {
		out = append(out, s.Failures()...)
	}
	return out
}
