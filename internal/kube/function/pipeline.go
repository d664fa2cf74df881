package function

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// Function is one program and what it gets.
type Function struct {
	// Exec is the command, words as in a shell.
	Exec string
	// Config is the function configuration; nil for none.
	Config *yaml.Node
	// Match and Exclude choose the objects.
	Match, Exclude []Selector
	// validator says that what it does to objects is dropped.
	validator bool
}

// Eval runs one function. On an error the package is as before.
func (p *Package) Eval(ctx context.Context, r *Runner, f Function) Outcome {
	if f.Config == nil {
		f.Config = p.config
	}
	return p.run(ctx, r, f, "")
}

// run runs a function on the objects below a folder.
func (p *Package) run(ctx context.Context, r *Runner, f Function, folder string) Outcome {
	o := Outcome{Program: f.Exec, Folder: folder, Validator: f.validator}
	items, err := p.apply(ctx, r, f, folder, &o)
	if err != nil {
		o.Err = fmt.Errorf("run %s: %w", f.Exec, err)
		return o
	}
	if !f.validator {
		p.items = items
	}
	return o
}

// apply returns the objects as a function leaves them.
func (p *Package) apply(ctx context.Context, r *Runner, f Function, folder string, o *Outcome) ([]*Item, error) {
	var given, rest []*Item
	for _, item := range sorted(p.items) {
		if in(folder, item.path) && chosen(f.Match, f.Exclude, item.node) {
			given = append(given, item)
		} else {
			rest = append(rest, item)
		}
	}
	o.Given = len(given)
	l := &list{config: f.Config}
	for i, item := range given {
		n := item.marked(folder)
		annotate(n, idKey, strconv.Itoa(i))
		l.items = append(l.items, n)
	}
	input, sent, err := l.encode()
	if err != nil {
		return nil, err
	}
	output, failed := r.run(ctx, f.Exec, input, o)
	got, err := decodeList(output)
	if err == nil {
		o.Results, err = results(got.results)
	}
	switch {
	case failed != nil:
		return nil, failed // its results are shown, if it wrote some
	case err != nil:
		return nil, err
	case o.Errors() == 1:
		return nil, errors.New("it reported an error")
	case o.Errors() > 1:
		return nil, fmt.Errorf("it reported %d errors", o.Errors())
	}
	changed, err := p.collect(given, sent, got.items, folder, o)
	if err != nil {
		return nil, err
	}
	return p.settle(append(rest, changed...), folder), nil
}

// in reports whether a file is below a folder; "" is the root.
func in(folder, name string) bool {
	return folder == "" || strings.HasPrefix(name, folder+"/")
}

// collect finds out what became of the objects that a function got.
func (p *Package) collect(given []*Item, sent, got []*yaml.Node, folder string, o *Outcome) ([]*Item, error) {
	var out []*Item
	origins := matching(sent, got)
	for i, n := range got {
		if isJSON(n) {
			tidy(n)
		}
		var was *Item
		var base *yaml.Node
		if j := origins[i]; j >= 0 {
			was, base = given[j], sent[j]
		}
		item, err := place(n, was, folder)
		if err != nil {
			return nil, err
		}
		if was == nil {
			o.Added++
			item.changed = true
			out = append(out, item)
			continue
		}
		if item.path == "" && was.path == "" {
			item.index = was.index
		}
		strip(base)
		node, differs := merge(base, item.node)
		moved := item.path != was.path || item.index != was.index
		if !differs && !moved {
			out = append(out, was)
			continue
		}
		o.Changed++
		if differs {
			item.node, item.changed = node, true
		} else {
			item.node, item.changed = was.node, was.changed
		}
		item.head, item.foot, item.from, item.wide = was.head, was.foot, was.from, was.wide
		out = append(out, item)
	}
	o.Removed = len(given) - (len(got) - o.Added)
	return out, nil
}

// matching finds for each object that a function wrote the one that it got: by
// the id, or by kind and name where the function dropped that. -1 means none.
func matching(sent, got []*yaml.Node) []int {
	out := make([]int, len(got))
	taken := make([]bool, len(sent))
	for i, n := range got {
		out[i] = -1
		id, err := strconv.Atoi(annotation(n, idKey))
		if err == nil && id >= 0 && id < len(sent) && !taken[id] {
			out[i], taken[id] = id, true
		}
	}
	names := map[object.ID]int{}
	for j, n := range sent {
		if !taken[j] {
			names[idOf(n)] = j
		}
	}
	for i, n := range got {
		if j, found := names[idOf(n)]; found && out[i] < 0 && annotation(n, idKey) == "" && !taken[j] {
			out[i], taken[j] = j, true
		}
	}
	return out
}

