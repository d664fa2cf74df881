// Command differ compares two builds of the program: it runs both on the same
// generated cases and compares all that they print, write and send.
//
// In: two binaries, a number of cases. Out: the cases that differ, and a count.
// It must never import the program's packages: what it sees is what a user sees.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
)

func main() {
	before := flag.String("old", "", "binary to compare with")
	after := flag.String("new", "bin/kongctl", "binary to check")
	cases := flag.Int("cases", 2000, "number of generated cases")
	first := flag.Uint64("first", 1, "seed of the first case")
	show := flag.Int("show", 5, "how many differing cases to print in full")
	workers := flag.Int("workers", 2, "cases that run at the same time")
	flag.Parse()
	if *before == "" {
		fmt.Fprintln(os.Stderr, "differ: name the binary to compare with: -old FILE")
		os.Exit(64)
	}
	os.Exit(run(absolute(*before), absolute(*after), *first, *cases, *show, *workers))
}

func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

// run compares the cases and returns the exit status.
func run(before, after string, first uint64, cases, show, workers int) int {
	var differ, failed, steps atomic.Int64
	var mu sync.Mutex
	seeds := make(chan uint64)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for seed := range seeds {
				c := newCase(seed)
				x, errX := c.transcript(before)
				y, errY := c.transcript(after)
				if errX != nil || errY != nil {
					failed.Add(1)
					fmt.Fprintf(os.Stderr, "case %d: old: %v, new: %v\n", seed, errX, errY)
					continue
				}
				steps.Add(int64(len(c.steps)))
				if diff := cmp.Diff(x, y); diff != "" {
					mu.Lock()
					if n := differ.Add(1); n <= int64(show) {
						fmt.Printf("case %d (-old +new):\n%s\n%s\n", seed, c.describe(), diff)
					}
					mu.Unlock()
				}
			}
		})
	}
	for i := range cases {
		seeds <- first + uint64(i)
	}
	close(seeds)
	group.Wait()
	fmt.Printf("differ: %d cases, %d commands, %d differ, %d could not run\n", cases, steps.Load(), differ.Load(), failed.Load())
	if differ.Load() > 0 || failed.Load() > 0 {
		return 1
	}
	return 0
}

// describe lists the commands of a case.
func (c *testCase) describe() string {
	var lines []string
	for _, s := range c.steps {
		lines = append(lines, "  kongctl "+strings.Join(s.args, " "))
	}
	return strings.Join(lines, "\n")
}
