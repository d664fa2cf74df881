// Package cli is the command line: one file per verb.
//
// In: arguments, streams, environment. Out: one call of the engine, one view
// of what came of it, one exit status. Plans, progress and reports are rendered
// by views, and errors become exit statuses in exit.go alone. It must never be imported
// but by main, and must never import what is for tests.
package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
)

// Main runs the command line of this process and returns its exit status.
func Main() int {
	collectLate()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write that nobody reads is an error, not the end of the process
	ctx, end := context.WithCancel(context.Background())
	defer end()
	w := system()
	ctx, w.interrupts = listen(ctx, signals, func() { signal.Stop(signals) })
	return run(ctx, newFactory(w), os.Args[1:])
}

// collectLate lets the first garbage collection wait until the heap has 32 MB, which
// most commands never need. From then on the pace is that of Go, or of GOGC.
func collectLate() {
	const late = 800 // percent of the 4 MB at which Go begins
	pace := debug.SetGCPercent(late)
	if pace < 0 || pace > late {
		debug.SetGCPercent(pace)
		return
	}
	runtime.AddCleanup(new([64]byte), func(pace int) { debug.SetGCPercent(pace) }, pace)
}

// run is Main with all surroundings given.
func run(ctx context.Context, f *factory, args []string) int {
	streams := f.world.streams
	root := newRootCmd(f)
	if slices.Contains(args, cobra.ShellCompRequestCmd) || slices.Contains(args, cobra.ShellCompNoDescRequestCmd) {
		addCompletions(f, root)
	}
	root.SetArgs(earlyFlags(root, args))
	root.SetIn(streams.in)
	root.SetOut(streams.out)
	root.SetErr(streams.err)
	printing, left := context.WithCancel(ctx)
	defer left()
	streams.left = left
	cmd, err := root.ExecuteContextC(printing)
	if closed := f.close(); err == nil {
		err = closed
	}
	if err = interruption(ctx, err); ctx.Err() == nil {
		err = streams.unread(err)
	}
	if err != nil && f.flags == nil { // the command did not begin
		f.flags = flagsAnyway(root, args)
	}
	leadFixes(f, err)
	printError(streams.err, f.errStyle(), err)
	annotateError(f, err)
	if form := wantedForm(cmd, args); !writeErrorLines(f, cmd, form, err) {
		writeErrorDocument(f, form, err)
	}
	evaluatesFailure(streams, cmd, args, err)
	f.adviseToken(err)
	_ = streams.flush() // there is nobody left to tell
	return exitStatus(f, err)
}
