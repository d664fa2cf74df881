// Package policy judges plans by rules that users write in CEL.
//
// In: files with rules, and a plan as the document that programs read. Out: what
// the rules say against it, with the place that a change comes from. It reads
// nothing but what it is given, and must never import what makes or carries out
// plans.
package policy

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// The variables that an expression sees.
const (
	ofPlan    = "plan"
	ofChanges = "changes"
	ofChange  = "change"
)

// Policy is a list of rules.
type Policy struct{ rules []rule }

// rule is one that can be asked.
type rule struct {
	name, message string
	severity      diag.Severity
	pos           value.Pos
	program       cel.Program
	// each says that the rule is about one change, and is asked for every one.
	each bool
}

// maxCost bounds what one question may cost, so that no expression takes forever.
const maxCost = 10_000_000

// environment has what expressions may use.
func environment() (*cel.Env, error) {
	anything := cel.MapType(cel.StringType, cel.DynType)
	return cel.NewEnv(
		cel.Variable(ofPlan, anything),
		cel.Variable(ofChanges, cel.ListType(anything)),
		cel.Variable(ofChange, anything),
		cel.OptionalTypes(),
		cel.DefaultUTCTimeZone(true),
		ext.Strings(),
		ext.Sets(),
		ext.Lists(),
	)
}

// compile makes a rule of its text.
func compile(env *cel.Env, w written) (rule, error) {
	r := rule{name: w.Name, message: w.Message, pos: w.pos}
	if w.Severity == warning {
		r.severity = diag.Warning
	}
	ast, issues := env.Compile(w.Expression)
	if err := issues.Err(); err != nil {
		return r, firstIssue(issues)
	}
	if t := ast.OutputType(); t != cel.BoolType && t != cel.DynType {
		return r, fmt.Errorf("the expression gives %s, not true or false", t)
	}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		r.each = r.each || ref.Name == ofChange
	}
	var err error
	r.program, err = env.Program(ast, cel.CostLimit(maxCost), cel.EvalOptions(cel.OptOptimize))
	return r, err
}

// firstIssue is the first problem of an expression, in one line.
func firstIssue(issues *cel.Issues) error {
	first := issues.Errors()[0]
	return fmt.Errorf("line %d, column %d of the expression: %s", first.Location.Line(), first.Location.Column()+1, first.Message)
}

// Judge asks every rule about a plan: its errors refuse the plan, its warnings do
// not. A rule that cannot be answered refuses it, too. Values that the plan takes from
// variables are those of env.
func (p *Policy) Judge(document []byte, env func(string) (string, bool)) (diag.List, error) {
	if p == nil || len(p.rules) == 0 {
		return nil, nil
	}
	d, err := read(document, env)
	if err != nil {
		return nil, err
	}
	var out diag.List
	for _, r := range p.rules {
		if !r.each {
			out = append(out, r.ask(d, nil)...)
			continue
		}
		for _, c := range d.changes {
			out = append(out, r.ask(d, c)...)
		}
	}
	return out, nil
}

// ask asks one rule, about one change where there is one.
func (r rule) ask(d *document, change map[string]any) diag.List {
	vars := map[string]any{ofPlan: d.plan, ofChanges: d.changes}
	about, pos := "the plan", r.pos
	if change != nil {
		vars[ofChange] = change
		about = fmt.Sprintf("%s %s %q", verb(text(change, "action")), text(change, "resource_type"), text(change, "resource_ref"))
		if p := place(change); p.Line > 0 {
			pos = p
		}
	}
	answer, _, err := r.program.Eval(vars)
	if err != nil {
		return diag.List{diag.New(diag.PolicyUnanswered, r.pos,
			fmt.Sprintf("Rule %q cannot be answered for %s: %s.", r.name, about, d.hide(err.Error())),
			fixOf(err))}
	}
	held, ok := answer.Value().(bool)
	switch {
	case !ok:
		return diag.List{diag.New(diag.PolicyUnanswered, r.pos,
			fmt.Sprintf("Rule %q gives %s for %s, not true or false.", r.name, answer.Type().TypeName(), about),
			"make the expression a comparison.")}
	case held:
		return nil
	}
	found := diag.New(diag.PolicyRefused, pos, fmt.Sprintf("Rule %q is broken by %s: %s", r.name, about, r.message), "")
	found.Severity = r.severity
	return diag.List{found}
}

// fixOf says what to write so that an expression can be answered.
func fixOf(err error) string {
	switch text := err.Error(); {
	case strings.Contains(text, "cost limit"):
		return "make the expression cheaper: ask about change, which is asked for one change at a time, instead of all changes within changes."
	case strings.Contains(text, "no such overload"), strings.Contains(text, "type conversion"), strings.Contains(text, "unsupported conversion"):
		return "compare values of one type, as in string(change.after.port) == \"80\" or type(change.after.port) == int."
	default:
		return "test for what may be absent, as in change.after.?labels.?owner.hasValue()."
	}
}
