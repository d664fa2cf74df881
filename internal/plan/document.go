// Package plan holds plans: what to change, in which order, and why.
//
// In: a document, or changes that build made. Out: the document, sealed, read,
// verified and checked. It decides nothing and must never import what makes plans
// (choose, build, guard, derive), execute or a view.
package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
)

// Action is what a change does.
type Action string

// The actions.
const (
	Create       Action = "CREATE"
	Update       Action = "UPDATE"
	Delete       Action = "DELETE"
	ExternalTool Action = "EXTERNAL_TOOL"
)

// Mode is how a configuration is brought about.
type Mode string

// The modes.
const (
	ModeSync   Mode = "sync"
	ModeApply  Mode = "apply"
	ModeDelete Mode = "delete"
	ModeAdopt  Mode = "adopt"
	// ModeLive is a sync of the Kubernetes verbs alone.
	ModeLive Mode = "live"
)

// Brings reports whether a plan creates and updates what is declared.
func (m Mode) Brings() bool { return m == ModeApply || m.Prunes() }

// Prunes reports whether a plan deletes what is managed and not declared, unless
// its scope says otherwise.
func (m Mode) Prunes() bool { return m == ModeSync || m == ModeLive }

// Version is the version of the document's format.
const Version = "1.0"

// Plan is the document. See docs for what each part means.
type Plan struct {
	// Error is how the command ended that printed the plan; nil where it did what
	// it was asked to do. Nothing is decided by it.
	Error *Failure `json:"error,omitempty"`
	// Diagnostics go with the error: what it is made of, or none.
	Diagnostics     []diag.Record `json:"diagnostics,omitzero"`
	Metadata        Metadata      `json:"metadata"`
	Summary         Summary       `json:"summary"`
	Changes         []*Change     `json:"changes"`
	ExecutionOrder  []string      `json:"execution_order"`
	ExecutionGroups [][]string    `json:"execution_groups"`
	Dependencies    []Dependency  `json:"deck_dependencies,omitempty"`
	Pending         []Pending     `json:"pending,omitempty"`
	Blocked         []Blocked     `json:"blocked,omitempty"`
	Errors          []Problem     `json:"errors,omitempty"`
	Warnings        []Warning     `json:"warnings,omitempty"`
	// NotCompared are declared values that the target does not return, so that
	// nothing says whether they changed.
	NotCompared []NotCompared `json:"not_compared,omitempty"`
	// Texts are the long texts that changes name as [text:KEY]. They are there in
	// documents only: reading puts them where they belong.
	Texts map[string]string `json:"texts,omitempty"`

	foreign  bool              // another program wrote it
	deferred []string          // why placeholders of a foreign plan are refused
	unread   []string          // keys of the document that this program does not know
	places   map[string]int    // of changes, by id; see Change
	halves   map[string]string // of replaces, by id, both ways; see Half
}

// NotCompared is a declared value of an existing resource that was not compared.
// Immutable ones can only be changed by a replace.
type NotCompared struct {
	ResourceType string `json:"resource_type"`
	ResourceRef  string `json:"resource_ref"`
	Field        string `json:"field"`
	Immutable    bool   `json:"immutable,omitempty"`
	// Null: it is declared as null, so that writing it takes it away.
	Null bool `json:"null,omitempty"`
	// Noun is what people call a resource of which only this value counts; "" for
	// secrets.
	Noun string `json:"noun,omitempty"`
}

// Failure is an error for programs.
type Failure struct {
	Message  string `json:"message"`
	ExitCode int    `json:"exit_code"`
	// Policy reports that rules of the user refuse the plan.
	Policy bool `json:"policy,omitempty"`
	// Rules are what those rules say, for views.
	Rules []string `json:"-"`
}

