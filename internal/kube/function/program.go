package function

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/process"
)

// Runner runs programs.
type Runner struct {
	// Dir is the current folder of programs, absolute.
	Dir string
	// Env is all of their environment.
	Env []string
	// Timeout bounds each function; 0 does not.
	Timeout time.Duration
	// Stderr gets what programs write to their standard error.
	Stderr io.Writer
}

const (
	grace = 5 * time.Second
	// keep is how much of the standard error of a program is remembered.
	keep = 64 << 10
)

// run runs a command on an input and returns its standard output.
func (r *Runner) run(ctx context.Context, command string, input []byte, o *Outcome) ([]byte, error) {
	path, args, err := r.find(command)
	if err != nil {
		return nil, err
	}
	within := ctx
	if r.Timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, r.Timeout)
		defer cancel()
		within = limited
	}
	cmd := exec.CommandContext(within, path, args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	var stdout bytes.Buffer
	said := &tail{limit: keep}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, io.MultiWriter(said, r.Stderr)
	err = process.Run(within, cmd, grace)
	o.Stderr = strings.TrimRight(string(said.data), "\n")
	var exit *exec.ExitError
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case within.Err() != nil:
		return nil, fmt.Errorf("no end after %s (--timeout)", r.Timeout)
	case errors.As(err, &exit):
		o.Exit = max(exit.ExitCode(), 1)
		return stdout.Bytes(), errors.New(exit.String())
	default:
		return nil, disk.Cause(err)
	}
}

// find returns the program of a command, and its arguments. A name without a
// slash is looked for on PATH, where the current folder does not count.
func (r *Runner) find(command string) (string, []string, error) {
	parts, err := words(command)
	if err != nil {
		return "", nil, err
	}
	name := parts[0]
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Dir, name)
		}
		if path, err = exec.LookPath(path); err != nil {
			var failed *exec.Error
			if errors.As(err, &failed) {
				err = disk.Cause(failed.Err)
			}
			return "", nil, err
		}
		return path, parts[1:], nil
	}
	for _, entry := range r.Env {
		list, found := strings.CutPrefix(entry, "PATH=")
		if !found {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			if !filepath.IsAbs(dir) {
				continue
			}
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path, parts[1:], nil
			}
		}
	}
	return "", nil, errors.New("there is no such program on PATH")
}

// words splits a command as a shell does, quotes and backslashes included, and
// replaces nothing.
func words(command string) ([]string, error) {
	var out []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, c := range command {
		switch {
		case escaped:
			if quote == '"' && c != '"' && c != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case strings.ContainsRune(" \t\r\n", c):
			if inWord {
				out = append(out, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the command has a quote %c that is not closed", quote)
	case escaped:
		return nil, errors.New("the command ends with a backslash")
	case inWord:
		out = append(out, word.String())
	}
	if len(out) == 0 || out[0] == "" {
		return nil, errors.New("the command names no program")
	}
	return out, nil
}

// tail keeps the end of what is written to it.
type tail struct {
	limit int
	data  []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if over := len(t.data) - t.limit; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}
