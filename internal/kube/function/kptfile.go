package function

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
)

// kptPackage is a folder with a Kptfile.
type kptPackage struct {
	folder string // "" for the root
	shown  string // how messages name the Kptfile
	root   *yaml.Node
}

// kptfiles returns the folders with a Kptfile, those below others first.
func (p *Package) kptfiles() []*kptPackage {
	var out []*kptPackage
	for _, f := range p.files {
		if path.Base(f.path) != kptfile {
			continue
		}
		folder := path.Dir(f.path)
		if folder == "." {
			folder = ""
		}
		for _, d := range f.documents {
			if d.root != nil {
				out = append(out, &kptPackage{folder: folder, shown: p.dir.file(f.path), root: d.root})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *kptPackage) int {
		x, y := segments(path.Clean(a.folder)), segments(path.Clean(b.folder))
		shorter := min(len(x), len(y))
		return cmp.Or(slices.Compare(x[:shorter], y[:shorter]), cmp.Compare(len(y), len(x)))
	})
	return out
}

// configs returns the files with configurations of functions, below the root.
func (k *kptPackage) configs() []string {
	var out []string
	for _, f := range k.functions() {
		if name := text(field(f.node, "configPath")); name != "" {
			out = append(out, path.Join(k.folder, filepath.ToSlash(name)))
		}
	}
	return out
}

// declared is a function as a pipeline names it.
type declared struct {
	node      *yaml.Node
	validator bool
}

func (k *kptPackage) functions() []declared {
	var out []declared
	pipeline := field(k.root, "pipeline")
	for _, list := range []struct {
		key       string
		validator bool
	}{{"mutators", false}, {"validators", true}} {
		if n := field(pipeline, list.key); n != nil && n.Kind == yaml.SequenceNode {
			for _, f := range n.Content {
				out = append(out, declared{follow(f), list.validator})
			}
		}
	}
	return out
}

// ErrExecNotAllowed says that a pipeline wants to run programs and may not.
var ErrExecNotAllowed = errors.New("the pipeline runs programs")

// ErrNoKptfile says that a folder has no pipeline.
var ErrNoKptfile = errors.New("there is no Kptfile in the folder")

// step is a function of a pipeline, ready to run.
type step struct {
	Function
	folder string
}

// Render runs the pipelines of the folder's Kptfiles: those of the folders below
// first, each on all objects of its folder. Nothing runs before all pipelines have
// been read, and the first failure ends it. each hears of every outcome.
func (p *Package) Render(ctx context.Context, r *Runner, allowExec bool, each func(Outcome)) ([]Outcome, error) {
	steps, err := p.steps(r, allowExec)
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for _, s := range steps {
		o := p.run(ctx, r, s.Function, s.folder)
		out = append(out, o)
		each(o)
		if o.Err != nil {
			return out, o.Err
		}
	}
	return out, nil
}

// steps reads all pipelines, in the order in which they run.
func (p *Package) steps(r *Runner, allowExec bool) ([]step, error) {
	root, err := openRoot(p.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it is only a handle
	var out []step
	var problems diag.List
	packages := p.kptfiles()
	if !slices.ContainsFunc(packages, func(k *kptPackage) bool { return k.folder == "" }) {
		return nil, fmt.Errorf("render %s: %w", p.dir.Shown, ErrNoKptfile)
	}
	for _, k := range packages {
		problems = append(problems, k.check()...)
		for _, d := range k.functions() {
			f, found := k.function(root, d)
			problems = append(problems, found...)
			out = append(out, step{f, k.folder})
		}
	}
	if err := p.quote(problems).Err(); err != nil {
		return nil, err
	}
	for _, s := range out {
		if !allowExec {
			return nil, fmt.Errorf("render %s: %w: %s", p.dir.Shown, ErrExecNotAllowed, s.Exec)
		}
		if _, _, err := r.find(s.Exec); err != nil {
			return nil, fmt.Errorf("run %s: %w", s.Exec, err)
		}
	}
	return out, nil
}

// check finds what does not belong into a Kptfile with a pipeline.
func (k *kptPackage) check() diag.List {
	var out diag.List
	if version, kind := text(field(k.root, "apiVersion")), text(field(k.root, "kind")); version != "kpt.dev/v1" || kind != kptfile {
		out.Add(diag.FnPipeline, pos(k.shown, k.root), fmt.Sprintf("The file has apiVersion %q and kind %q.", version, kind), "use apiVersion kpt.dev/v1 and kind Kptfile; kpt updates an old Kptfile.")
	}
	pipeline := field(k.root, "pipeline")
	out = append(out, k.unknown(pipeline, "a pipeline", "mutators", "validators")...)
	for _, key := range []string{"mutators", "validators"} {
		if n := field(pipeline, key); n != nil && n.Kind != yaml.SequenceNode && n.ShortTag() != "!!null" {
			out.Add(diag.FnPipeline, pos(k.shown, n), fmt.Sprintf("%s is not a list.", key), "write each function as an item of the list, with a dash.")
		}
	}
	return out
}

// unknown finds keys that a mapping should not have.
func (k *kptPackage) unknown(n *yaml.Node, what string, known ...string) diag.List {
	var out diag.List
	if n == nil || n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		out.Add(diag.FnPipeline, pos(k.shown, n), fmt.Sprintf("%s is not a mapping.", strings.ToUpper(what[:1])+what[1:]), "write it with the keys "+diag.Join(known, "and")+".")
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if slices.Contains(known, key.Value) {
			continue
		}
		fix := "use " + diag.Join(known, "or") + "."
		if near := diag.Nearest(key.Value, known); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		}
		out.Add(diag.FnPipeline, pos(k.shown, key), fmt.Sprintf("%q is not a key of %s.", key.Value, what), fix)
	}
	return out
}

