// Command differ compares two builds of the program: it runs both on the same
// generated cases and compares all that they print, write and send.
//
// In: two binaries, a number of cases. Out: the cases that differ, and a count.
// It must never import the program's packages: what it sees is what a user sees.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
)

func main() {
	os.Exit(start(os.Args[1:], os.Stdout, os.Stderr)) //nolint:forbidigo // this is a main
}

// start reads the flags and returns the exit status.
func start(args []string, out, errs io.Writer) int {
	flag := flag.NewFlagSet("differ", flag.ContinueOnError)
	flag.SetOutput(errs)
	before := flag.String("old", "", "binary to compare with")
	after := flag.String("new", "bin/kongctl", "binary to check")
	cases := flag.Int("cases", 2000, "number of generated cases")
	first := flag.Uint64("first", 1, "seed of the first case")
	show := flag.Int("show", 5, "how many differing cases to print in full")
	workers := flag.Int("workers", 2, "cases that run at the same time")
	if err := flag.Parse(args); err != nil {
		return usage
	}
	if *before == "" {
		say(errs, "differ: name the binary to compare with: -old FILE\n")
		return usage
	}
	c := comparison{before: absolute(*before), after: absolute(*after), show: int64(*show), out: out, errs: errs}
	return c.run(*first, *cases, *workers)
}

// usage is the exit status of wrong flags.
const usage = 64

func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

// say writes to a stream; there is nowhere to report that it cannot.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// comparison is a run over many cases.
type comparison struct {
	before, after string
	show          int64 // how many differing cases are printed in full
	mu            sync.Mutex
	out, errs     io.Writer

	differ, failed, steps atomic.Int64
}

// run compares the cases and returns the exit status.
func (x *comparison) run(first uint64, cases, workers int) int {
	seeds := make(chan uint64)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for seed := range seeds {
				x.compare(seed)
			}
		})
	}
	for i := range cases {
		seeds <- first + uint64(i)
	}
	close(seeds)
	group.Wait()
	say(x.out, "differ: %d cases, %d commands, %d differ, %d could not run\n", cases, x.steps.Load(), x.differ.Load(), x.failed.Load())
	if x.differ.Load() > 0 || x.failed.Load() > 0 {
		return 1
	}
	return 0
}

// compare runs one case with both binaries.
func (x *comparison) compare(seed uint64) {
	c := newCase(seed)
	before, errBefore := c.transcript(x.before)
	after, errAfter := c.transcript(x.after)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := errors.Join(errBefore, errAfter); err != nil {
		x.failed.Add(1)
		say(x.errs, "case %d: %v\n", seed, err)
		return
	}
	x.steps.Add(int64(len(c.steps)))
	diff := cmp.Diff(before, after)
	if diff == "" {
		return
	}
	if x.differ.Add(1) <= x.show {
		say(x.out, "case %d (-old +new):\n%s\n%s\n", seed, c.describe(), diff)
	}
}

// describe lists the commands of a case.
func (c *testCase) describe() string {
	var lines []string
	for _, s := range c.steps {
		lines = append(lines, "  kongctl "+strings.Join(s.args, " "))
	}
	return strings.Join(lines, "\n")
}
