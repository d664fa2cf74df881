package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// toy is a target whose resources are small files in a folder. A document with
// the root key toy declares them:
//
//	toy:
//	  - {name: a, content: hello, uses: !ref dev, note: !ref dev#default_domain, after: b, protected: true}
//
// The first line of a file is its owner's mark, the rest are its fields.
type toy struct {
	dir   string
	kind  *resource.Type
	types *resource.Types
	// step is called with what is about to happen, and to which file.
	step func(what, name string)

	mu  sync.Mutex
	log []string
}

// toySpace is the namespace of all files. It begins with the name of the target, so
// that it is none of Konnect's.
const toySpace = "toy/default"

func newToy(dir string) *toy {
	kind := &resource.Type{
		Kind: "toy_file", Words: "toy file", Key: "toy", Root: "toy", Identity: []string{"name"}, NameField: "name",
		References: []resource.Reference{{Field: "uses", OnDelete: resource.Keeps}}, Owned: true, Updatable: true, Behaviour: toyFile{},
	}
	return &toy{dir: dir, kind: kind, types: resource.NewTypes([]*resource.Type{kind}, nil), step: func(string, string) {}}
}

// toyFile says how files differ from plain data: what one uses is for ever, and
// its mark is among its fields.
type toyFile struct{ resource.Plain }

func (toyFile) Immutable(path []string) bool { return path[0] == "uses" }

func (toyFile) Recorded(id string, fields map[string]any) *resource.Object {
	o := &resource.Object{ID: id, Fields: fields}
	o.Owner.Namespace, _ = fields["namespace"].(string)
	o.Owner.Protected, _ = fields["protected"].(bool)
	return o
}

func (*toy) Name() string                      { return "toy" }
func (*toy) Claim() source.Claim               { return source.Claim{Name: "toy", Own: []string{"toy"}} }
func (t *toy) Types() (*resource.Types, error) { return t.types, nil }
func (*toy) Proposer() build.Proposer          { return toyProposer{} }
func (*toy) Rules() plan.Rules                 { return toyRules{} }

// Resources makes a resource of every item.
func (t *toy) Resources(docs resource.Documents, into *resource.Set) (diag.List, error) {
	var list diag.List
	byName := map[string]*resource.Resource{}
	after := map[*resource.Resource]value.Value{}
	if docs.Named || len(docs.List) > 0 {
		into.Mention(t.kind.Kind, toySpace)
	}
	for _, d := range docs.List {
		for i, item := range d.Root.Field("toy").Items() {
			name, ok := item.Field("name").Text()
			if !ok {
				list.Add(diag.CfgWrongShape, item.Pos(), "A toy file has no name.", "write name: and the name.")
				continue
			}
			r := &resource.Resource{
				Type: t.kind, Ref: name, Explicit: true, RefPos: item.Pos(), Name: name, Namespace: toySpace,
				Fields: item.Without("after", "protected"), Pos: item.Pos(), Dir: d.Dir, Base: d.Base, Native: i,
			}
			r.Protected, _ = item.Field("protected").Bool()
			into.Declare(r)
			byName[name], after[r] = r, item.Field("after")
		}
	}
	for r, v := range after {
		if name, ok := v.Text(); ok && byName[name] != nil {
			r.After = append(r.After, byName[name])
		} else if ok {
			list.Add(diag.RefUnknown, v.Pos(), "There is no toy file "+name+".", "declare it.")
		}
	}
	return list, nil
}

// read is a file as it is, or nil.
func (t *toy) read(name string) *resource.Object {
	raw, err := os.ReadFile(filepath.Join(t.dir, name))
	if err != nil {
		return nil
	}
	mark, rest, _ := strings.Cut(string(raw), "\n")
	fields := map[string]any{}
	if json.Unmarshal([]byte(mark), &fields) != nil || json.Unmarshal([]byte(rest), &fields) != nil {
		return &resource.Object{ID: name, Fields: map[string]any{"name": name}} // nobody's
	}
	fields["path"] = filepath.Join(t.dir, name)
	o := toyFile{}.Recorded(name, fields)
	o.Owner.Hash, _ = fields["hash"].(string)
	delete(fields, "hash")
	return o
}