// Metadata says where a plan comes from and what it is good for.
type Metadata struct {
	PlanVersion  string       `json:"plan_version"`
	VersionAlias string       `json:"version"`
	GeneratedAt  string       `json:"generated_at"`
	GeneratedBy  string       `json:"generated_by"`
	Generator    string       `json:"generator"`
	Mode         Mode         `json:"mode"`
	Inverse      bool         `json:"inverse,omitempty"`
	ConfigHash   string       `json:"config_hash"`
	Organization Organization `json:"organization"`
	// Cluster is where the plan's Kubernetes objects are; nil where it has none.
	Cluster *Cluster `json:"cluster,omitempty"`
	// Targets is what targets say about where the plan may be carried out, by
	// their names.
	Targets           map[string]any    `json:"targets,omitempty"`
	SyncScope         Scope             `json:"sync_scope"`
	Filters           *Filters          `json:"filters,omitempty"`
	Inputs            []Input           `json:"inputs,omitempty"`
	ReferenceMappings map[string]string `json:"reference_mappings,omitempty"`
	// Names are what people call the resources, by id, that changed fields referred to
	// and that nothing declares. They are shown, and used for nothing else.
	Names map[string]string `json:"names,omitempty"`
	// Externals are the resources that others own and the plan builds on.
	Externals []External `json:"externals,omitempty"`
	// KeepsDeleted says that deletes keep what they lose.
	KeepsDeleted bool `json:"keeps_deleted,omitempty"`
	// Reads is nil where the plan reads nothing when it is executed.
	Reads *Reads `json:"reads,omitempty"`
	Seal  *Seal  `json:"seal,omitempty"`
}

// External is a resource that others own, as it was found.
type External struct {
	Ref  string `json:"ref"`
	Type string `json:"type"`
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Organization is what a plan belongs to: its id, region and address. The rest is
// for people.
type Organization struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Region  string `json:"region,omitempty"`
	BaseURL string `json:"base_url"`
	// Profile is the one that the plan was made with.
	Profile string `json:"profile,omitempty"`
	// Embedded is the data folder, where it is an embedded Konnect.
	Embedded string `json:"embedded,omitempty"`
}

// Cluster is a Kubernetes cluster.
type Cluster struct {
	Server string `json:"server"`
	// UID is that of the namespace kube-system, which lives as long as the
	// cluster.
	UID string `json:"uid"`
	// Context is the one of the kubeconfig that the plan was made with.
	Context string `json:"context,omitempty"`
}

// Scope is what sync looked at, and so what it may delete from.
type Scope struct {
	Prune         string   `json:"prune"`
	Namespaces    []string `json:"namespaces"`
	ResourceTypes []string `json:"resource_types"`
	// Existing counts what exists and a plan with deletes is about: a bound of deletes
	// may be a share of it.
	Existing int `json:"existing,omitempty"`
	// OtherNamespaces counts the managed resources that the lists held in
	// namespaces that the plan does not name: they are not part of it.
	OtherNamespaces map[string]int `json:"other_namespaces,omitempty"`
	// NotPruned are the externals, as TYPE:REF, below which a sync has declared
	// children: it deletes none of the others, for the externals are not its own.
	NotPruned []string `json:"not_pruned,omitempty"`
	// Narrowed are the files that say how to prune what stands in them, where that is
	// less than Prune.
	Narrowed map[string]string `json:"narrowed,omitempty"`
}

// Input is a file that the plan was made from.
type Input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Base is the folder that a document may read files from, "" where the file is not one.
	Base string `json:"base,omitempty"`
}

// Summary counts.
type Summary struct {
	TotalChanges      int            `json:"total_changes"`
	ByAction          map[Action]int `json:"by_action"`
	ByResource        map[string]int `json:"by_resource"`
	Pending           int            `json:"pending"`
	Blocked           int            `json:"blocked"`
	Gateway           GatewayCount   `json:"gateway"`
	ProtectionChanges Protection     `json:"protection_changes"`
	SecretWrites      int            `json:"secret_writes"`
	// TakenAlong counts what is deleted with deleted resources: their children,
	// and what refers to them, which Cascaded counts alone.
	TakenAlong int `json:"taken_along,omitempty"`
	Cascaded   int `json:"cascaded,omitempty"`
	// ByExternalTools are the runs of other programs, by their type.
	ByExternalTools map[string][]ToolRun `json:"by_external_tools,omitempty"`
}

// Protection counts resources that become protected or stop being so.
type Protection struct {
	Protecting   int `json:"protecting"`
	Unprotecting int `json:"unprotecting"`
}

