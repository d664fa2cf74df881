package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// file is one input on its way to documents.
type file struct {
	name   string // Document.File
	real   string // identity: the path with links resolved; the URL; "-"
	dir    string
	base   string
	walked bool
	// other says whose file a walked one is by its name or folder; "" is nobody's.
	other  string
	remote bool // came from a URL: reads no files and variables
	local  bool // is a file on disk
	sum    string
	docs   []*yaml.Node
	places []int // of docs among the documents of the file
	diags  diag.List
}

// posName is the file's name in positions.
func (f *file) posName() string {
	if f.name == stdinName {
		return "stdin"
	}
	return f.name
}

const stdinName = "-"

type loader struct {
	ctx   context.Context
	http  *http.Client
	stdin io.Reader
	// saveDir keeps what was fetched.
	saveDir string
	limits  Limits
	inputs  []string
	dirs    []string
	leave   []string // patterns that walks leave out
	judge   judge
	steps   map[string]*step // by the name of the claim that owns a document
	deep    bool             // folders among inputs are read with all below them
	work    string           // as given, absolute
	here    string           // work with its links resolved
	base    string           // links resolved; "" means by input

	files   []*file
	byReal  map[string]*file
	shallow []string    // folders that are not read with the one above
	json    []*jsonFile // that walks came across, and that declare something or may do so
	read    *reader
	result  Result
	diags   diag.List
}

func newLoader(ctx context.Context, o Options) (*loader, bool) {
	l := &loader{
		ctx: ctx, http: o.HTTP, saveDir: savePlace(o), stdin: o.Stdin, deep: o.Recursive,
		limits: o.Limits, inputs: o.Files, dirs: o.Dirs, leave: o.Exclude, judge: newJudge(o), steps: stepsOf(o.Claims), byReal: map[string]*file{},
	}
	if l.limits == (Limits{}) {
		l.limits = UsualLimits()
	}
	work, err := filepath.Abs(o.WorkDir)
	if err != nil {
		l.unreadable(o.WorkDir, err)
		return l, false
	}
	l.work, l.here = work, realPath(work)
	l.read = newReader(l.display)
	l.read.declares = func(name string, data []byte) bool {
		docs, _, err := jsonDocuments(data)
		if !isJSON(name) || err != nil {
			docs, _, _ = parse(name, data)
		}
		return l.judge.declares(docs)
	}
	if o.BaseDir != "" {
		base, err := filepath.EvalSymlinks(l.abs(o.BaseDir))
		if err != nil {
			l.unreadable(o.BaseDir, err)
			return l, false
		}
		l.base = base
	}
	if len(l.inputs) == 0 && len(l.dirs) == 0 {
		l.dirs = []string{l.work}
	}
	return l, true
}

// gather reads and parses every input. Files named themselves come before
// folders, so that a file that is both counts as named.
func (l *loader) gather() {
	var folders []string
	for _, in := range l.split(l.inputs) {
		switch {
		case l.cancelled():
			return
		case in == stdinName:
			l.addStdin()
		case strings.Contains(in, "://"):
			l.addURL(in)
		default:
			for _, path := range l.expand(in) {
				info, err := os.Stat(path)
				switch {
				case err != nil:
					l.unreadable(l.display(path), err)
				case info.IsDir():
					folders = append(folders, path)
				default:
					l.addNamed(path)
				}
			}
		}
	}
	for _, path := range folders {
		l.walk(path, l.deep)
	}
	for _, in := range l.split(l.dirs) {
		l.walk(l.abs(in), true)
	}
}

func (l *loader) addStdin() {
	if l.byReal[stdinName] != nil {
		return
	}
	f := &file{name: stdinName, real: stdinName, dir: l.here, base: l.baseOr(l.here)}
	if l.stdin == nil {
		f.diags.Add(diag.SrcUnreadable, value.Pos{File: f.posName()}, "There is no standard input to read.", "")
		l.add(f, nil)
		return
	}
	data, err := readAll(l.stdin, l.limits.Bytes)
	f.problem(err)
	l.add(f, data)
}

func (l *loader) addURL(raw string) {
	if l.byReal[raw] != nil {
		return
	}
	f := &file{name: shownURL(raw), real: raw, dir: l.here, base: l.baseOr(l.here), remote: true}
	data, err := fetch(l.ctx, l.http, raw)
	if err == nil && l.saveDir != "" {
		err = keepFetched(l.saveDir, raw, data)
	}
	f.problem(err)
	l.add(f, data)
}

