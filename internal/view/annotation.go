package view

import (
	"fmt"
	"io"
	"strings"
)

// WriteAnnotations writes diagnostics as commands of GitHub Actions, which shows
// them at the lines of a pull request. Path names a file from the root of the
// repository.
func WriteAnnotations(w io.Writer, list []Diagnostic, path func(string) string) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, d := range list {
		command := severityAs(d, "error", "warning", "notice")
		var at []string
		add := func(name, text string) { at = append(at, name+"="+property.Replace(text)) }
		if d.File != "" && d.File != "-" && !strings.Contains(d.File, "://") {
			add("file", path(d.File))
			if d.Line > 0 {
				add("line", fmt.Sprint(d.Line))
			}
			if d.Column > 0 {
				add("col", fmt.Sprint(d.Column))
			}
		}
		add("title", d.Code+" "+d.Summary)
		text := d.Detail
		if text == "" {
			text = upperFirst(d.Summary)
		}
		if d.Fix != "" {
			text += "\nFix: " + d.Fix
		}
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", command, strings.Join(at, ","), data.Replace(text)); err != nil {
			return err
		}
	}
	return nil
}
