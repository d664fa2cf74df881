package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/execute"
)

const writeGenerated = "write-generated"

// addGenerated adds the flag that names a file for secrets that are generated.
func addGenerated(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, writeGenerated, "", "write secrets that Konnect generates and shows once to this new file (mode 0600)")
}

// checkGenerated refuses, before anything is read, a file that could not be made. What
// is there may be other secrets, so it is never replaced.
func checkGenerated(f *factory, file string) error {
	if file == "" {
		return nil
	}
	path, err := f.absolute(file)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil || file == "-" {
		return usagef("invalid value %q for --%s: it takes a file that does not exist yet", file, writeGenerated)
	}
	return disk.Writable(path)
}

// generated is the file of a run for secrets that Konnect generates and shows once; nil
// where nobody asked for one.
type generated struct {
	name  string
	lines *disk.Lines
}

func openGenerated(x *execution) (*generated, error) {
	if x.generatedFile == "" {
		return nil, nil
	}
	path, err := x.factory.absolute(x.generatedFile)
	if err != nil {
		return nil, err
	}
	lines, err := disk.NewLines(path)
	if err != nil {
		return nil, err
	}
	return &generated{x.generatedFile, lines}, nil
}

// keep is what the run calls with each secret. All of them are a list in YAML.
func (g *generated) keep() func(execute.ShownOnce) error {
	if g == nil {
		return nil
	}
	return func(s execute.ShownOnce) error {
		raw, err := json.Marshal(s)
		if err != nil {
			return err
		}
		return g.lines.Add(append([]byte("- "), raw...))
	}
}

// closeGenerated ends the file and says what is in it.
func closeGenerated(x *execution, g *generated) error {
	if g == nil {
		return nil
	}
	n, err := g.lines.Close()
	switch {
	case err != nil:
		return err
	case n == 0:
		return x.say(fmt.Sprintf("Konnect generated no secret; %s was not written.", g.name))
	}
	return x.say(fmt.Sprintf("Wrote %s to %s; only you can read it.", plural(n, "generated secret", "generated secrets"), g.name))
}
