package cli

import (
	"github.com/kongctl/kongctl/internal/view"
)

// startLines writes the events of a run to standard output, beside what standard
// error shows.
func startLines(f *factory, d *display) {
	s := f.world.streams
	f.lines = view.NewEventLines(s.out, f.world.now, f.command, version)
	d.do(func() { d.progress = view.Both{First: d.progress, Second: f.lines} })
}

// endLines ends the events of a run that has no report.
func endLines(f *factory, err error) {
	if err == nil {
		return
	}
	s := f.world.streams
	if f.lines == nil {
		f.lines = view.NewEventLines(s.out, f.world.now, f.command, version)
	}
	_ = f.lines.Fail(view.Failure{Error: failure(f, err), Diagnostics: diagnosed(err)}) // where standard output is gone, nobody reads it
}
