package plan

// Drift is how a configuration and what exists differ, by who moved.
type Drift struct {
	Namespaces []string `json:"namespaces"`
	// RemoteOnly is managed in a named namespace and not declared.
	RemoteOnly []Difference `json:"remote_only"`
	// ChangedRemotely are roots that differ though their declaration is the one
	// that they were last written with.
	ChangedRemotely []Difference `json:"changed_remotely"`
	// ConfigurationAhead are roots that are as they were last written, and declared
	// differently.
	ConfigurationAhead []Difference `json:"configuration_ahead"`
	// Unclear is where nothing proves which side changed: all children, because the
	// hash of the root does not follow runs that change children alone.
	Unclear []Difference `json:"unclear"`
	Errors  []Problem    `json:"errors,omitempty"`
	// Pending is not compared: it waits for something that others make.
	Pending []Pending `json:"pending,omitempty"`
	// Warnings name what stays as it is, though nothing declares it: a sync would not
	// change it, so it is no drift.
	Warnings []Warning `json:"warnings,omitempty"`

	// Names are the refs of what was compared, by id.
	Names map[string]string `json:"-"`
}

// Difference is one resource that is not the same on both sides.
type Difference struct {
	ResourceType string        `json:"resource_type"`
	ResourceRef  string        `json:"resource_ref"`
	ResourceName string        `json:"resource_name"`
	ResourceID   string        `json:"resource_id,omitempty"`
	Namespace    string        `json:"namespace,omitempty"`
	Parent       *ParentRef    `json:"parent,omitempty"`
	State        State         `json:"state"`
	FieldChanges []FieldChange `json:"field_changes,omitempty"`
	// GatewayChanges are what decK would do to make both sides the same.
	GatewayChanges []Part `json:"gateway_changes,omitempty"`
	// Likely is the side that probably changed, of what is unclear: a hint, not a
	// verdict.
	Likely Side    `json:"likely,omitempty"`
	Source *Source `json:"source,omitempty"`
}

// Side is one that may have changed, by the name of its list.
type Side string

// The sides.
const (
	SideRemote        Side = "changed_remotely"
	SideConfiguration Side = "configuration_ahead"
)

// State is on which side a resource is.
type State string

// The states.
const (
	Undeclared State = "undeclared"
	Missing    State = "missing"
	Differs    State = "differs"
)

// Empty tells that both sides are the same.
func (d *Drift) Empty() bool {
	return len(d.RemoteOnly)+len(d.ChangedRemotely)+len(d.ConfigurationAhead)+len(d.Unclear) == 0
}
