package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/view"
)

// addOverwrite adds the flag that lets an export replace files.
func addOverwrite(cmd *cobra.Command, overwrite *bool) {
	cmd.Flags().BoolVar(overwrite, "overwrite", false, "replace files that exist")
}

// save writes the export and says where it is.
func (o *exportOptions) save(out *export.Output) error {
	f := o.factory
	resources := view.Counted(out.Resources, out.Entities)
	switch {
	case o.splitDir != "":
		dir, err := f.absolute(o.splitDir)
		if err != nil {
			return err
		}
		if err := o.commit(dir, out.Files); err != nil {
			return err
		}
		if err := o.say("%s written to %s below %s.", resources, plural(len(out.Files), "file", "files"), o.splitDir); err != nil {
			return err
		}
		return o.tellOthers(dir, out.Files)
	case o.outputFile != "":
		path, err := f.absolute(o.outputFile)
		if err != nil {
			return err
		}
		if len(out.Files) == 1 && out.Files[0].Name == "" {
			if err := disk.Save(path, out.Files[0].Data); err != nil {
				return fmt.Errorf("export: %w", err)
			}
			return o.say("%s written to %s.", resources, o.outputFile)
		}
		return o.saveBeside(disk.Real(path), out.Files, resources)
	default:
		_, err := f.world.streams.out.Write(out.Files[0].Data)
		return toOutput(err)
	}
}

// saveBeside writes a file and those that belong to it into one folder.
func (o *exportOptions) saveBeside(path string, files []export.File, resources string) error {
	dir := filepath.Dir(path)
	var names []string
	files = slices.Clone(files)
	for i := range files {
		if files[i].Name == "" {
			files[i].Name = filepath.Base(path)
		}
		names = append(names, filepath.Join(filepath.Dir(o.outputFile), files[i].Name))
	}
	if err := o.commit(dir, files); err != nil {
		return err
	}
	return o.say("%s written to %s.", resources, strings.Join(names, ", "))
}

// commit writes files of a folder, all or none.
func (o *exportOptions) commit(dir string, files []export.File) error {
	changes := make([]disk.Change, len(files))
	for i, f := range files {
		changes[i] = disk.Change{Name: f.Name, Data: f.Data, Private: true}
		if err := o.free(filepath.Join(dir, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := errors.Join(disk.Commit(root, changes), root.Close()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// free refuses a file that is there and has something in it, unless it may be
// replaced. Devices and pipes are written to.
func (o *exportOptions) free(file string) error {
	if file == "" || o.overwrite {
		return nil
	}
	path, err := o.factory.absolute(file)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return usagef("%s exists", o.shown(path)).WithHint("pass --overwrite to replace it, or name another file.")
	}
	return nil
}

// shown is a path as people wrote it.
func (o *exportOptions) shown(path string) string {
	if work, err := o.factory.world.workDir(); err == nil {
		if rel, err := filepath.Rel(work, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// tellOthers names configuration that the folder had before: it would be read
// together with the export.
func (o *exportOptions) tellOthers(dir string, files []export.File) error {
	var own []string
	for _, f := range files {
		own = append(own, filepath.Join(dir, filepath.FromSlash(f.Name)))
	}
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