// Change is one call to make.
type Change struct {
	ID           string         `json:"id"`
	ResourceType string         `json:"resource_type"`
	ResourceRef  string         `json:"resource_ref"`
	ResourceName string         `json:"resource_name"`
	ResourceID   string         `json:"resource_id,omitempty"`
	Namespace    string         `json:"namespace,omitempty"`
	Action       Action         `json:"action"`
	Fields       map[string]any `json:"fields,omitempty"`
	// OwnLabels are labels that kongctl writes about itself. They are apart in documents
	// only: reading puts them among the labels.
	OwnLabels     map[string]any       `json:"marks,omitempty"`
	ChangedFields map[string]OldNew    `json:"changed_fields,omitzero"`
	FieldChanges  []FieldChange        `json:"field_changes,omitzero"`
	CurrentState  map[string]any       `json:"current_state,omitempty"`
	Expect        *Expect              `json:"expect,omitempty"`
	References    map[string]Reference `json:"references,omitempty"`
	Parent        *ParentRef           `json:"parent,omitempty"`
	Protection    bool                 `json:"protection"`
	Expressions   []Expression         `json:"expressions,omitempty"`
	SecretWrites  []Expression         `json:"secret_writes,omitempty"`
	// Unmarked: the root that it belongs to carries no mark of a namespace, so the
	// namespace means nothing to people. Mark sets it.
	Unmarked bool `json:"-"`
	Replace  bool `json:"replace,omitempty"`
	// Stage orders the changes of a target: one starts when all of lower stages
	// have ended, failed or not.
	Stage int `json:"stage,omitempty"`
	// SendsAll reports of an update that fields are the whole resource, and not only
	// what changes.
	SendsAll bool `json:"sends_all,omitempty"`
	// Unchecked is why the target could not try the change when the plan was made.
	Unchecked string `json:"unchecked,omitempty"`
	// GatewayChanges are what decK does to entities.
	GatewayChanges []Part `json:"gateway_changes,omitempty"`
	// TakesAlong counts by type the children that are deleted with a resource
	// and not by a change of their own.
	TakesAlong map[string]int `json:"takes_along,omitempty"`
	// Beside are the ids of what a create is made beside: they have its identity, and
	// another value of the field by which several resources of one identity differ.
	Beside []string `json:"beside,omitempty"`
	// Cascades lists what refers to a deleted resource and is deleted with it.
	Cascades []Cascaded `json:"cascades,omitempty"`
	// Kept is what a delete loses, for the plan that undoes it.
	Kept []Kept `json:"kept,omitempty"`
	// Lost is what a delete loses and the plan does not hold, by name alone.
	Lost []Kept `json:"lost,omitempty"`
	// Detaches lists the references that an update drops, so that what they lead
	// to can be deleted and created again; another update restores them.
	Detaches         []Detached       `json:"detaches,omitempty"`
	DependsOn        []string         `json:"depends_on"`
	ExecutionContext ExecutionContext `json:"execution_context"`
	Source           *Source          `json:"source,omitempty"`

	// Identity is what a delete was found by; documents have it as its fields.
	Identity map[string]any `json:"-"`

	// While a plan is made: ParentChange becomes Parent.Change, and After
	// Expect.After, once ids are given; With is what a part that goes by itself would
	// have gone with; Half is the other half of a replace, of which DependsOn tells later
	// (see Plan.Half).
	ParentChange *Change `json:"-"`
	After        *Change `json:"-"`
	With         *Change `json:"-"`
	Half         *Change `json:"-"`
}

// OldNew is a field before and after.
type OldNew struct {
	Old any `json:"old"`
	New any `json:"new"`
}

// FieldChange is a field before and after, in the words of the first format.
type FieldChange struct {
	Field        string `json:"field"`
	CurrentValue any    `json:"current_value"`
	DesiredValue any    `json:"desired_value"`
}

// Expect is what a change expects of the live resource.
type Expect struct {
	UpdatedAt   string `json:"updated_at,omitempty"`
	Fingerprint string `json:"fingerprint"`
	// After is the change of this plan that brings the resource to the expected
	// state, where it is not there yet.
	After string `json:"after,omitempty"`
	// Along are the fingerprints of what is deleted with a resource, by type and
	// id.
	Along map[string]string `json:"along,omitempty"`
	// AlongUpdatedAt is when those were changed last of which lists leave fields out,
	// by type and id.
	AlongUpdatedAt map[string]string `json:"along_updated_at,omitempty"`
	// Settings are the fingerprints of what exists once below a resource to delete and
	// goes with it, settings and orders, by type and the ids above it.
	Settings map[string]string `json:"settings,omitempty"`
}

