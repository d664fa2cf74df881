package cli

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the pages of commands")

const commandDir = "../../docs/cli"

// TestCommandPages compares docs/cli with the commands; -update writes it.
func TestCommandPages(t *testing.T) {
	pages := commandPages(newRootCmd(newConsole(t).factory))
	if *update {
		if err := os.RemoveAll(commandDir); err != nil {
			t.Fatal(err)
		}
		if err := writePages(commandDir, pages); err != nil {
			t.Fatal(err)
		}
	}
	found, err := os.ReadDir(commandDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(pages) {
		t.Errorf("docs/cli has %d pages, want %d; run make docs", len(found), len(pages))
	}
	for _, f := range found {
		if got, err := os.ReadFile(filepath.Join(commandDir, f.Name())); err != nil || string(got) != pages[f.Name()] {
			t.Errorf("docs/cli/%s is out of date; run make docs (%v)", f.Name(), err)
		}
	}
}

// TestManPages asserts that every command has a page, and that no line of its
// texts is taken for a request of the formatter.
func TestManPages(t *testing.T) {
	c := newConsole(t)
	root := newRootCmd(newConsole(t).factory)
	dir := t.TempDir()
	c.want(exitDone, "manual", dir)
	request := regexp.MustCompile(`^\.(TH|SH|PP|TP|B|BR|nf|fi)\b`)
	var names []string
	described(root, func(cmd *cobra.Command) { names = append(names, manName(cmd)) })
	for _, topic := range topics() {
		names = append(names, "kongctl-"+topic.name)
	}
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range []string{".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH SEE ALSO"} {
			if !strings.Contains(string(raw), "\n"+part+"\n") {
				t.Errorf("%s.1 has no %s", name, part)
			}
		}
		for line := range strings.Lines(string(raw)) {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !request.MatchString(line) {
				t.Errorf("%s.1: %q is taken for a request", name, line)
			}
		}
	}
	c.want(exitUsage, "manual", dir, "--form", "info")
}