// function reads one function of a pipeline.
func (k *kptPackage) function(root *os.Root, d declared) (Function, diag.List) {
	f := Function{validator: d.validator}
	if d.node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(d.node.Content); i += 2 {
			if key := d.node.Content[i]; key.Value == "image" {
				return f, diag.List{diag.New(diag.FnPipeline, pos(k.shown, key), fmt.Sprintf("The function is the container image %q, and kongctl runs no containers.", text(d.node.Content[i+1])), "name a program with exec: instead, or run this pipeline with kpt.")}
			}
		}
	}
	out := k.unknown(d.node, "a function", "name", "exec", "configPath", "configMap", "selectors", "exclude")
	if len(out) > 0 {
		return f, out
	}
	f.Exec = text(field(d.node, "exec"))
	if f.Exec == "" {
		out.Add(diag.FnPipeline, pos(k.shown, d.node), "The function names no program.", "add exec: PROGRAM.")
		return f, out
	}
	if _, err := words(f.Exec); err != nil {
		out.Add(diag.FnPipeline, pos(k.shown, field(d.node, "exec")), fmt.Sprintf("The program %q cannot be read: %v.", f.Exec, err), "write it as in a shell.")
	}
	var found diag.List
	f.Match, found = k.selectors(d.node, "selectors")
	out = append(out, found...)
	f.Exclude, found = k.selectors(d.node, "exclude")
	out = append(out, found...)
	f.Config, found = k.config(root, d.node)
	return f, append(out, found...)
}

// selectors reads a list of selectors.
func (k *kptPackage) selectors(n *yaml.Node, key string) ([]Selector, diag.List) {
	list := field(n, key)
	if list == nil || list.ShortTag() == "!!null" {
		return nil, nil
	}
	var problems diag.List
	if list.Kind != yaml.SequenceNode {
		problems.Add(diag.FnPipeline, pos(k.shown, list), fmt.Sprintf("%s is not a list.", key), "write each selector as an item of the list, with a dash.")
		return nil, problems
	}
	var out []Selector
	for _, e := range list.Content {
		e = follow(e)
		problems = append(problems, k.unknown(e, "a selector", "apiVersion", "kind", "name", "namespace", "labels", "annotations")...)
		out = append(out, Selector{
			APIVersion: text(field(e, "apiVersion")), Kind: text(field(e, "kind")), Name: text(field(e, "name")), Namespace: text(field(e, "namespace")),
			Labels: stringsOf(field(e, "labels")), Annotations: stringsOf(field(e, "annotations")),
		})
	}
	return out, problems
}

// stringsOf returns a mapping of strings.
func stringsOf(n *yaml.Node) map[string]string {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	out := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		out[n.Content[i].Value] = text(n.Content[i+1])
	}
	return out
}

// config reads the configuration of a function: a file of the package, or values.
func (k *kptPackage) config(root *os.Root, n *yaml.Node) (*yaml.Node, diag.List) {
	var out diag.List
	file, values := field(n, "configPath"), field(n, "configMap")
	if text(file) == "" {
		if values == nil || values.ShortTag() == "!!null" {
			return nil, nil
		}
		if values.Kind != yaml.MappingNode {
			out.Add(diag.FnPipeline, pos(k.shown, values), "configMap is not a mapping.", "write it as key: value.")
			return nil, out
		}
		return configMap(plain(values)), nil
	}
	if values != nil {
		out.Add(diag.FnPipeline, pos(k.shown, values), "The function has a configPath and a configMap.", "keep one of the two.")
		return nil, out
	}
	name := filepath.ToSlash(text(file))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		out.Add(diag.FnPipeline, pos(k.shown, file), fmt.Sprintf("The path %q leads out of the package.", name), "move the file into the folder of this Kptfile.")
		return nil, out
	}
	shown := filepath.Join(filepath.Dir(k.shown), filepath.FromSlash(name))
	data, err := root.ReadFile(filepath.FromSlash(path.Join(k.folder, name)))
	if err != nil {
		out.Add(diag.FnPipeline, pos(k.shown, file), fmt.Sprintf("The function configuration %s cannot be read: %v.", shown, disk.Cause(err)), "correct the path, which counts from the folder of this Kptfile.")
		return nil, out
	}
	config, err := readConfig(data, shown)
	var wrong *diag.ListError
	if errors.As(err, &wrong) {
		return nil, wrong.List
	}
	return config, nil
}
