package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kongctl/internal/disk"
	"kongctl/internal/konnect/export"
)

// save writes the export and says where it is.
func (o *exportOptions) save(out *export.Output) error {
	f := o.factory
	switch {
	case o.splitDir != "":
		return o.saveSplit(out)
	case o.outputFile != "" && o.outputFile != standardOutput:
		path, err := f.absolute(o.outputFile)
		if err != nil {
			return err
		}
		if err := disk.Write(path, out.Files[0].Data); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		return o.say("%s written to %s.", plural(out.Resources, "resource", "resources"), o.outputFile)
	default:
		_, err := f.world.streams.out.Write(out.Files[0].Data)
		return toOutput(err)
	}
}

func (o *exportOptions) saveSplit(out *export.Output) error {
	dir, err := o.factory.absolute(o.splitDir)
	if err != nil {
		return err
	}
	var own []string
	for _, file := range out.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		own = append(own, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := disk.Write(path, file.Data); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := o.say("%s written to %s below %s.", plural(out.Resources, "resource", "resources"), plural(len(out.Files), "file", "files"), o.splitDir); err != nil {
		return err
	}
	return o.tellOthers(dir, own)
}

// tellOthers names configuration that the folder had before: it would be read
// together with the export.
func (o *exportOptions) tellOthers(dir string, own []string) error {
	var others []string
	for _, pattern := range []string{"*.yaml", "*.yml"} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			if !slices.Contains(own, path) {
				others = append(others, filepath.Base(path))
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	return o.say("%s also holds %s, which this export did not write.", o.splitDir, strings.Join(others, ", "))
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// say tells on standard error: standard output is for data.
func (o *exportOptions) say(format string, args ...any) error {
	if err := say(o.factory.world.streams.err, format, args...); err != nil {
		return fmt.Errorf("write standard error: %w", err)
	}
	return nil
}