// place makes an item of an object in a ResourceList: it takes the annotations off
// that say where the object belongs.
func place(n *yaml.Node, was *Item, folder string) (*Item, error) {
	item := &Item{node: n, index: -1, wide: annotation(n, indentKey) == "wide"}
	id := idOf(n)
	switch {
	case isGroup(n):
		return nil, fmt.Errorf("the ResourceList holds the %s, and functions may not make or change one", id)
	case holdsGroup(n) != nil:
		return nil, fmt.Errorf("the ResourceList holds the %s, and functions may not make or change one", idOf(holdsGroup(n)))
	case id.Kind == "" || text(field(n, "apiVersion")) == "":
		return nil, fmt.Errorf("the ResourceList holds an object without apiVersion or kind: %s", cmpName(id))
	}
	var sentPath, sentIndex string
	if was != nil && was.path != "" {
		sentPath, sentIndex = below(folder, was.path), strconv.Itoa(was.index)
	}
	name, ok := reconcile(sentPath, annotation(n, pathKey), annotation(n, oldPathKey))
	position, fits := reconcile(sentIndex, annotation(n, indexKey), annotation(n, oldIndexKey))
	if !ok || !fits {
		return nil, fmt.Errorf("%s has two different places: the annotations %s and %s, or their indexes, disagree", id, pathKey, oldPathKey)
	}
	strip(n)
	if name != "" {
		local, err := localPath(folder, name)
		if err != nil {
			return nil, fmt.Errorf("%s has the path %q: %w", id, name, err)
		}
		item.path = local
	}
	if position != "" {
		number, err := strconv.Atoi(position)
		if err != nil || number < 0 {
			return nil, fmt.Errorf("%s has the index %q, which is not a number", id, position)
		}
		item.index = number
	}
	return item, nil
}

func cmpName(id object.ID) string {
	if id.Kind == "" && id.Name == "" {
		return "it has no name either"
	}
	return strings.TrimSpace(id.String())
}

// reconcile returns what a function wants of the two annotations for one thing;
// older functions know one of them, newer ones the other. One that the function
// did not touch does not count.
func reconcile(sent, current, old string) (string, bool) {
	switch {
	case current == "" && old == "":
		return sent, true
	case current == "" || current == sent && old != "":
		return old, true
	case old == "" || old == sent || old == current:
		return current, true
	default:
		return "", false
	}
}

// settle gives objects without a place one, and orders all.
func (p *Package) settle(items []*Item, folder string) []*Item {
	next := map[string]int{}
	used := map[string]map[int]bool{}
	for _, f := range p.files {
		for _, d := range f.documents {
			next[f.path] = max(next[f.path], d.index+1)
		}
	}
	for _, item := range items {
		next[item.path] = max(next[item.path], item.index+1)
	}
	// What was there before keeps its place.
	slices.SortStableFunc(items, func(a, b *Item) int { return cmp.Compare(origin(a), origin(b)) })
	for _, item := range items {
		if item.path == "" && p.dir.Path != "" {
			item.path, item.index = path.Join(folder, defaultPath(item.node)), -1
		}
		if used[item.path] == nil {
			used[item.path] = map[int]bool{}
		}
		// Two at one place are copies that kept the annotations of the original.
		if item.index < 0 || used[item.path][item.index] {
			item.index = next[item.path]
			next[item.path]++
		}
		used[item.path][item.index] = true
	}
	return sorted(items)
}

func origin(i *Item) int {
	if i.from != nil {
		return 0
	}
	return 1
}

// defaultPath is where a new object goes: NAMESPACE/KIND_NAME.yaml.
func defaultPath(n *yaml.Node) string {
	id := idOf(n)
	parts := slices.DeleteFunc([]string{strings.ToLower(id.Kind), id.Name}, func(s string) bool { return s == "" })
	clean := func(s string) string { return strings.TrimLeft(strings.Map(harmless, s), ".") }
	return path.Join(clean(id.Namespace), clean(strings.Join(parts, "_"))+".yaml")
}

// harmless replaces what the name of a file should not have.
func harmless(r rune) rune {
	if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r)) {
		return r
	}
	return '_'
}