func (t *toy) write(name string, fields map[string]any) (*resource.Object, error) {
	rest, mark := maps.Clone(fields), map[string]any{}
	for _, key := range []string{"namespace", "protected", "hash"} {
		mark[key] = rest[key]
		delete(rest, key)
	}
	first, _ := json.Marshal(mark) // plain data
	second, _ := json.Marshal(rest)
	err := os.WriteFile(filepath.Join(t.dir, name), []byte(string(first)+"\n"+string(second)), 0o600)
	return t.read(name), err
}

// Read reads the folder.
func (t *toy) Read(_ context.Context, q resource.Query) (resource.State, diag.List, error) {
	s := &resource.Flat{Of: map[*resource.Type][]*resource.Object{t.kind: nil}, Declared: map[*resource.Resource]*resource.Object{}}
	var list diag.List
	names, err := t.names()
	for _, name := range names {
		o := t.read(name)
		s.Of[t.kind] = append(s.Of[t.kind], o)
		for _, r := range q.Set.Of(t.kind) {
			if r.Name != name {
				continue
			}
			if s.Declared[r] = o; o.Owner.Namespace != r.Namespace {
				list.Add(diag.LiveOtherSpace, r.Pos, "The file "+name+" belongs to somebody else.", "give it another name.")
			}
		}
	}
	return s, list, err
}

