package script

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// shows compares standard output with a file. Its first line says where the
// command worked, which differs from run to run.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: shows FILE")
	}
	first, rest, _ := strings.Cut(ts.ReadFile("stdout"), "\n")
	if !strings.HasPrefix(first, "Target: ") {
		ts.Fatalf("the first line does not say where: %q", first)
	}
	if want := ts.ReadFile(args[0]); rest != want {
		ts.Fatalf("standard output has\n%s\nwant\n%s", rest, want)
	}
}