// addNamed reads a file that the user named. It may be a pipe, and its place
// is the user's choice: only what it names is bound to the base folder.
func (l *loader) addNamed(path string) {
	f := &file{name: l.display(path), real: realPath(path), dir: realPath(filepath.Dir(path)), local: true}
	if l.byReal[f.real] != nil {
		return
	}
	f.base = l.baseOr(f.dir)
	if l.base == "" && inside(l.here, f.dir) {
		f.base = l.here
	}
	l.result.Named = append(l.result.Named, f.name)
	h, err := os.Open(path)
	if err != nil {
		f.problem(unreadable(f.name, err))
		l.add(f, nil)
		return
	}
	defer func() { _ = h.Close() }() // nothing was written
	data, p := readAll(h, l.limits.Bytes)
	f.problem(p)
	l.add(f, data)
}

// add parses the bytes of a file and keeps it.
func (l *loader) add(f *file, data []byte) {
	sum := sha256.Sum256(data)
	f.sum = hex.EncodeToString(sum[:])
	if len(f.diags) == 0 {
		var d *diag.Diagnostic
		if f.docs, f.places, d = parse(f.posName(), data); d != nil {
			f.diags = append(f.diags, *d)
		}
	}
	l.byReal[f.real] = f
	l.files = append(l.files, f)
	l.result.keep(f.posName(), data)
}

// convert makes documents of a file that is a source.
func (l *loader) convert(f *file) {
	switch f.other {
	case "":
	case chartTemplates: // helm makes other objects of them
		keys, _ := l.judge.declared(f.docs)
		l.skip(f.name, f.other, keys)
		return
	default:
		l.leaveOut(f.name, f.other, f.docs, nil)
		return
	}
	if l.notYAML(f) || f.empty(l) {
		return
	}
	l.diags = append(l.diags, f.diags...)
	l.lose(f.diags.HasErrors())
	c := newConverter(f, l.read, &l.diags)
	c.credentials = l.credentials()
	used := false
	for i, root := range f.docs {
		owner, ok := l.accept(f, root)
		if !ok {
			continue
		}
		used = true
		c.steps, c.older, c.most = l.steps[owner], l.older(owner), l.limits.Values
		if c.older {
			c.most = max(c.most, mostOfStreams)
		}
		v := c.value(root, mode{})
		if v.Kind() != value.Map || c.stopped {
			l.lose(true)
			continue // the converter has said why
		}
		l.result.Documents = append(l.result.Documents, Document{
			File: f.name, Dir: f.dir, Base: f.base, Walked: f.walked, Root: v, Claim: owner, Files: c.named, Contents: c.contents, Number: f.places[i],
		})
	}
	l.lose(c.lost)
	if used && f.local {
		l.read.note(f.name, f.sum)
	}
}

func (l *loader) finish() *Result {
	r := &l.result
	sort.SliceStable(r.Documents, func(i, j int) bool { return r.Documents[i].File < r.Documents[j].File })
	sort.SliceStable(r.Skipped, func(i, j int) bool { return r.Skipped[i].File < r.Skipped[j].File })
	sort.Strings(r.Named)
	r.Inputs = l.read.inputs()
	r.claims = l.judge.claims
	for _, d := range r.Documents {
		for _, named := range d.Files {
			for _, f := range named.Files {
				r.keep(f.Name, f.Content)
			}
		}
	}
	if len(r.Documents) == 0 && !l.diags.HasErrors() {
		l.diags.Add(diag.SrcNothingFound, value.Pos{}, "No configuration is in "+l.where()+".",
			"name a file or folder with resources: -f FILE.")
	}
	return r
}

// where names the inputs for people.
func (l *loader) where() string {
	var names []string
	for _, in := range append(l.split(l.inputs), l.split(l.dirs)...) {
		switch {
		case in == stdinName:
			names = append(names, "standard input")
		case strings.Contains(in, "://"):
			names = append(names, shownURL(in))
		default:
			names = append(names, folderName(l.display(l.abs(in))))
		}
	}
	return strings.Join(names, ", ")
}

func (l *loader) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(l.work, path)
}

// display is the name of a file for people.
func (l *loader) display(path string) string {
	for _, work := range []string{l.work, l.here} {
		if rel, err := filepath.Rel(work, path); err == nil && inside(work, path) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

func (l *loader) baseOr(folder string) string {
	if l.base != "" {
		return l.base
	}
	return folder
}

func (l *loader) cancelled() bool {
	if err := l.ctx.Err(); err != nil {
		l.lose(true)
		l.diags.Add(diag.SrcUnreadable, value.Pos{}, fmt.Sprintf("Reading was stopped: %v.", context.Cause(l.ctx)), "")
		return true
	}
	return false
}

// lose notes that declarations may stand in what could not be read.
func (l *loader) lose(lost bool) { l.result.Incomplete = l.result.Incomplete || lost }

func (l *loader) unreadable(name string, err error) {
	l.lose(true)
	p := unreadable(name, err)
	l.diags.Add(p.code, value.Pos{File: name}, p.detail, p.fix)
}

// problem notes why the file as a whole cannot be used.
func (f *file) problem(p *problem) {
	if p != nil {
		f.diags.Add(p.code, value.Pos{File: f.posName()}, p.detail, p.fix)
	}
}
