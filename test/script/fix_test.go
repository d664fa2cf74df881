package script

import (
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	fixCommand = regexp.MustCompile("kongctl ([a-z][^`\n]*)")
	fixWord    = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)
)

// typeable fails unless the commands in the fixes on standard error can be typed: with
// --help they end well, which they do not with a flag that they lack.
func typeable(ts *testscript.TestScript) {
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		_, fix, ok := strings.Cut(line, "  fix: ")
		if !ok {
			continue
		}
		for _, m := range fixCommand.FindAllStringSubmatch(fix, -1) {
			var words []string
			for _, word := range fixWord.FindAllString(m[1], -1) {
				last := strings.TrimRight(word, ".,;:)")
				words = append(words, strings.ReplaceAll(last, "'", ""))
				if last != word {
					break // the end of a sentence
				}
			}
			cmd := exec.Command("kongctl", append(words, "--help")...)
			cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("WORK"))
			if out, err := cmd.CombinedOutput(); err != nil {
				ts.Fatalf("the fix says kongctl %s: %v\n%s", strings.Join(words, " "), err, out)
			}
		}
	}
}
