package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// deckModes are what decK may do in a plan of each mode.
var deckModes = map[plan.Mode][]Mode{
	plan.ModeApply:  {Apply},
	plan.ModeSync:   {Sync, Apply},
	plan.ModeDelete: {Delete},
}

// Rules are what changes of decK may ask for.
type Rules struct{}

var _ plan.Rules = Rules{}

type rules struct{ *plan.Validation }

// Check checks a run of decK.
func (Rules) Check(check *plan.Validation, c *plan.Change) {
	v := rules{check}
	if c.Action != plan.ExternalTool || c.ResourceType != Kind {
		v.Say(c, "%s of %s: only decK is an external tool", c.Action, c.ResourceType)
		return
	}
	w, err := strictWork(c)
	if err != nil {
		v.Say(c, "%v", err)
		return
	}
	if v.Inverse() || !slices.Contains(deckModes[v.Plan.Metadata.Mode], w.Mode) {
		v.Say(c, "decK's mode %s is not allowed in a plan for %s", w.Mode, v.Plan.Metadata.Mode)
	}
	if got := c.ExecutionContext; got.HTTPMethod != "" || got.APIEndpoint != fmt.Sprintf("deck gateway %s", w.Mode) {
		v.Say(c, "execution_context is %s %s, and this change runs deck gateway %s", got.HTTPMethod, got.APIEndpoint, w.Mode)
	}
	v.deckPlace(c)
	v.deckFields(c, w)
	if len(c.GatewayChanges) == 0 {
		v.Say(c, "it does not show what decK changes")
	}
	v.removals(c)
	if w.Mode == Apply && len(plan.LostParts(c.GatewayChanges)) > 0 {
		v.Say(c, "decK deletes nothing in mode %s", w.Mode)
	}
}

// removals checks which resources the change says that it removes: whoever executes the
// plan looks for what refers to those.
func (v rules) removals(c *plan.Change) {
	lost := map[int]bool{}
	for _, i := range plan.LostParts(c.GatewayChanges) {
		lost[i] = true
	}
	for i, x := range c.GatewayChanges {
		t := PartType(v.Types, x.Kind)
		referred := lost[i] && t != nil && len(v.Types.Referring(t.Kind)) > 0
		switch {
		case x.Removes == nil && referred:
			v.Say(c, "it does not say which resource it removes with the %s (removes)", x.Called())
		case x.Removes == nil:
		case !referred || x.Removes.Type != t.Kind:
			v.Say(c, "%s of the %s does not remove %s", x.Action, x.Called(), diag.A(resource.Words(x.Removes.Type)))
		case v.ID(c, x.Removes.ID):
			v.UUID(c, x.Removes.ID)
		}
	}
}

func strictWork(c *plan.Change) (Work, error) {
	raw, err := json.Marshal(c.Fields)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		err = dec.Decode(&Work{})
	}
	if err != nil {
		return Work{}, fmt.Errorf("the plan does not say what decK does: %w", plan.PlainJSON(err))
	}
	return WorkOf(c)
}

// deckPlace checks the control plane that decK works on.
func (v rules) deckPlace(c *plan.Change) {
	var t *resource.Type
	if c.Parent != nil {
		t = v.Types.Kind(c.Parent.Type)
	}
	if t == nil || !slices.ContainsFunc(t.Children, func(x *resource.Type) bool { return x.ReadOnly && x.Referred }) {
		v.Say(c, "decK works on control planes")
		return
	}
	v.Parent(c, t, t.Depth()+1)
	for _, id := range c.Parent.Ancestors {
		if v.ID(c, id) {
			v.UUID(c, id)
		}
	}
	if !c.External() {
		v.Namespace(c, t)
	}
	v.Above(c)
	if c.Parent.Change == "" && c.ResourceRef != c.Parent.Ref {
		v.Say(c, "resource_ref and parent.ref differ")
	}
}

// deckFields checks what decK gets, and where its values come from.
func (v rules) deckFields(c *plan.Change, w Work) {
	for _, f := range w.Files {
		if !slices.ContainsFunc(v.Plan.Metadata.Inputs, func(in plan.Input) bool { return in.File == f }) {
			v.Say(c, "metadata.inputs does not list the file %s", f)
		}
	}
	for _, name := range w.Variables {
		if plan.IsCredential(name) {
			v.Say(c, "the variable %s holds a credential of kongctl, which no plan may read", name)
		}
	}
	var written []value.Value
	for _, flag := range w.Written {
		written = append(written, value.StringAt(value.Pos{}, flag))
	}
	if flags, refused := readFlags(written); refused.HasErrors() || flags.SkipConsumers && !w.SkipConsumers {
		v.Say(c, "flags are not those of the run")
	}
	for _, e := range slices.Concat(c.Expressions, c.SecretWrites) {
		if p := value.ParsePath(e.Field); !w.Inline || len(p) < 2 || p[0] != "state" {
			v.Say(c, "%s: not a field of decK's state", e.Field)
		}
	}
	for _, e := range c.Expressions {
		v.Source(c, e.Field, e.Expression, true)
	}
	for _, e := range c.SecretWrites {
		v.Secret(c, e)
	}
	if len(c.ChangedFields)+len(c.FieldChanges)+len(c.References) > 0 || c.Expect != nil || c.CurrentState != nil {
		v.Say(c, "a run of decK has neither changed_fields nor expect")
	}
}