// names lists the files.
func (t *toy) names() (out []string, err error) {
	entries, err := os.ReadDir(t.dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// toyProposer compares fields as they are.
type toyProposer struct{}

// long contents stay in the document that declares them.
const long = 20

func (p toyProposer) Propose(s build.Subject) build.Proposal {
	if s.Drop {
		out := build.Proposal{Action: plan.Delete}
		if out.Current, out.Expect = p.Record(s.Type, s.Live, nil); !s.Replaces {
			out.Stage = 1 // files go when all others have been written, or failed
		}
		return out
	}
	out := build.Proposal{Fields: s.Desired.Payload(s.Type)}
	out.Fields["namespace"], out.Fields["protected"] = s.Resource.Namespace, s.Resource.Protected
	if text, _ := out.Fields["content"].(string); len(text) > long {
		at := value.Path{"toy"}.Index(s.Resource.Native.(int)).Child("content")
		out.Expressions = []plan.Expression{{Field: "content", Expression: plan.InputExpression(s.Resource.Pos.File, 0, at)}}
	}
	if s.Live == nil {
		out.Action = plan.Create
	} else {
		out.Changes = []plan.FieldChange{}
		for _, field := range slices.Sorted(maps.Keys(out.Fields)) {
			is, now := s.Live.Fields[field], out.Fields[field]
			if value.Equal(is, now) {
				continue
			}
			out.Action = plan.Update
			out.Changes = append(out.Changes, plan.FieldChange{Field: field, CurrentValue: is, DesiredValue: now})
			if s.Type.Immutable([]string{field}) {
				out.Immutable = append(out.Immutable, field)
			}
		}
		out.Current, out.Expect = p.Record(s.Type, s.Live, nil)
	}
	if out.Expressions != nil {
		out.Fields["content"] = plan.Hidden
	}
	out.Fields["hash"] = s.Hash()
	return out
}

func (toyProposer) Record(t *resource.Type, o *resource.Object, _ []plan.Expression) (map[string]any, *plan.Expect) {
	return maps.Clone(o.Fields), &plan.Expect{Fingerprint: t.Fingerprint(o)}
}

func (toyProposer) Check(*resource.Resource, map[string]any, bool, func([]string) bool) ([]build.Violation, diag.List) {
	return nil, nil
}

// toyRules are what a plan may ask for; touch is a mode of plans that this target
// brings.
type toyRules struct{}

func (toyRules) Modes() map[plan.Mode][]plan.Action {
	return map[plan.Mode][]plan.Action{"touch": {plan.Create, plan.Update}}
}

func (toyRules) Check(v *plan.Validation, c *plan.Change) {
	t := v.Types.Kind(c.ResourceType)
	v.Action(c, t)
	v.Namespace(c, t)
	v.Expectation(c, t)
	v.References(c, t)
	for _, e := range c.Expressions {
		v.Source(c, e.Field, e.Expression, true)
	}
}

// Describe says which folder a plan is for; Described whether one is for any.
func (t *toy) Describe(m *plan.Metadata)             { m.Describe("toy", map[string]any{"folder": t.dir}) }
func (*toy) Described(m plan.Metadata) bool          { return m.Targets["toy"] != nil }
func (*toy) Beside() any                             { return "only in memory" }
func (t *toy) Place(context.Context) (string, error) { return "toy " + t.dir, nil }

// toyDriver writes files.
type toyDriver struct{ *toy }

func (t *toy) Driver(_ context.Context, in execute.Input) (execute.Driver, error) {
	t.note("beside", fmt.Sprint(in.Beside["toy"]))
	return &toyDriver{t}, nil
}

func (t *toy) note(what, name string) {
	t.mu.Lock()
	t.log = append(t.log, what+" "+name)
	t.mu.Unlock()
	t.step(what, name)
}

func (d *toyDriver) Prepare(_ context.Context, p *plan.Plan, _ []*execute.Call) error {
	if made, _ := p.Metadata.Targets["toy"].(map[string]any); made["folder"] != d.dir {
		return errors.New("the plan is for the folder " + fmt.Sprint(made["folder"]))
	}
	return nil
}

func (d *toyDriver) Check(_ context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	var out []execute.Verdict
	for _, c := range calls {
		is, change := d.read(c.Change.ResourceName), c.Change
		moved := is == nil || change.Expect != nil && d.kind.Fingerprint(is) != change.Expect.Fingerprint
		switch {
		case change.Action == plan.Delete && is == nil, change.Action != plan.Delete && is != nil && d.same(c, is):
			out = append(out, execute.Verdict{Call: c, Done: &execute.Outcome{Object: &resource.Object{ID: change.ResourceName, Fields: fieldsOf(is)}}})
		case change.Action == plan.Create && (is == nil || change.Replace), !moved:
		default:
			out = append(out, execute.Verdict{Call: c, Moved: "the file has changed"})
		}
	}
	return out, nil
}

// same reports whether a file is what a change makes of it.
func (d *toyDriver) same(c *execute.Call, is *resource.Object) bool {
	if c.Fill() != nil {
		return false
	}
	for field, v := range c.Fields {
		if field != "hash" && !value.Equal(v, is.Fields[field]) {
			return false
		}
	}
	return true
}

func fieldsOf(o *resource.Object) map[string]any {
	if o == nil {
		return nil
	}
	return o.Fields
}

func (d *toyDriver) Do(_ context.Context, c *execute.Call) (execute.Outcome, error) {
	name := c.Change.ResourceName
	if c.Change.Action == plan.Delete {
		d.note("delete", name)
		return execute.Outcome{Object: &resource.Object{ID: name}}, os.Remove(filepath.Join(d.dir, name))
	}
	o, err := d.write(name, c.Fields)
	d.note("write", name)
	return execute.Outcome{Object: o}, err
}

// Wait waits until a file is ready.
func (d *toyDriver) Wait(ctx context.Context, c *execute.Call, o execute.Outcome) (execute.Outcome, error) {
	d.note("ready", c.Change.ResourceName)
	return o, ctx.Err()
}

// Finish writes the inventory.
func (d *toyDriver) Finish(context.Context, *execute.Report) error {
	d.note("finish", "")
	names, err := d.names()
	return errors.Join(err, os.WriteFile(filepath.Join(d.dir, ".inventory"), []byte(strings.Join(names, " ")), 0o600))
}
