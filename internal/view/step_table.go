package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/terminal"
)

// stepTable shows steps as a table with a row per object. On a terminal it is
// redrawn in place; its last form stays.
type stepTable struct {
	StepOptions
	course *course
	rows   []*stepRow
	by     map[event.Object]*stepRow
	drawn  int // lines above which the cursor stands
	dirty  bool
	closed bool
	err    error
}

type stepRow struct {
	object                     event.Object
	action                     string // apply, prune, delete or inventory
	result, status, reconciled string
	message                    string
}

// busy reports whether something is still to come for the row.
func (r *stepRow) busy() bool {
	if r.action == "" { // nothing is done to it
		return r.status != "" && r.status != "Current" && r.status != "NotFound"
	}
	return r.result == "" || r.result == stepSuccessful && (r.reconciled == "" || r.reconciled == stepPending)
}

func (r *stepRow) bad() bool {
	return r.result == stepFailed || r.reconciled == stepFailed || r.reconciled == stepTimeout
}

// NewStepTable shows steps as a table.
func NewStepTable(s Steps, o StepOptions) StepProgress {
	t := &stepTable{StepOptions: o, by: map[event.Object]*stepRow{}}
	t.course = newCourse(s, o.DryRun, t.Line)
	t.course.unordered = true
	list := slices.Clone(s.List)
	slices.SortStableFunc(list, func(a, b Step) int { return a.Level - b.Level })
	for _, step := range list {
		if step.Action != StepInventory {
			t.row(step.Object).action = strings.ToLower(step.Action)
		}
	}
	return t
}

func (t *stepTable) row(o event.Object) *stepRow {
	if t.by[o] == nil {
		t.by[o] = &stepRow{object: o}
		t.rows = append(t.rows, t.by[o])
	}
	return t.by[o]
}

// Handle takes the next event and redraws.
func (t *stepTable) Handle(e event.Event) {
	if !t.course.handle(e) {
		if t.Notes != nil {
			t.erase()
			t.Notes.Handle(e)
			t.draw()
		}
		return
	}
	t.dirty = true
}

// Line takes a line over into its row.
func (t *stepTable) Line(l StepLine) {
	t.dirty = true
	if l.Object == nil {
		return
	}
	r := t.row(*l.Object)
	switch l.Type {
	case "error": // of the inventory, which has no row otherwise
		r.action, r.result = "inventory", stepFailed
	case "status":
		r.status, r.message = l.Status, l.Message
	case "wait":
		r.reconciled = l.Status
	default:
		r.action, r.result = l.Type, l.Status
	}
	if l.Error != "" {
		r.message = l.Error
	}
	if l.Unchecked != "" {
		r.message = "not checked by the server: " + l.Unchecked
	}
}

// Tick redraws what has changed.
func (t *stepTable) Tick() {
	if t.dirty && t.Redraw && !t.closed {
		t.erase()
		t.draw()
	}
}

// Close leaves the last form of the table, with all rows and whole lines.
func (t *stepTable) Close() {
	if t.closed {
		return
	}
	t.closed = true
	t.erase()
	if len(t.rows) > 0 {
		t.write(t.table(t.rows, 0))
	}
}

// Summary shows the counts by action, below the table.
func (t *stepTable) Summary() {
	t.Close()
	text := stepText{style: t.Style, dryRun: t.DryRun}
	for _, l := range t.course.summary() {
		t.write([]string{text.line(l)})
	}
}

// Failed returns why the table could not be written.
func (t *stepTable) Failed() error { return t.err }

// erase takes the table away, so that others can write.
func (t *stepTable) erase() {
	if t.drawn > 0 {
		t.put(fmt.Sprintf("\x1b[%dA\r\x1b[J", t.drawn))
		t.drawn = 0
	}
}

// draw draws as much of the table as the terminal can show.
func (t *stepTable) draw() {
	if !t.Redraw || t.closed || len(t.rows) == 0 {
		return
	}
	t.dirty = false
	rows, more := t.visible()
	lines := t.table(rows, t.columns())
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	t.write(lines)
	t.drawn = len(lines)
}

// visible are the rows that fit on the screen: those with something in progress
// first.
func (t *stepTable) visible() (rows []*stepRow, more int) {
	most := 20
	if t.Height != nil && t.Height() > 0 {
		most = max(t.Height()-3, 1)
	}
	if len(t.rows) <= most {
		return t.rows, 0
	}
	for _, wanted := range []func(*stepRow) bool{(*stepRow).bad, (*stepRow).busy, func(r *stepRow) bool { return !r.bad() && !r.busy() }} {
		for _, r := range t.rows {
			if len(rows) < most && wanted(r) && !slices.Contains(rows, r) {
				rows = append(rows, r)
			}
		}
	}
	return rows, len(t.rows) - len(rows)
}

// columns is the width of the terminal, 0 where a line may be as long as it is.
func (t *stepTable) columns() int {
	if !t.Redraw || t.Width == nil {
		return 0
	}
	return t.Width() - 1
}

// table renders rows, each on one line.
func (t *stepTable) table(rows []*stepRow, width int) []string {
	cells := [][]string{{"NAMESPACE", "RESOURCE", "ACTION", "STATUS", "RECONCILED", "MESSAGE"}}
	for _, r := range rows {
		action := r.action
		if r.result != "" {
			action += " " + strings.ToLower(r.result)
		}
		cells = append(cells, []string{printable(r.object.Namespace), objectName(r.object), printable(action), printable(r.status), printable(r.reconciled), printable(r.message)})
	}
	widths := make([]int, len(cells[0])) // 0 for a column without content
	for n, row := range cells {
		for i, cell := range row {
			if n > 0 && cell != "" {
				widths[i] = max(widths[i], terminal.Columns(cell), terminal.Columns(cells[0][i]))
			}
		}
	}
	narrow(cells, widths, width)
	var lines []string
	for n, row := range cells {
		var b strings.Builder
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			b.WriteString(cell + strings.Repeat(" ", widths[i]-terminal.Columns(cell)+2))
		}
		line := fit(strings.TrimRight(b.String(), " "), width)
		switch {
		case n == 0:
			line = t.Style.paint(bold, line)
		case rows[n-1].bad():
			line = t.Style.paint(red, line)
		case rows[n-1].busy():
			line = t.Style.paint(yellow, line)
		}
		lines = append(lines, line)
	}
	return lines
}

// narrow leaves out columns, and cuts names, where not even the statuses would fit:
// they are what people wait for.
func narrow(cells [][]string, widths []int, width int) {
	const namespace, resource, action, message = 0, 1, 2, 5
	missing := func() int {
		used := 0
		for i, w := range widths {
			if w > 0 && i != message {
				used += w + 2
			}
		}
		return used - 2 - width
	}
	if width < 1 {
		return
	}
	for _, column := range []int{namespace, action} {
		if missing() > 0 {
			widths[column] = 0
		}
	}
	if missing() > 0 {
		widths[resource] = max(widths[resource]-missing(), 8)
		for _, row := range cells {
			if name := row[resource]; terminal.Columns(name) > widths[resource] { // its end says more than its kind
				for terminal.Columns(name) > widths[resource]-1 {
					_, size := utf8.DecodeRuneInString(name)
					name = name[size:]
				}
				row[resource] = "…" + name
			}
		}
	}
}

func (t *stepTable) write(lines []string) { t.put(strings.Join(lines, "\n") + "\n") }

func (t *stepTable) put(text string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.Out, text)
	}
}
