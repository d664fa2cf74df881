package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kongctl/internal/view"
)

// version is set by the linker.
var version = "v0.1.0-dev"

// build tells what this program was made of.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func buildInfo() build {
	b := build{Version: version, Commit: "unknown", Date: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch {
		case s.Value == "":
		case s.Key == "vcs.revision":
			b.Commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.time":
			b.Date = s.Value
		}
	}
	return b
}

func versionText(b build) string {
	commit := "commit " + b.Commit
	if b.Commit == "unknown" {
		commit = "unknown commit"
	}
	return fmt.Sprintf("kongctl %s (%s, %s)", b.Version, commit, b.Go)
}

type versionOptions struct {
	streams *streams
	output  string
	full    bool
}

func newVersionCmd(f *factory, runF func(*versionOptions) error) *cobra.Command {
	o := &versionOptions{streams: f.world.streams}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Example: `  kongctl version
  kongctl version --full
  kongctl version -o json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return versionRun(o)
		},
	}
	addOutput(cmd, &o.output, "text, json or yaml")
	cmd.Flags().BoolVar(&o.full, "full", false, "one line for each of version, commit, date, Go and platform")
	return cmd
}

func versionRun(o *versionOptions) error {
	b := buildInfo()
	switch o.output {
	case formJSON:
		return toOutput(view.WriteJSON(o.streams.out, b))
	case formYAML:
		return toOutput(view.WriteYAML(o.streams.out, b))
	default:
		text := versionText(b)
		if o.full {
			text = fmt.Sprintf("version: %s\ncommit: %s\ndate: %s\ngo: %s\nplatform: %s/%s", b.Version, b.Commit, b.Date, b.Go, b.OS, b.Arch)
		}
		_, err := fmt.Fprintln(o.streams.out, text)
		return toOutput(err)
	}
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[0]).WithHint("see %s --help", cmd.CommandPath())
}
