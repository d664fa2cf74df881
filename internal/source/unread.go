package source

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// unread settles what is not read although it may declare something: JSON files, and
// folders below one that is read without them. It counts as skipped, because a sync
// would delete what it declares.
func (l *loader) unread() {
	named := map[string]bool{} // by sources that are read
	for _, f := range l.files {
		for _, path := range l.mentions(f) {
			named[path] = true
		}
	}
	for _, f := range l.json {
		if !named[f.real] {
			l.leaveOut(f.name, inJSON, f.docs, f.warning)
			continue
		}
		keys, _ := l.judge.declared(f.docs) // it is content, unless a key at its root says more
		l.skip(f.name, inJSON, keys)
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
// neither read nor named, and whether one, or a JSON file, declares something, or may do
// so.
func (l *loader) leftBelow(folder string, named map[string]bool) (found, declares bool) {
	// What cannot be listed is not read either.
	_ = filepath.WalkDir(folder, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir() && p != folder && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.IsDir() || !isYAML(e.Name()) && !isJSON(p) || l.byReal[realPath(p)] != nil, named[realPath(p)]:
			return nil
		case isJSON(p):
			declares = e.Type().IsRegular() && l.lookAt(p, realPath(filepath.Dir(p))).declares(l.judge)
		default:
			found, declares = true, l.mayDeclare(p)
		}
		if declares {
			found = true
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
	return wrong != nil || l.judge.declares(f.docs)
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
		if shape, _ := l.judge.shapeOf(root); shape != noMapping {
			return false
		}
	}
	l.skip(f.name, "not YAML", nil)
	l.diags = append(l.diags, diag.Warn(diag.SrcNotASource, value.Pos{File: f.posName()}, fmt.Sprintf("%q is not YAML, and is skipped.", f.name), fmt.Sprintf("name the folder instead of its files: -f '%s' -R.", path.Dir(filepath.ToSlash(f.name)))))
	return true
}
