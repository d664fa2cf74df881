package source

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// unread settles which folders are not read although they hold sources: those
// below a folder that is read without them. What declares something there counts
// as skipped, because a sync would delete it.
func (l *loader) unread() {
	named := map[string]bool{} // by sources that are read
	for _, f := range l.files {
		for _, path := range l.mentions(f) {
			named[path] = true
		}
	}
	for _, folder := range l.shallow {
		found, declares := l.leftBelow(folder, named)
		if !found {
			continue
		}
		name := l.display(folder)
		if slices.Contains(l.result.Unread, name) {
			continue
		}
		l.result.Unread = append(l.result.Unread, name)
		if declares {
			l.result.Skipped = append(l.result.Skipped, Skipped{File: name + "/", Why: "below a folder that is read without -R", Unknown: true})
		}
	}
}

// leftBelow reports whether a folder, or one below it, holds a YAML file that is
// neither read nor named, and whether one declares something, or may do so.
func (l *loader) leftBelow(folder string, named map[string]bool) (found, declares bool) {
	// What cannot be listed is not read either.
	_ = filepath.WalkDir(folder, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir() && p != folder && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.IsDir() || !isYAML(e.Name()) || l.byReal[realPath(p)] != nil, named[realPath(p)]:
			return nil
		}
		found = true
		if declares = l.mayDeclare(p); declares {
			return fs.SkipAll
		}
		return nil
	})
	return found, declares
}

// mayDeclare reports whether a file that is not read has a root key that declares
// something, or cannot be understood.
func (l *loader) mayDeclare(path string) bool {
	if otherTool(filepath.Base(path)) != "" {
		return false
	}
	data, p := place{base: realPath(filepath.Dir(path)), real: realPath(path), path: path}.read()
	if p != nil {
		return true
	}
	f := &file{name: l.display(path), local: true}
	var wrong *diag.Diagnostic
	f.docs, f.places, wrong = parse(f.name, data)
	return wrong != nil || l.declares(f)
}

// noteJSON records a JSON file of a folder that declares something: a walk does
// not read it.
func (w *walker) noteJSON(path string, mode fs.FileMode) {
	target := realPath(path)
	if !mode.IsRegular() || w.ours == nil || w.byReal[target] != nil || !inside(w.root, target) {
		return
	}
	data, p := place{base: w.root, real: target, path: path}.read()
	if p != nil || !json.Valid(data) {
		return
	}
	docs, _, wrong := parse(path, data)
	if wrong != nil || len(docs) != 1 || isOutput(docs[0]) {
		return
	}
	keys := slices.DeleteFunc(keysOf(docs[0]), func(k string) bool { return !w.ours(k) })
	if len(keys) > 0 {
		slices.Sort(keys)
		w.found = true
		w.skip(w.display(path), "a JSON file, and folders are read for .yaml and .yml", keys)
	}
}

// notYAML reports whether a file is one among several, as a shell expands a
// pattern, and by name and content is not ours: a README beside the
// configuration. It is skipped with a warning.
func (l *loader) notYAML(f *file) bool {
	named := 0
	for _, other := range l.files {
		if other.local && !other.walked {
			named++
		}
	}
	ext := strings.ToLower(filepath.Ext(f.name))
	if !f.local || f.walked || named < 2 || ext == "" || isYAML(f.name) || ext == ".json" {
		return false
	}
	for _, root := range f.docs {
		if shape, _ := l.shapeOf(root); shape != noMapping {
			return false
		}
	}
	l.skip(f.name, "not YAML", nil)
	l.diags = append(l.diags, diag.Warn(diag.SrcNotASource, value.Pos{File: f.posName()}, fmt.Sprintf("%q is not YAML, and is skipped.", f.name), fmt.Sprintf("name the folder instead of its files: -f '%s' -R.", path.Dir(filepath.ToSlash(f.name)))))
	return true
}
