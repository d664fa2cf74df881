package archtest

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

const (
	maxLines     = 500
	maxVerbLines = 200
)

// shortFiles asserts that a file is one idea.
func shortFiles(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		for _, f := range p.files {
			if f.lines > maxLines && !ast.IsGenerated(f.ast) {
				out = append(out, finding{f.path, fmt.Sprintf("has %d lines, more than %d: it is more than one idea", f.lines, maxLines)})
			}
		}
	}
	return out
}

// shortVerbs asserts that the files of the command line hold flags and views:
// what is longer does the engine's work.
func shortVerbs(t *tree) []finding {
	var out []finding
	t.code(func(p *pkg, f *file) {
		if room(p.dir) == "cli" && f.lines > maxVerbLines {
			out = append(out, finding{f.path, fmt.Sprintf("has %d lines, more than %d: what is neither flags nor a view belongs into the engine", f.lines, maxVerbLines)})
		}
	})
	return out
}

// A package's comment says all three.
var (
	saysIn    = regexp.MustCompile(`(?i)\bin\b`)
	saysOut   = regexp.MustCompile(`(?i)\bout\b`)
	saysNever = regexp.MustCompile(`(?i)\bnever\b`)
	sentence  = regexp.MustCompile(`[.!?](\s|$)`)
)

// packageDocs asserts that every package says what comes in, what goes out and
// what it must never import; a program just says what it is.
func packageDocs(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		doc := packageDoc(p)
		program := p.files[0].ast.Name.Name == "main"
		switch {
		case doc == "":
			out = append(out, finding{p.dir, "has no package comment"})
		case program:
		case len(sentence.FindAllString(doc, 2)) < 2:
			out = append(out, finding{p.dir, "has a package comment of one sentence"})
		case !saysIn.MatchString(doc) || !saysOut.MatchString(doc) || !saysNever.MatchString(doc):
			out = append(out, finding{p.dir, "has a package comment that does not say what comes in, what goes out and what it must never import"})
		}
	}
	return out
}

// packageDoc is the comment of the package; that of its tests counts only where
// there is nothing else.
func packageDoc(p *pkg) string {
	var doc, testDoc []string
	for _, f := range p.files {
		switch text := strings.TrimSpace(f.ast.Doc.Text()); {
		case text == "":
		case f.test:
			testDoc = append(testDoc, text)
		default:
			doc = append(doc, text)
		}
	}
	if onlyTests(p) {
		return strings.Join(testDoc, "\n\n")
	}
	return strings.Join(doc, "\n\n")
}

func onlyTests(p *pkg) bool {
	for _, f := range p.files {
		if !f.test {
			return false
		}
	}
	return true
}
