package page

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Session is what a reader does who follows the runnable blocks of a page:
//
//	```yaml file=portal.yaml     is saved as that file
//	```console run               has commands behind "$ ", with "> " before lines
//	                             that continue them, and what they print
//
// In what is printed, "…" stands for any text, and lines may be left out.
type Session struct {
	file  string
	steps []step
}

type step struct {
	line    int
	file    string   // a file to save, or
	content string   // its content, or the command
	output  []string // what the command prints
}

var (
	fence    = regexp.MustCompile("^```(.*)$")
	saveForm = regexp.MustCompile(`^[a-z]+ file=(\S+)$`)
)

// runMark marks blocks that a reader runs.
const runMark = "console run"

// ReadSession reads the runnable blocks of a page; nil where there are none.
func ReadSession(file string) (*Session, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &Session{file: file}
	var info string
	var open, ran bool
	var body []string
	begin := 0
	for i, line := range strings.Split(string(raw), "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case mark == nil:
			body = append(body, line)
			continue
		case !open:
			open, info, begin, body = true, mark[1], i+2, nil
			continue
		}
		open = false
		if save := saveForm.FindStringSubmatch(info); save != nil {
			s.steps = append(s.steps, step{line: begin, file: save[1], content: strings.Join(body, "\n") + "\n"})
		} else if info == runMark {
			ran = true
			if err := s.commands(begin, body); err != nil {
				return nil, err
			}
		} else if strings.Contains(info, " ") {
			return nil, fmt.Errorf("%s:%d: a block is marked as %q: use %q, or a language with file=NAME", file, begin-1, info, runMark)
		}
	}
	if !ran {
		return nil, nil
	}
	return s, nil
}

// commands adds the commands of a block.
func (s *Session) commands(begin int, lines []string) error {
	first := len(s.steps)
	for i, line := range lines {
		last := len(s.steps) - 1
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			s.steps = append(s.steps, step{line: begin + i, content: text})
		} else if last < first {
			return fmt.Errorf("%s:%d: a block begins with a command behind \"$ \"", s.file, begin+i)
		} else if text, ok := strings.CutPrefix(line, "> "); ok && s.steps[last].output == nil {
			s.steps[last].content += "\n" + text
		} else if line = strings.TrimSpace(line); line != "" {
			s.steps[last].output = append(s.steps[last].output, line)
		}
	}
	return nil
}

// separator ends what a command printed.
const separator = "-- end of step "

// Script are the commands, with a separator behind what each prints.
func (s *Session) Script() string {
	var b strings.Builder
	for i, x := range s.steps {
		if x.file == "" {
			b.WriteString(x.content + "\n")
		} else {
			fmt.Fprintf(&b, "mkdir -p %q\ncat > %q <<'END_OF_FILE'\n%sEND_OF_FILE\n", filepath.Dir(x.file), x.file, x.content)
		}
		fmt.Fprintf(&b, "{ echo; echo '%s%d'; } 2>/dev/null\n", separator, i)
	}
	return b.String()
}

// Check compares what a run of the script printed with what the page shows, and
// returns the differences.
func (s *Session) Check(printed string) []string {
	var out []string
	lines := strings.Split(strings.ReplaceAll(printed, "\r", ""), "\n")
	at := 0
	for i, x := range s.steps {
		end := at
		for end < len(lines) && lines[end] != fmt.Sprintf("%s%d", separator, i) {
			end++
		}
		where := fmt.Sprintf("%s:%d", s.file, x.line)
		if end == len(lines) {
			return append(out, where+": the command fails:\n"+strings.Join(lines[at:], "\n"))
		}
		rest := lines[at:end]
		for _, want := range x.output {
			n := indexLine(rest, want)
			if n < 0 {
				out = append(out, fmt.Sprintf("%s: the command does not print %q, but:\n%s", where, want, strings.Join(lines[at:end], "\n")))
				break
			}
			rest = rest[n+1:]
		}
		at = end + 1
	}
	return out
}

// indexLine returns the first line that a pattern with "…" for any text matches
// wholly, or -1.
func indexLine(lines []string, pattern string) int {
	parts := strings.Split(pattern, "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	form := regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
	for i, line := range lines {
		if form.MatchString(strings.TrimSpace(line)) {
			return i
		}
	}
	return -1
}