// Reference is a field that holds a value of another resource. Change names
// the change of this plan that makes it known, where one does.
type Reference struct {
	Ref    string `json:"ref"`
	Type   string `json:"type,omitempty"`
	Field  string `json:"field,omitempty"`
	ID     string `json:"id"`
	Change string `json:"change,omitempty"`
	// Lookup is by what the resource can be found.
	Lookup *Lookup `json:"lookup_fields,omitempty"`
	// Parent marks the resource that a change stands below, among the references of
	// a document. Reading leaves it out: Change.Parent says the same.
	Parent bool `json:"parent,omitempty"`

	// Made is the change that makes the value known; it becomes Change once ids are
	// given.
	Made *Change `json:"-"`
}

// ParentRef is the resource that a change stands below, and those above that
// one, root first.
type ParentRef struct {
	Ref       string   `json:"ref"`
	Type      string   `json:"type"`
	ID        string   `json:"id"`
	Change    string   `json:"change,omitempty"`
	Ancestors []string `json:"ancestors,omitempty"`
	// RootProtected tells of a delete that the root above it is protected.
	RootProtected bool `json:"root_protected,omitempty"`
	// Lookup is by what the resource can be found; documents have it among the
	// references.
	Lookup *Lookup `json:"-"`
}

// Expression is a field whose value the plan does not hold.
type Expression struct {
	Field string `json:"field"`
	// Path is the field where a JSON pointer does not tell it from another one.
	Path       string         `json:"path,omitempty"`
	Expression map[string]any `json:"expression"`
}

// ExecutionContext is the call that a change makes.
type ExecutionContext struct {
	HTTPMethod  string `json:"http_method"`
	APIEndpoint string `json:"api_endpoint"`
}

// Source is where a resource is declared.
type Source struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Blocked is a change that a guard refuses.
type Blocked struct {
	ResourceType string `json:"resource_type"`
	ResourceRef  string `json:"resource_ref"`
	Action       Action `json:"action"`
	By           string `json:"by"`
	Message      string `json:"message"`
}

// Problem is what kept a part of the world from being planned.
type Problem struct {
	ResourceType string `json:"resource_type"`
	ResourceRef  string `json:"resource_ref,omitempty"`
	Message      string `json:"message"`
}

// Warning is what people should know of a change.
type Warning struct {
	ChangeID string `json:"change_id,omitempty"`
	// ResourceType and ResourceRef name what is warned of, whether it changes or
	// not.
	ResourceType string `json:"resource_type,omitempty"`
	ResourceRef  string `json:"resource_ref,omitempty"`
	Message      string `json:"message"`
}

// Empty tells that there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

// Parse reads a document. It refuses another major version; whether the
// document is as it was written, Verify tells.
func Parse(raw []byte) (*Plan, error) {
	p, unreadable := decode(raw)
	own := unreadable == nil && p.writes(raw) // so no key is there twice, and none is unknown
	if !own {
		if err := wellFormed(raw); err != nil {
			return nil, fmt.Errorf("read plan: %w", err)
		}
	}
	if unreadable != nil {
		return nil, fmt.Errorf("read plan: %w", unreadable)
	}
	major, _, _ := strings.Cut(p.Metadata.PlanVersion, ".")
	want, _, _ := strings.Cut(Version, ".")
	switch {
	case p.Metadata.PlanVersion == "":
		return nil, fmt.Errorf("read plan: no metadata.plan_version: this is not a plan")
	case major != want:
		return nil, fmt.Errorf("read plan: format version %s, and this program reads %s", p.Metadata.PlanVersion, Version)
	}
	if err := p.sound(); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	if !own {
		var err error
		if p.unread, err = unknownKeys(raw); err != nil {
			return nil, fmt.Errorf("read plan: %w", err)
		}
	}
	if err := p.spread(); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return p, nil
}

// decode reads a document, and the changes in it as this program works with them.
func decode(raw []byte) (*Plan, error) {
	p := &Plan{}
	if err := decodeAs(raw, p); err != nil {
		return nil, err
	}
	for _, c := range p.Changes {
		if c != nil {
			c.read()
		}
	}
	return p, nil
}

func decodeAs(raw []byte, p any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(p); err != nil {
		return PlainJSON(err)
	}
	return ended(dec)
}

// writes reports whether a document is, to the byte, what this program writes of the
// plan that it has read there.
func (p *Plan) writes(raw []byte) bool {
	again, err := encode(p)
	return err == nil && bytes.Equal(again, raw)
}
