package cli

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// filterFlags leave parts of the configuration out of a plan.
type filterFlags struct {
	ignore, isolate patternList
	files           []string
}

const (
	flagIgnore     = "ignore-refs"
	flagIsolate    = "isolate-refs"
	flagIgnoreFile = "ignore-file"
)

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.ignore, flagIgnore, "leave these resources unchanged: refs, names of managed resources, type:T; comma-separated or repeated")
	flags.Var(&f.isolate, flagIsolate, "plan only these resources: refs, names of managed resources, type:T; comma-separated or repeated")
	flags.StringArrayVar(&f.files, flagIgnoreFile, nil, "file with one pattern of --ignore-refs per line; # starts a comment")
}

func (f *filterFlags) empty() bool { return len(f.ignore)+len(f.isolate)+len(f.files) == 0 }

// check refuses what does not go together.
func (f *filterFlags) check() error {
	switch {
	case len(f.isolate) == 0:
		return nil
	case len(f.ignore) > 0:
		return usagef("--%s and --%s exclude each other", flagIgnore, flagIsolate)
	case len(f.files) > 0:
		return usagef("--%s and --%s exclude each other", flagIgnoreFile, flagIsolate)
	default:
		return nil
	}
}

// patternList is a flag that takes patterns, comma-separated or repeated. None
// may be empty: where a script meant a variable that is not set, all would be
// planned.
type patternList []string

// Set adds the patterns of one flag.
func (l *patternList) Set(text string) error {
	fields, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return errors.New("write patterns between commas; quote one that holds a comma")
	}
	for _, s := range fields {
		if s = strings.TrimSpace(s); s != "" {
			*l = append(*l, s)
			continue
		}
		return errEmptyPattern
	}
	if len(fields) == 0 {
		return errEmptyPattern
	}
	return nil
}

var errEmptyPattern = errors.New("a pattern is empty: write a ref, or type:T for a whole type")

// String is the patterns as they may be written.
func (l *patternList) String() string { return strings.Join(*l, ",") }

// Type is what help calls a value.
func (l *patternList) Type() string { return "patterns" }
