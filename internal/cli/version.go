package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/view"
)

// devVersion is the version of a program that nobody gave another one.
const devVersion = "v0.1.0-dev"

// What the linker sets; what it does not set comes from the build's own record.
var (
	version = devVersion
	commit  = ""
	date    = ""
)

// build says what this program was made of.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func buildInfo() build {
	info, _ := debug.ReadBuildInfo() // nil where the program has no record
	return describeBuild(build{Version: version, Commit: commit, Date: date}, info)
}

// describeBuild completes what the linker set: the version with that of the
// module where it was installed as one, commit and date with those of the
// repository.
func describeBuild(b build, info *debug.BuildInfo) build {
	b.Go, b.OS, b.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
	if info != nil {
		if v := info.Main.Version; b.Version == devVersion && v != "" && v != "(devel)" {
			b.Version = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && b.Commit == "":
				b.Commit = s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.time" && b.Date == "":
				b.Date = s.Value
			}
		}
	}
	b.Commit, b.Date = cmp.Or(b.Commit, "unknown"), cmp.Or(b.Date, "unknown")
	return b
}

func versionText(b build) string {
	made := "unknown commit"
	if b.Commit != "unknown" {
		made = "commit " + b.Commit
	}
	if day, _, ok := strings.Cut(b.Date, "T"); ok {
		made += " of " + day
	}
	return fmt.Sprintf("kongctl %s (%s, %s)", b.Version, made, b.Go)
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
