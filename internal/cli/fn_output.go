package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/kube/function"
)

// finish writes what functions have made, unless one of them failed.
func (o *fnFlags) finish(ctx context.Context, f *factory, p *function.Package, from string, outcomes []function.Outcome, err error) error {
	if reported := o.report(f, outcomes); reported != nil {
		err = errors.Join(err, reported)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	return o.write(f, p, from)
}

// report writes the results of functions, failed or not.
func (o *fnFlags) report(f *factory, outcomes []function.Outcome) error {
	if o.resultsDir == "" || len(outcomes) == 0 {
		return nil
	}
	data, err := function.Report(outcomes)
	if err != nil {
		return err
	}
	dir, err := f.absolute(o.resultsDir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write %s: %w", o.resultsDir, disk.Cause(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", o.resultsDir, disk.Cause(err))
	}
	defer func() { _ = root.Close() }() // it is only a handle
	return disk.Commit(root, []disk.Change{{Name: "results.yaml", Data: data}})
}

// write writes a package where it belongs.
func (o *fnFlags) write(f *factory, p *function.Package, from string) error {
	out := o.output
	if out == "" && from == stdin {
		out = fnStdout
	}
	var written function.Written
	var err error
	switch out {
	case fnStdout, fnUnwrap:
		return writePackage(f, p, out, from)
	case "":
		written, err = p.WriteBack()
	default:
		dir, wrong := fnFolder(f, out)
		if wrong != nil {
			return wrong
		}
		written, err = p.WriteTo(dir)
	}
	if err != nil {
		return err
	}
	return showWritten(f, written, filepath.Clean(o.where(from)))
}

func (o *fnFlags) where(from string) string {
	if o.output != "" {
		return o.output
	}
	return from
}

// showWritten says what was written.
func showWritten(f *factory, w function.Written, dir string) error {
	text := "No changes"
	if w.Files > 0 || w.Removed > 0 {
		text = plural(w.Files, "file", "files") + " written"
	}
	if w.Removed > 0 {
		text += fmt.Sprintf(", %d removed", w.Removed)
	}
	if dir != "." {
		text += " in " + dir
	}
	return say(f.world.streams.err, "%s.", text)
}

// writePackage writes a package to standard output.
func writePackage(f *factory, p *function.Package, form, from string) error {
	w := f.world.streams.out
	if form == fnUnwrap {
		return toOutput(p.WriteObjects(w))
	}
	if groups := p.Groups(); from == stdin && len(groups) > 0 {
		_ = say(f.world.streams.err, "warning: %s is left out, because a ResourceList never holds a ResourceGroup; -o unwrap keeps it", strings.Join(groups, ", "))
	}
	return toOutput(p.WriteList(w))
}
