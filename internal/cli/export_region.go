package cli

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/profile"
)

// everyRegion stands for all of them.
const everyRegion = "all"

// regionList is the value of a flag that may be given several times. One region
// is a setting as any other.
type regionList []string

// String joins the regions.
func (l *regionList) String() string { return strings.Join(*l, ",") }

// Type is what help calls a value.
func (l *regionList) Type() string { return "strings" }

// Set adds regions, separated by commas.
func (l *regionList) Set(text string) error {
	for _, name := range strings.Split(text, ",") {
		more := []string{strings.ToLower(strings.TrimSpace(name))}
		if more[0] == everyRegion {
			more = profile.Regions()
		}
		for _, r := range more {
			if !slices.Contains(*l, r) {
				*l = append(*l, r)
			}
		}
	}
	return nil
}

// checkRegions refuses what several regions do not go together with.
func (o *exportOptions) checkRegions(cmd *cobra.Command) error {
	if len(o.regions) < 2 {
		return nil
	}
	for _, r := range o.regions {
		if !slices.Contains(profile.Regions(), r) {
			return usagef("invalid value %q for --region: use %s or %s", r, strings.Join(profile.Regions(), ", "), everyRegion)
		}
	}
	switch {
	case cmd.Flags().Changed("base-url"):
		return usagef("--base-url and several regions exclude each other")
	case o.splitDir == "" && o.outputFile == "" && !o.write.State:
		return usagef("several regions make several configurations, which cannot share standard output").
			WithHint("name a file with --output-file (konnect.yaml becomes konnect.us.yaml and so on) or a folder with --split-dir.")
	}
	return nil
}

// part is the export of one region.
type part struct {
	region string
	*export.Output
}

// join makes one output of those of several regions: a folder or a file for each,
// because each is a configuration of its own. The states of several regions are
// one file.
func (o *exportOptions) join(parts []part) *export.Output {
	if len(parts) == 1 {
		return parts[0].Output
	}
	out := &export.Output{}
	var state bytes.Buffer
	for _, p := range parts {
		out.Resources += p.Resources
		out.Entities += p.Entities
		out.Warnings = append(out.Warnings, p.Warnings...)
		for _, f := range p.Files {
			switch {
			case o.write.State:
				if state.Len() > 0 {
					state.WriteString("---\n")
					f.Data = bytes.TrimPrefix(f.Data, []byte(export.StateHead))
				}
				state.Write(f.Data)
				continue
			case o.splitDir != "":
				f.Name = path.Join(p.region, f.Name)
			case f.Name == "":
				f.Name = regionBase(path.Base(o.outputFile), p.region) + path.Ext(o.outputFile)
			}
			out.Files = append(out.Files, f)
		}
	}
	if o.write.State {
		out.Files = []export.File{{Data: state.Bytes()}}
	}
	return out
}

// regionBase begins the names of the files of a region: konnect.yaml gives
// konnect.eu.
func regionBase(file, region string) string {
	base := strings.TrimSuffix(file, path.Ext(file))
	if region == "" {
		return base
	}
	return base + "." + region
}

// request asks for a region. What belongs to the whole organization is in the
// state of the first.
func (o *exportOptions) request(region string, i int) engine.ExportRequest {
	r := engine.ExportRequest{Read: o.read, Write: o.write, Terraform: o.terraform}
	r.Write.Region = region
	if o.write.State {
		r.Read.Regional = i > 0
	} else if o.outputFile != "" {
		r.Write.Base = regionBase(filepath.Base(o.outputFile), region)
	}
	return r
}

// finish writes an export and says what is to be known of it.
func (o *exportOptions) finish(out *export.Output, failed int) error {
	if err := o.save(out); err != nil {
		return err
	}
	printDiagnostics(o.factory.world.streams.err, o.factory.errStyle(), out.Warnings)
	if failed > 0 {
		return &partialExportError{&partialPlanError{count: failed}}
	}
	if n := twins(out.Warnings); n > 0 && o.write.State {
		return &lossyExportError{n}
	}
	return nil
}

// named is the file to write to, "" for standard output.
func named(file string) string {
	if file == standardOutput {
		return ""
	}
	return file
}
