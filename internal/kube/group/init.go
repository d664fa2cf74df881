package group

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
)

// Problem says why a text cannot be the name, namespace or inventory id of a group,
// as the flag is called; "" where it can.
func Problem(flag, text string) string {
	switch {
	case text == "":
		return "is empty"
	case flag == "name":
		return nameProblem(text)
	case flag == "namespace":
		return namespaceProblem(text)
	default:
		return idProblem(text)
	}
}

// Written is what init or migrate did.
type Written struct {
	Group File
	// Path is the file of the ResourceGroup, for people.
	Path string
	// Replaced is the group that the file held before; nil for none.
	Replaced *File
	// Warnings say what to look at.
	Warnings []string
}

// warnOf says that a folder has several groups.
func (w *Written) warnOf(groups []File) {
	for _, g := range groups {
		w.Warnings = append(w.Warnings, fmt.Sprintf("%s already holds %s, and a run accepts one ResourceGroup: remove one of the two", g.Pos, g))
	}
}

// replace notes the group that the file held before, if any.
func (w *Written) replace(old *File) {
	if w.Replaced = old; old != nil && !old.same(w.Group) {
		w.Warnings = append(w.Warnings, fmt.Sprintf("what was applied with %s stays in the cluster, and this file no longer finds it", *old))
	}
}

// Init writes a new group. Named reports that the file was named, so that it will
// be named in later commands, too.
func (p Place) Init(f File, named, force bool) (Written, error) {
	out := Written{Group: f, Path: p.Shown(p.File)}
	if err := p.check(); err != nil {
		return out, err
	}
	old, err := p.existing()
	if err != nil {
		return out, err
	}
	if err := p.overwrite(old, force); err != nil {
		return out, err
	}
	if err := p.besideKptfile(&out, named, force); err != nil {
		return out, err
	}
	groups, _ := p.beside()
	out.warnOf(groups)
	data, err := Format(f)
	if err != nil {
		return out, err
	}
	out.replace(old.group)
	return out, p.write(old, data)
}

// besideKptfile refuses a second inventory, unless it is asked for.
func (p Place) besideKptfile(out *Written, named, force bool) error {
	path, _, doc, err := p.kptfile()
	var malformed *diag.ListError
	if errors.As(err, &malformed) {
		return nil // whoever reads the Kptfile says so
	}
	if err != nil {
		return err
	}
	inventory, found, _ := FromKptfile(doc)
	switch {
	case !found:
		return nil
	case !named && !force:
		return &RefusedError{fmt.Sprintf("%s already names the %s", p.Shown(path), inventory), "run kongctl live migrate to move it to a ResourceGroup, or pass --force to write a new one"}
	}
	out.Warnings = append(out.Warnings, fmt.Sprintf("%s names the %s, too: pass --rg-file to other commands, or remove the section inventory", p.Shown(path), inventory))
	return nil
}

// write writes the file of the ResourceGroup.
func (p Place) write(old existing, data []byte) error {
	if old.data != nil {
		return disk.Replace(p.File, data)
	}
	err := disk.Create(p.File, data)
	if errors.Is(err, fs.ErrExist) {
		return &RefusedError{p.Shown(p.File) + " exists", "pass --force to overwrite it"}
	}
	return err
}
