package view

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kongctl/internal/plan"
	model "kongctl/internal/resource"
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
	v := planView{out: out, style: o.Style, plan: p, refs: map[string]string{}}
	for _, ref := range slices.Sorted(maps.Keys(p.Metadata.ReferenceMappings)) {
		v.refs[p.Metadata.ReferenceMappings[ref]] = ref
	}
	for _, line := range o.place(p).lines() {
		v.line(line)
	}
	v.line(scope(p))
	if text := elsewhere(p.Metadata.SyncScope.OtherNamespaces); text != "" {
		v.line(text)
	}
	replaced := replacements(p)
	if !o.Notes {
		v.groups(replaced)
	}
	v.notes()
	if !o.Notes {
		v.deletes(replaced)
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
	byID := make(map[string]*plan.Change, len(p.Changes))
	for _, c := range p.Changes {
		byID[c.ID] = c
	}
	out := map[string]*plan.Change{}
	for _, c := range p.Changes {
		if c.Action != plan.Create || !c.Replace {
			continue
		}
		for _, id := range c.DependsOn {
			d := byID[id]
			if d != nil && d.Action == plan.Delete && d.ResourceType == c.ResourceType && d.ResourceRef == c.ResourceRef {
				out[c.ID], out[d.ID] = d, c
			}
		}
	}
	return out
}

func (v *planView) change(c *plan.Change, at place, replaced map[string]*plan.Change) {
	other := replaced[c.ID]
	var sign string
	var paint color
	var lines []line
	switch {
	case other != nil:
		sign, paint, lines = "-/+", yellow, append(alongLines(other), v.style.Diff.replaceLines(other, c)...)
	case c.Action == plan.Create:
		sign, paint, lines = "  +", green, v.style.Diff.createLines(c)
	case c.Action == plan.Update:
		sign, paint, lines = "  ~", yellow, append(detachLines(c), v.style.Diff.updateLines(c)...)
	case c.Action == plan.Delete:
		sign, paint, lines = "  -", red, alongLines(c)
	default:
		v.external(c, at)
		return
	}
	if other != nil && at.depth > 0 {
		at.depth++ // the sign starts where those beside it do
	}
	v.line("")
	parent := c.Parent
	if other != nil && other.Parent != nil && other.Parent.RootProtected {
		parent = other.Parent // only the delete says so
	}
	v.line(at.indent() + v.style.paint(paint, sign) + " " + v.style.paint(bold, subject(c)) + v.details(c, parent, at))
	for _, line := range lines {
		v.line(at.indent() + "      " + v.style.line(line))
	}
	if c.Unchecked != "" {
		v.line(at.indent() + "      not checked beforehand: " + printable(c.Unchecked))
	}
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
	return words + ` "` + printable(ref) + `"`
}

// details say which resource is meant where the ref and what stands above it do not.
func (v *planView) details(c *plan.Change, p *plan.ParentRef, at place) string {
	var parts []string
	if c.Action != plan.Create && c.ResourceName != "" && c.ResourceName != c.ResourceRef {
		parts = append(parts, "name "+quote(c.ResourceName))
	}
	if p != nil && (!at.shows(c) || c.External() || p.RootProtected && len(p.Ancestors) == 1) {
		of := "of "
		if c.External() {
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
	if p != nil && p.RootProtected && len(p.Ancestors) > 1 {
		parts = append(parts, "below a protected root")
	}
	if c.Action == plan.Create && c.ResourceID != "" && !refersTo(c, c.ResourceID) {
		parts = append(parts, "key "+quote(c.ResourceID))
	}
	if c.Namespace != "" && c.Namespace != at.namespace {
		parts = append(parts, "namespace "+printable(c.Namespace))
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
	if reads := v.plan.Metadata.Reads; reads != nil {
		names := make([]string, 0, len(reads.Files)+len(reads.Variables))
		for _, f := range reads.Files {
			names = append(names, "file "+printable(f))
		}
		for _, name := range reads.Variables {
			names = append(names, "variable "+printable(name))
		}
		v.section(bold, "Reads when executed", len(names), func(i int) string { return names[i] })
	}
	v.section(yellow, "Pending", len(v.plan.Pending), func(i int) string { return pendingLine(v.plan.Pending[i]) })
	v.section(red, "Blocked", len(v.plan.Blocked), func(i int) string {
		b := v.plan.Blocked[i]
		return fmt.Sprintf("%s%s: %s (%s)", verb(string(b.Action)), resource(b.ResourceType, b.ResourceRef), printable(b.Message), printable(b.By))
	})
	v.section(red, "Not planned", len(v.plan.Errors), func(i int) string {
		e := v.plan.Errors[i]
		return resource(e.ResourceType, e.ResourceRef) + ": " + printable(e.Message)
	})
	v.section(yellow, "Warnings", len(v.plan.Warnings), func(i int) string {
		w := v.plan.Warnings[i]
		if c := v.plan.Change(w.ChangeID); c != nil {
			return subject(c) + ": " + printable(w.Message)
		}
		if w.ResourceRef != "" {
			return resource(w.ResourceType, w.ResourceRef) + ": " + printable(w.Message)
		}
		return printable(w.Message)
	})
}

func (v *planView) section(c color, title string, n int, item func(int) string) {
	if n == 0 {
		return
	}
	v.line("")
	v.line(v.style.paint(c, title+":"))
	for i := range n {
		v.line("  " + item(i))
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
func nothingToDo(p *plan.Plan) string {
	switch {
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
		text := nothingToDo(p)
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
	if by[plan.ExternalTool] > 0 {
		g := p.Summary.Gateway
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
