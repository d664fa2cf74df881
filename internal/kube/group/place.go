package group

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// maxFileSize bounds what is read, as for every other input.
const maxFileSize = 10 << 20

// Path is where the file of --rg-file is: a bare name lies in the folder, a path
// counts from the current folder.
func Path(work, dir, file string) string {
	switch {
	case filepath.IsAbs(file):
		return filepath.Clean(file)
	case file == filepath.Base(file):
		return filepath.Join(dir, file)
	default:
		return filepath.Join(work, file)
	}
}

// RefusedError is a file that is not overwritten, and what to do.
type RefusedError struct{ Reason, Hint string }

func (e *RefusedError) Error() string { return e.Reason + "; " + e.Hint }

// Refused reports that a rule of this program forbids it.
func (*RefusedError) Refused() bool { return true }

// Place is where init and migrate work.
type Place struct {
	// Work is the current folder, Dir the one of the package, File that of the
	// ResourceGroup: all absolute.
	Work, Dir, File string
}

// Shown is a path for people: relative where it is below the current folder.
func (p Place) Shown(path string) string {
	if rel, err := filepath.Rel(p.Work, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

func (p Place) unreadable(code diag.Code, path, detail, fix string) error {
	return diag.List{diag.New(code, value.Pos{File: p.Shown(path)}, detail, fix)}.Err()
}

// check refuses what is not a folder.
func (p Place) check() error {
	info, err := os.Stat(p.Dir)
	switch {
	case err != nil:
		return p.unreadable(diag.SrcUnreadable, p.Dir, fmt.Sprintf("The folder cannot be read: %v.", disk.Cause(err)), "check the path and its permissions.")
	case !info.IsDir():
		return p.unreadable(diag.SrcUnreadable, p.Dir, "This is not a folder.", "name the folder of the package.")
	}
	if _, err := os.Stat(filepath.Dir(p.File)); errors.Is(err, fs.ErrNotExist) {
		return p.unreadable(diag.SrcUnreadable, p.File, "The folder of this file does not exist.", "create it: mkdir -p "+p.Shown(filepath.Dir(p.File))+".")
	}
	if info, err := os.Stat(p.File); err == nil && info.IsDir() {
		return p.unreadable(diag.SrcUnreadable, p.File, "This is a folder, and --rg-file names a file.", "name a file in it: --rg-file "+p.Shown(filepath.Join(p.File, DefaultFile))+".")
	}
	return nil
}

// read returns a file, or nil. A file of the folder may be a link,
// but not one that leads out of it.
func (p Place) read(path string) ([]byte, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if filepath.Dir(path) == p.Dir && !inside(disk.Real(p.Dir), disk.Real(path)) {
		return nil, p.unreadable(diag.SrcOutsideBase, path, "The file is a link that leads out of the folder.", "replace the link by the file, or run the command in the folder of the file.")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.unreadable(diag.SrcUnreadable, path, "The file is a symbolic link to something that does not exist.", "remove the link, or create what it leads to.")
	case err != nil:
		return nil, p.unreadable(diag.SrcUnreadable, path, fmt.Sprintf("The file cannot be read: %v.", disk.Cause(err)), "check the path and its permissions.")
	case !info.Mode().IsRegular():
		return nil, p.unreadable(diag.SrcUnreadable, path, "This is not a regular file.", "")
	case info.Size() > maxFileSize:
		return nil, p.unreadable(diag.SrcTooLarge, path, fmt.Sprintf("The file has more than %d MiB.", maxFileSize>>20), "name another file.")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, p.unreadable(diag.SrcUnreadable, path, fmt.Sprintf("The file cannot be read: %v.", disk.Cause(err)), "check its permissions.")
	}
	return append([]byte{}, data...), nil
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// kptfile returns the Kptfile of the folder; absent if there is no such file.
func (p Place) kptfile() (path string, data []byte, doc value.Value, err error) {
	path = filepath.Join(p.Dir, KptfileName)
	data, err = p.read(path)
	if err != nil || data == nil {
		return path, nil, value.Value{}, err
	}
	docs, diags := source.Parse(p.Shown(path), data)
	pos := value.Pos{File: p.Shown(path)}
	if !diags.HasErrors() && len(docs) != 1 {
		diags.Add(diag.KubeKptfile, pos, fmt.Sprintf("A Kptfile is one document, and this file has %d.", len(docs)), "keep one document.")
	} else if !diags.HasErrors() && !IsKptfile(docs[0]) {
		diags.Add(diag.KubeKptfile, docs[0].Pos(), "This is not a Kptfile: its apiVersion and kind are others.", "write apiVersion: "+kptfileVersion+" and kind: "+object.KptfileKind+".")
	}
	if err := p.Quote(diags).Err(); err != nil {
		return path, nil, value.Value{}, err
	}
	return path, data, docs[0], nil
}

// Quote adds to diagnostics about the Kptfile of the folder the lines that they are
// about. Nothing in a Kptfile that names an inventory is secret.
func (p Place) Quote(list diag.List) diag.List {
	path := filepath.Join(p.Dir, KptfileName)
	if !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Pos.File == p.Shown(path) }) {
		return list
	}
	data, err := p.read(path)
	if err != nil || data == nil {
		return list // whoever reads it says why
	}
	return source.Quote(map[string][]byte{p.Shown(path): data}, func(at []string) bool {
		return len(at) > 0 && (at[0] == "apiVersion" || at[0] == "kind" || at[0] == "inventory")
	}, list)
}

// Beside returns the Kptfile of the folder, absent if there is no such file, and
// whether the current folder has a file with the usual name of a ResourceGroup.
func (p Place) Beside() (kptfile value.Value, nearby bool, err error) {
	_, _, kptfile, err = p.kptfile()
	_, missing := os.Stat(filepath.Join(p.Work, DefaultFile))
	return kptfile, missing == nil, err
}

// existing is what the file of the ResourceGroup holds.
type existing struct {
	data []byte // nil where there is no file
	// group is the ResourceGroup; nil where the file holds none or is malformed.
	group *File
	// others names documents that are no ResourceGroup; alone says that there are no
	// others than these.
	others []string
	alone  bool
}

func (p Place) existing() (existing, error) {
	data, err := p.read(p.File)
	if err != nil || data == nil {
		return existing{}, err
	}
	out := existing{data: data, alone: true}
	docs, diags := source.Parse(p.Shown(p.File), data)
	for _, doc := range docs {
		if !IsGroup(doc) {
			name := strings.TrimSpace(textOf(doc.Field("kind")) + " " + textOf(doc.Lookup(value.Path{"metadata", "name"})))
			if name == "" {
				name = "another document"
			}
			out.others = append(out.others, name)
			continue
		}
		out.alone = false
		group, problems := FromValue(doc)
		if !diags.HasErrors() && !problems.HasErrors() {
			out.group = &group
		}
	}
	return out, nil
}

// overwrite refuses to overwrite what must stay.
func (p Place) overwrite(old existing, force bool) error {
	name := p.Shown(p.File)
	switch {
	case old.data == nil:
		return nil
	case len(old.others) > 0:
		verb := "also holds"
		if old.alone {
			verb = "holds"
		}
		return &RefusedError{fmt.Sprintf("%s %s %s", name, verb, diag.Join(old.others, "and")), "name a file of its own for the ResourceGroup with --rg-file"}
	case !force && old.group != nil:
		return &RefusedError{fmt.Sprintf("%s exists and holds %s", name, *old.group), "pass --force to overwrite it"}
	case !force:
		return &RefusedError{name + " exists", "pass --force to overwrite it, or name another file with --rg-file"}
	}
	_, err := disk.Replaceable(p.File)
	return err
}

// beside lists what else in the folder names an inventory: ResourceGroups of other
// files, and inventories of old versions of kpt. Files that cannot be read or
// parsed, such as templates, name none.
func (p Place) beside() (groups []File, old []value.Pos) {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) || path == p.File {
			continue
		}
		data, err := p.read(path)
		if err != nil || !bytes.Contains(data, []byte(object.GroupKind)) && !bytes.Contains(data, []byte(object.InventoryID)) && e.Name() != oldTemplate {
			continue
		}
		docs, _ := source.Parse(p.Shown(path), data)
		for _, doc := range docs {
			switch {
			case IsGroup(doc):
				group, _ := FromValue(doc)
				groups = append(groups, group)
			case IsConfigMap(doc), e.Name() == oldTemplate && isConfigMap(doc):
				old = append(old, doc.Pos())
			}
		}
	}
	return groups, old
}

// oldTemplate is the file in which old versions of kpt kept the inventory.
const oldTemplate = "inventory-template.yaml"
