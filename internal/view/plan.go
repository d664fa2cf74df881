package view

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
)

// PlanOptions say how a plan is shown.
type PlanOptions struct {
	Style Style
	// Compared is how many resources were compared to make the plan; 0 where
	// that is not known.
	Compared int
	// Ignored is how many a filter leaves out.
	Ignored int
	// Entities is how many entities of gateways were compared.
	Entities int
	// Notes leaves the changes out and shows the rest: what is refused, pending or
	// not planned, warnings and counts.
	Notes bool
	// Deletes names what is deleted all the same.
	Deletes bool
	// Saved reports that the plan was made earlier: what it says of Konnect was true
	// then.
	Saved bool
	// Place is where the plan is carried out; nil is where it was made for.
	Place *Place
}

func (o PlanOptions) place(p *plan.Plan) Place {
	if o.Place != nil {
		return *o.Place
	}
	return PlaceOf(p.Metadata)
}

// WritePlan renders a plan for people: the scope, every change with what it
// changes, what is refused, and the counts last.
func WritePlan(w io.Writer, p *plan.Plan, o PlanOptions) error {
	out := o.Style.writer(w)
	v := newPlanView(p, o.Style)
	v.out = out
	for _, line := range o.place(p).lines() {
		v.line(line)
	}
	v.line(scope(p))
	if text := elsewhere(p.Metadata.SyncScope.OtherNamespaces); text != "" {
		v.line(text)
	}
	if text := notPruned(p.Metadata.SyncScope); text != "" {
		v.line(text)
	}
	replaced := replacements(p)
	if !o.Notes {
		v.groups(replaced)
	}
	v.notes()
	if !o.Notes || o.Deletes {
		v.deletes(replaced, o.Notes)
	}
	v.line("")
	v.line(v.closing(o, len(replaced)))
	return out.Flush()
}

type planView struct {
	out   *lineWriter
	style Style
	plan  *plan.Plan
	refs  map[string]string // by id
	same  namesakes
}

func newPlanView(p *plan.Plan, style Style) *planView {
	style.Diff = style.Diff.naming(p)
	v := &planView{style: style, plan: p, refs: map[string]string{}, same: namesakesOf(p)}
	for _, ref := range slices.Sorted(maps.Keys(p.Metadata.ReferenceMappings)) {
		v.refs[p.Metadata.ReferenceMappings[ref]] = ref
	}
	return v
}

// line keeps no error: the writer remembers the first one until Flush.
func (v *planView) line(text string) { _, _ = v.out.WriteString(strings.TrimRight(text, " ") + "\n") }

// scope says what was looked at and what may be deleted.
func scope(p *plan.Plan) string {
	m := p.Metadata
	parts := []string{printable(string(m.Mode))}
	if m.Inverse {
		parts[0] = "undo of " + parts[0]
	}
	if m.Mode.Prunes() && m.SyncScope.Prune != "" {
		parts = append(parts, "prune "+printable(m.SyncScope.Prune))
	}
	if len(m.SyncScope.Namespaces) > 0 {
		parts = append(parts, "namespaces "+printable(strings.Join(m.SyncScope.Namespaces, ", ")))
	}
	if f := m.Filters; f != nil && len(f.Ignore) > 0 {
		parts = append(parts, "ignoring "+printable(strings.Join(f.Ignore, ", ")))
	}
	if f := m.Filters; f != nil && len(f.Isolate) > 0 {
		parts = append(parts, "only "+printable(strings.Join(f.Isolate, ", ")))
	}
	if n := p.Metadata.SyncScope.Existing; n > 0 {
		parts = append(parts, count(n, "existing resource"))
	}
	return "Scope: " + strings.Join(parts, ", ")
}

