package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/value"
)

// headings are how a run ended, in a word.
var headings = map[string]string{
	StatusDone: "Done", StatusFailed: "Failed", StatusPartial: "Partial", StatusInterrupted: "Interrupted", StatusDryRun: "Dry run",
}

// WriteMarkdown renders a report for a pull request: how the run ended and where,
// what failed, and each change.
func (r *Report) WriteMarkdown(w io.Writer) error {
	title := headings[r.ended()] + ": " + r.message()
	if r.Status == StatusDryRun {
		title = fmt.Sprintf("Dry run of %s: nothing was changed.", count(r.Total, "change"))
	}
	doc := mdDocument{whole: "All of it: `--execution-report-file FILE`."}
	doc.head = "### " + title + "\n\n" + mdPlace(r.Place, string(r.Mode)) + mdError(r.Error)
	var failed, unknown, done note
	failed.title, failed.color, done.title = "Failed", red, "Changes"
	unknown.title, unknown.color = "Outcome unknown", yellow
	for _, c := range r.Results {
		text := resource(c.ResourceType, c.ResourceRef)
		switch c.Status {
		case execute.Aborted:
			unknown.items = append(unknown.items, verb(string(c.Action))+text+", because the run was aborted")
		case execute.Failed:
			failed.items = append(failed.items, verb(string(c.Action))+text+": "+printable(c.Error)+unsure(c.Unknown))
		case execute.Succeeded, execute.Skipped: // among the changes
		}
		done.items = append(done.items, mdResult(c)+text)
	}
	if r.FinishError != "" {
		failed.items = append(failed.items, "finish: "+printable(r.FinishError))
	}
	p := &plan.Plan{Pending: r.Pending, Blocked: r.Blocked, Errors: r.Unread}
	for _, n := range append([]note{failed, unknown}, noteList(p)...) {
		if len(n.items) > 0 {
			doc.parts = append(doc.parts, mdNote(n))
		}
	}
	if len(done.items) > 0 {
		doc.parts = append(doc.parts, mdList(done.title, done.items))
	}
	return doc.write(w, maxMarkdown)
}

// mdResult says how a change ended, after the sign that a diff has a colour for.
func mdResult(c *execute.Result) string {
	sign := mdSigns[actUpdate]
	switch c.Action {
	case plan.Create:
		sign = mdSigns[actCreate]
	case plan.Delete:
		sign = mdSigns[actDelete]
	case plan.Update, plan.ExternalTool:
	}
	switch {
	case c.Status == planned:
		return sign + " " + verb(string(c.Action))
	case c.AlreadyDone:
		return "  up to date: "
	case c.Status == execute.Succeeded:
		return sign + " " + past(string(c.Action)) + " "
	case c.Status == execute.Failed:
		return "! failed: " + verb(string(c.Action))
	case c.Status == execute.Aborted:
		return "! aborted: " + verb(string(c.Action))
	default:
		return "# not done: " + verb(string(c.Action))
	}
}

// mdList is a part that opens on a click: lines, each with its sign.
func mdList(title string, lines []string) mdPart {
	const few = 100
	summary := fmt.Sprintf("%s (%d)", mdText(title), len(lines))
	forms := []string{mdDetails(summary, mdFence("diff", lines), false)}
	if len(lines) > few {
		forms = append(forms, mdDetails(summary, mdFence("diff", append(lines[:few:few], fmt.Sprintf("  … %d more", len(lines)-few))), false))
	}
	return mdPart{forms: append(forms, "<p>"+summary+"</p>\n\n"), things: len(lines), noun: "change"}
}

// mdError says why a command failed.
func mdError(e *Error) string {
	if e == nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(e.Message, "\n"), "\n")
	const most = 40
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	for i, text := range lines {
		lines[i] = "- " + shorten(printable(text), 400)
	}
	return fmt.Sprintf("**Error** (exit status %d)\n\n", e.ExitCode) + mdFence("diff", lines) + "\n"
}

// WriteMarkdown renders for a pull request why a command ended without more.
func (f Failure) WriteMarkdown(w io.Writer) error {
	doc := mdDocument{whole: "All of it is on standard error."}
	doc.head = "### kongctl failed\n\n" + mdError(f.Error)
	for _, d := range f.Diagnostics {
		where := ""
		if d.File != "" {
			where = " in " + mdCode(value.Pos{File: d.File, Line: d.Line, Column: d.Column}.String())
		}
		lines := mdProse("", d.Detail)
		lines = append(lines, mdProse("fix: ", d.Fix)...)
		summary := "<b>" + mdText(d.Severity+" "+d.Code) + "</b>: " + mdText(d.Summary) + where
		forms := []string{mdDetails(summary, mdFence("text", lines), true), "<p>" + summary + "</p>\n\n"}
		if len(lines) == 0 {
			forms = forms[1:]
		}
		doc.parts = append(doc.parts, mdPart{forms: forms, things: 1, noun: "diagnostic"})
	}
	return doc.write(w, maxMarkdown)
}

// mdProse are the lines of a text, after a label.
func mdProse(label, text string) []string {
	if text == "" {
		return nil
	}
	lines := splitLines(text)
	for i, further := range lines {
		lines[i] = "  " + terminal.Further(further)
	}
	lines[0] = label + printable(splitLines(text)[0])
	return lines
}
