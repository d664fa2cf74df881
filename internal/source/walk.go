package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// walker reads the sources of one folder.
type walker struct {
	*loader
	root  string // links resolved
	base  string
	deep  bool
	seen  map[string]bool
	links []string // looked at last, so that a file is known by its own name
	found bool
	// exclude is what the walk leaves out; left counts it.
	exclude *exclusion
	left    int
	// other says whose the files are that the walk is at.
	other string
}

func (l *loader) walk(folder string, deep bool) {
	name := l.display(folder)
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		l.unreadable(name, err)
		return
	case !info.IsDir():
		l.lose(true)
		l.diags.Add(diag.SrcUnreadable, value.Pos{File: name}, fmt.Sprintf("%q is a file, and --dir takes folders.", name), "name it with -f.")
		return
	}
	root := realPath(folder)
	w := &walker{loader: l, root: root, base: l.baseOr(root), deep: deep, seen: map[string]bool{}, exclude: newExclusion(folder, l.leave)}
	w.folder(folder)
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		w.link(link)
	}
	if w.found || l.ctx.Err() != nil {
		return
	}
	l.nothing(name, deep, w.left)
}

// nothing reports a folder without sources.
func (l *loader) nothing(name string, deep bool, excluded int) {
	l.lose(true)
	fix := "name another folder with -f or --dir, or write a first file with kongctl scaffold."
	if excluded > 0 {
		l.diags.Add(diag.SrcNothingFound, value.Pos{File: name}, fmt.Sprintf("Everything in %s is excluded.", folderName(name)),
			"remove a pattern from --exclude or "+ignoreFile+", or name the files to read with -f.")
		return
	}
	if !deep {
		fix = "add -R to read the folders below it too, name another folder, or write a first file with kongctl scaffold."
	}
	l.diags.Add(diag.SrcNothingFound, value.Pos{File: name}, fmt.Sprintf("No .yaml or .yml file is in %s.", folderName(name)), fix)
}

func (w *walker) folder(path string) {
	target := realPath(path)
	if w.seen[target] || w.cancelled() {
		return
	}
	w.seen[target] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		w.unreadable(w.display(path), err)
		return
	}
	w.readIgnoreFile(path, entries)
	chart := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "Chart.yaml" })
	for _, e := range entries {
		full := filepath.Join(path, e.Name())
		switch {
		case w.excluded(full, e.IsDir()):
		case e.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, full)
		case e.IsDir() && chart && e.Name() == "templates":
			w.templates(full)
		case e.IsDir():
			w.below(full)
		case isYAML(e.Name()):
			w.source(full, e.Type())
		case isJSON(e.Name()):
			w.noteJSON(full, e.Type())
		}
	}
}

// excluded reports whether the walk leaves a path out, and records it.
func (w *walker) excluded(path string, isDir bool) bool {
	name := w.display(path)
	why := w.exclude.why(path, name, isDir)
	if why == "" || !isDir && !isYAML(path) {
		return why != ""
	}
	w.left++
	w.skip(name, why, nil)
	return true
}

// below goes into a folder where the walk is to do so.
func (w *walker) below(path string) {
	switch {
	case strings.HasPrefix(filepath.Base(path), "."):
	case w.deep:
		w.folder(path)
	default:
		w.shallow = append(w.shallow, path)
	}
}

// templates looks at the templates of a Helm chart, which are not YAML until
// helm has rendered them: only what is YAML and declares something matters.
func (w *walker) templates(path string) {
	w.skip(w.display(path), chartTemplates, nil)
	if !w.deep {
		return
	}
	other := w.other
	w.other = chartTemplates
	w.folder(path)
	w.other = other
}

// link follows a symbolic link as far as the base folder or the folder walked
// reaches. Only links that would be read are worth a word.
func (w *walker) link(path string) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && isJSON(path) {
		w.noteJSON(path, info.Mode().Type())
		return
	}
	wanted := isYAML(path) || err == nil && info.IsDir() && w.deep && !strings.HasPrefix(filepath.Base(path), ".")
	if !wanted {
		return
	}
	name := w.display(path)
	if err == nil && info.IsDir() && w.excluded(path, true) {
		return
	}
	if err != nil {
		w.found = true
		w.unreadable(name, err)
		return
	}
	if target := realPath(path); !inside(w.base, target) && !inside(w.root, target) {
		w.outside(name)
		return
	}
	if info.IsDir() {
		w.below(path)
		return
	}
	w.source(path, info.Mode().Type())
}

// outside reports a link that leads out of the base folder.
func (w *walker) outside(name string) {
	w.found = true
	w.lose(true)
	w.diags.Add(diag.SrcOutsideBase, value.Pos{File: name}, fmt.Sprintf("The link %q leads outside the base folder, %s.", name, folderName(w.display(w.base))),
		"replace the link with the file, or name a base folder that holds both with --base-dir.")
}

func (w *walker) source(path string, mode fs.FileMode) {
	w.found = true
	name := w.display(path)
	target := realPath(path)
	if w.byReal[target] != nil || w.cancelled() {
		return
	}
	f := &file{name: name, real: target, dir: realPath(filepath.Dir(path)), base: w.base, walked: true, local: true, other: w.other}
	if f.other == "" {
		f.other = otherTool(filepath.Base(path))
	}
	if !mode.IsRegular() {
		f.diags.Add(diag.SrcUnreadable, value.Pos{File: name}, fmt.Sprintf("%q is not a regular file.", name), "remove it from the folder, or name the files to read with -f.")
		w.add(f, nil)
		return
	}
	at := place{base: w.base, real: target, path: name}
	if !inside(w.base, target) {
		at.base = w.root
	}
	data, p := at.read()
	f.problem(p)
	w.add(f, data)
}

func (l *loader) skip(name, why string, keys []string) {
	var once []string
	known := map[string]bool{}
	for _, key := range keys {
		if !known[key] {
			known[key], once = true, append(once, key)
		}
	}
	l.result.Skipped = append(l.result.Skipped, Skipped{File: name, Why: why, Keys: once})
}

func isYAML(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// Whose files a walk leaves out, as Skipped.Why says it.
const (
	Kustomization = "Kustomization"
	HelmChart     = "Helm chart"

	helmValues     = "values of a Helm chart"
	chartTemplates = "templates of a Helm chart"
)

// otherTool tells whose file it is by its name alone.
func otherTool(name string) string {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	switch {
	case stem == "kustomization":
		return Kustomization
	case stem == "Chart":
		return HelmChart
	case stem == "values" || strings.HasPrefix(stem, "values-"):
		return helmValues
	default:
		return ""
	}
}