// elsewhere says what was seen and is not part of the plan.
func elsewhere(counts map[string]int) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return ""
	}
	where, are := "other namespaces", "are"
	if len(counts) == 1 {
		where = "another namespace"
	}
	if total == 1 {
		are = "is"
	}
	return fmt.Sprintf("%s in %s (%s) %s not part of this plan.", count(total, "managed resource"), where, printable(strings.Join(slices.Sorted(maps.Keys(counts)), ", ")), are)
}

// notPruned says below what a sync deletes nothing.
func notPruned(s plan.Scope) string {
	var out []string
	if len(s.NotPruned) > 0 {
		out = append(out, fmt.Sprintf("Children of externals (%s) are not pruned.", printable(plan.Few(shownKeys(s.NotPruned)))))
	}
	if len(s.Narrowed) > 0 {
		files := slices.Sorted(maps.Keys(s.Narrowed))
		for i, file := range files {
			files[i] = fmt.Sprintf("%s (%s)", file, s.Narrowed[file])
		}
		out = append(out, fmt.Sprintf("Files that are pruned less, as they say: %s.", printable(plan.Few(files))))
	}
	return strings.Join(out, " ")
}

// ordered lists the changes as they are carried out.
func ordered(p *plan.Plan) []*plan.Change {
	byID := make(map[string]*plan.Change, len(p.Changes))
	for _, c := range p.Changes {
		byID[c.ID] = c
	}
	out := make([]*plan.Change, 0, len(p.Changes))
	for _, id := range p.ExecutionOrder {
		if c := byID[id]; c != nil {
			out = append(out, c)
			delete(byID, id)
		}
	}
	for _, c := range p.Changes {
		if byID[c.ID] != nil {
			out = append(out, c)
		}
	}
	return out
}

// replacements maps both halves of every replace to the other half.
func replacements(p *plan.Plan) map[string]*plan.Change {
	out := map[string]*plan.Change{}
	for _, c := range p.Changes {
		if half := p.Half(c); half != nil {
			out[c.ID] = half
		}
	}
	return out
}

// signs are what stands before a change in text.
var signs = map[act]struct {
	sign  string
	paint color
}{actReplace: {"-/+", yellow}, actCreate: {"  +", green}, actUpdate: {"  ~", yellow}, actDelete: {"  -", red}, actRun: {"  >", yellow}}

func (v *planView) change(c *plan.Change, at place, replaced map[string]*plan.Change) {
	act := actOf(c, replaced)
	if act == actReplace && at.depth > 0 {
		at.depth++ // the sign starts where those beside it do
	}
	v.line("")
	name, details := v.headline(c, at, replaced)
	v.line(at.indent() + v.style.paint(signs[act].paint, signs[act].sign) + " " + v.style.paint(bold, name) + details)
	for _, line := range v.style.Diff.actLines(c, replaced) {
		v.line(at.indent() + "      " + v.style.line(line))
	}
	if c.Unchecked != "" {
		v.line(at.indent() + "      not checked beforehand: " + printable(c.Unchecked))
	}
}

// headline names what a change is about, and which one that is.
func (v *planView) headline(c *plan.Change, at place, replaced map[string]*plan.Change) (name, details string) {
	if actOf(c, replaced) == actRun {
		return v.toolOn(c), externalDetails(c)
	}
	parent := c.Parent
	if other := replaced[c.ID]; other != nil && other.Parent != nil && other.Parent.RootProtected {
		parent = other.Parent // only the delete says so
	}
	return subject(c), v.details(c, parent, at)
}

func subject(c *plan.Change) string { return resource(c.ResourceType, c.ResourceRef) }

// resource names a resource: its kind, then its ref in quotes.
func resource(kind, ref string) string {
	if ref == "" {
		return printable(kind)
	}
	words := printable(kind)
	if tool := plan.Tool(kind); tool != "" {
		words = tool + " on"
	}
	return strings.TrimSpace(words + ` "` + printable(model.ShownRef(ref, "")) + `"`) // the type may not be known
}

// details say which resource is meant where the ref and what stands above it do not.
func (v *planView) details(c *plan.Change, p *plan.ParentRef, at place) string {
	var parts []string
	if c.Action != plan.Create && c.ResourceName != "" && c.ResourceName != c.ResourceRef {
		parts = append(parts, "name "+quote(c.ResourceName))
	}
	if apart := cmp.Or(variant(c), v.same.apart(c)); apart != "" {
		parts = append(parts, apart)
	}
	for _, field := range slices.Sorted(maps.Keys(c.CurrentState)) {
		id, _ := c.CurrentState[field].(string)
		if name := v.style.Diff.names[id]; name != "" && id != c.ResourceID && strings.Contains(c.ResourceRef+" "+c.ResourceName, id) {
			parts = append(parts, printable(field)+" "+quote(name))
		}
	}
	if p != nil && (!at.shows(c) || c.External() || p.RootProtected && len(p.Ancestors) == 1) {
		of, isRoot := "of ", p.Change == "" && len(p.Ancestors) < 2
		if c.External() && isRoot {
			of += "external "
		}
		if p.RootProtected && len(p.Ancestors) == 1 {
			of += "protected "
		}
		of += v.parentName(p)
		if c.External() && p.Change == "" && p.ID != "" && !strings.HasSuffix(of, printable(p.ID)) {
			of += " (id " + printable(p.ID) + ")"
		}
		if p.Ref != "" || p.ID != "" {
			parts = append(parts, of)
		}
	}
	if p != nil && c.External() && (p.Change != "" || len(p.Ancestors) > 1) {
		parts = append(parts, "below an external resource")
	}
	if p != nil && p.RootProtected && len(p.Ancestors) > 1 {
		parts = append(parts, "below a protected root")
	}
	if c.Action == plan.Create && c.ResourceID != "" && !refersTo(c, c.ResourceID) {
		parts = append(parts, "key "+quote(c.ResourceID))
	}
	if ns := c.Space(); ns != "" && ns != at.namespace {
		parts = append(parts, "namespace "+printable(ns))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// refersTo reports whether a change shows an id as a reference.
func refersTo(c *plan.Change, id string) bool {
	for _, r := range c.References {
		if r.ID == id {
			return true
		}
	}
	return false
}

// notes are what people must know beside the changes.
func (v *planView) notes() {
	for _, n := range noteList(v.plan) {
		v.section(n)
	}
}

func (v *planView) section(n note) {
	v.line("")
	v.line(v.style.paint(n.color, n.title+":"))
	for _, item := range n.items {
		v.line("  " + item)
	}
}

// alongLines say what is deleted with a resource: its children by their number,
// what refers to it one by one.
func alongLines(c *plan.Change) []line {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(c.TakesAlong)) {
		parts = append(parts, count(c.TakesAlong[kind], printable(model.Words(kind))))
	}
	var lines []line
	if len(parts) > 0 {
		lines = append(lines, line{text: "also deletes " + strings.Join(parts, ", ")})
	}
	for _, x := range c.Cascades {
		lines = append(lines, line{text: "also deletes " + printable(x.String()+" ("+x.Owner()+")")})
	}
	return lines
}

// detachLines say what an update detaches a resource from.
func detachLines(c *plan.Change) []line {
	var lines []line
	for _, d := range c.Detaches {
		lines = append(lines, line{text: "detached from " + resource(d.Type, d.Ref) + " until that is replaced"})
	}
	return lines
}

// alongCount says how much is deleted with what the plan deletes.
func alongCount(s plan.Summary) string {
	var parts []string
	if n := s.TakenAlong - s.Cascaded; n == 1 {
		parts = append(parts, "1 child")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d children", n))
	}
	if s.Cascaded > 0 {
		parts = append(parts, count(s.Cascaded, "referring resource"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (and " + strings.Join(parts, ", ") + ")"
}

// nothingToDo says that a plan has no changes, and what that means.
func nothingToDo(p *plan.Plan, saved bool) string {
	switch {
	case saved && len(p.Warnings) > 0:
		return "No changes. The saved plan has none, and nothing was compared again. See the warnings above."
	case saved:
		return "No changes. The saved plan has none, and nothing was compared again."
	case p.Metadata.Inverse && len(p.Warnings) > 0:
		return "This plan undoes nothing. See the warnings above."
	case p.Metadata.Inverse:
		return "Nothing to undo."
	case len(p.Warnings) > 0 && p.Metadata.Mode == plan.ModeDelete:
		return "Nothing to delete. See the warnings above."
	case len(p.Warnings) > 0:
		return "No changes. See the warnings above."
	case p.Metadata.Mode == plan.ModeDelete && p.Metadata.Filters != nil:
		return "Nothing to delete. The filter leaves nothing of the configuration that exists and is managed in its namespace."
	case p.Metadata.Mode == plan.ModeDelete:
		return "Nothing to delete. Nothing that the configuration declares exists and is managed in its namespace."
	case p.Metadata.Mode == plan.ModeAdopt:
		return "Nothing to adopt: all resources found already belong to their namespace."
	case p.Metadata.Filters != nil:
		return "No changes. " + matching(p) + " what the filter leaves of the configuration."
	default:
		return "No changes. " + matching(p) + " the configuration."
	}
}

// matching says what is as declared.
func matching(p *plan.Plan) string {
	if inBoth(p.Metadata) {
		return "Konnect and the cluster already match"
	}
	return p.Metadata.Where() + " already matches"
}

// inBoth reports whether a plan is about Konnect and about a cluster.
func inBoth(m plan.Metadata) bool {
	return m.Cluster != nil && m.Organization != (plan.Organization{})
}

// closing is the last line: the counts, or that there is nothing to do.
func (v *planView) closing(o PlanOptions, halves int) string {
	p := v.plan
	whole := len(p.Blocked) == 0 && len(p.Errors) == 0
	if p.Empty() && whole && len(p.Pending) == 0 {
		text := nothingToDo(p, o.Saved)
		compared := Counted(o.Compared, o.Entities)
		switch {
		case o.Compared+o.Entities > 0 && o.Ignored > 0:
			text += fmt.Sprintf(" %s compared, %d ignored.", compared, o.Ignored)
		case o.Compared+o.Entities > 0:
			text += " " + compared + " compared."
		case o.Ignored > 0:
			text += " " + count(o.Ignored, "resource") + " ignored."
		}
		return text + notCompared(p)
	}
	by := map[plan.Action]int{}
	for _, c := range p.Changes {
		by[c.Action]++
	}
	text := fmt.Sprintf("Plan: %d to create, %d to update, %d to delete%s", by[plan.Create], by[plan.Update], by[plan.Delete], alongCount(p.Summary))
	if n := len(p.Pending); n > 0 {
		text = fmt.Sprintf("Plan: %s, %d pending: %s", count(len(p.Changes), "change"), n, strings.TrimPrefix(text, "Plan: "))
	}
	if halves > 0 {
		text += " (" + count(halves/2, "replacement") + ")"
	}
	switch g := p.Summary.Gateway; {
	case by[plan.ExternalTool] == 0:
	case p.Foreign():
		text += "; changes on gateways unknown: this plan does not list them"
	default:
		text += fmt.Sprintf("; on gateways %d to create, %d to update, %d to delete", g.Creating, g.Updating, g.Deleting)
	}
	if n := len(p.Blocked); n > 0 {
		text += fmt.Sprintf(", %d blocked", n)
	}
	if n := len(p.Errors); n > 0 {
		text += fmt.Sprintf(", %d not planned", n)
	}
	if o.Ignored > 0 {
		text += fmt.Sprintf(", %d ignored", o.Ignored)
	}
	return text + "." + notCompared(p)
}
