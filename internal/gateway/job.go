package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Job is what decK is to bring about on one control plane, in one run.
type Job struct {
	ControlPlane *resource.Resource
	// Files are each there once: those of _deck first, then those that services
	// name.
	Files []SourceFile
	// Listings are the folders and patterns that files were found in, by name.
	Listings []string
	// State stands in the configuration; absent for none. Its expressions are
	// not evaluated.
	State value.Value
	// Flags are those of _deck, with the select tags of files and state.
	Flags Flags
	// Services are those that decK makes and others wait for.
	Services []*resource.Resource
	// Pos is where decK is first spoken of.
	Pos value.Pos

	documents []*Document
	env       Env
	// held are the services of the documents and of the state by name.
	held map[string]heldService
}

// heldService is a service of a document, or of a state, which has none.
type heldService struct {
	in     *Document
	fields map[string]any
}

// inline tells that a state stands in the configuration.
func (j *Job) inline() bool { return !j.State.IsAbsent() }

// Name is what people call what the job brings about.
func (j *Job) Name() string { return strings.Join(j.names(), ", ") }

func (j *Job) names() []string {
	out := make([]string, 0, len(j.Files)+1)
	for _, f := range j.Files {
		out = append(out, f.Name)
	}
	if j.inline() {
		out = append(out, InlineName(j.ControlPlane.Ref))
	}
	return out
}

// Holds tells whether the files or the state have a service of that name.
func (j *Job) Holds(service string) bool {
	_, held := j.held[service]
	return held
}

// index finds the services by name. Of several with one name the first counts.
func (j *Job) index() {
	j.held = map[string]heldService{}
	add := func(name string, s heldService) {
		if _, known := j.held[name]; name != "" && !known {
			j.held[name] = s
		}
	}
	for _, d := range j.documents {
		services, _ := d.root[keyServices].([]any)
		for _, s := range services {
			add(text(asMap(s), "name"), heldService{d, asMap(s)})
		}
	}
	for _, s := range j.State.Field(keyServices).Items() {
		name, _ := s.Field("name").Text()
		add(name, heldService{})
	}
}

// Says are the fields of a service as a file has them. Those that a variable is
// part of are left out.
func (j *Job) Says(service string) map[string]any {
	s := j.held[service]
	if s.in == nil {
		return nil
	}
	out := map[string]any{}
	for k, v := range withAddress(s.fields) {
		if raw, isText := v.(string); !isText || Mask(raw, s.in.Secrets) == raw {
			out[k] = v
		}
	}
	return out
}

// withAddress writes the parts of a service's url out, as decK does. A port that
// is left out is that of the protocol.
func withAddress(service map[string]any) map[string]any {
	at, err := url.Parse(text(service, "url"))
	if err != nil || at.Host == "" {
		return service
	}
	out := maps.Clone(service)
	delete(out, "url")
	out["protocol"], out["host"] = at.Scheme, at.Hostname()
	switch {
	case at.Port() != "":
		out["port"] = json.Number(at.Port())
	case at.Scheme == "https":
		out["port"] = json.Number("443")
	default:
		out["port"] = json.Number("80")
	}
	if at.Path != "" {
		out["path"] = at.Path
	}
	return out
}

// Variables are the names of the variables that the files' templates read.
func (j *Job) Variables() []string {
	var out []string
	for _, d := range j.documents {
		out = append(out, d.Variables...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ErrNoTags tells of a delete that nothing bounds.
var ErrNoTags = errors.New("without select tags nothing tells what decK owns")

// Jobs are what a configuration says of decK, one per control plane, in the
// order of its resources. Env gives the variables of templates.
func Jobs(set *resource.Set, env Env) ([]*Job, diag.List) {
	c := collector{env: env, jobs: map[*resource.Resource]*Job{}, named: map[string]naming{}, twice: map[[2]value.Pos]bool{}}
	for _, r := range set.Resources {
		if blockOf(r) != nil {
			c.block(r)
		}
	}
	for _, r := range set.Resources {
		if r.External != nil && r.External.Made != nil && r.Parent != nil {
			c.service(r)
		}
	}
	var out []*Job
	for _, r := range set.Resources {
		if j := c.jobs[r]; j != nil {
			c.finish(j)
			out = append(out, j)
		}
	}
	return out, c.diags.Sorted()
}

type naming struct {
	job *Job
	pos value.Pos
}

type collector struct {
	env   Env
	jobs  map[*resource.Resource]*Job
	named map[string]naming
	twice map[[2]value.Pos]bool // where one file is named for two control planes
	diags diag.List
}

func (c *collector) job(cp *resource.Resource, pos value.Pos) *Job {
	j := c.jobs[cp]
	if j == nil {
		j = &Job{ControlPlane: cp, Pos: pos, env: c.env}
		c.jobs[cp] = j
	}
	return j
}

// block takes a control plane's _deck.
func (c *collector) block(r *resource.Resource) {
	b := blockOf(r)
	j := c.job(r, b.Pos)
	for _, f := range b.Files {
		c.file(j, f)
	}
	j.Listings = b.Listings
	j.State = b.State
	c.diags = append(c.diags, checkInline(j.State)...)
	flags, diags := readFlags(b.Flags)
	j.Flags = flags
	c.diags = append(c.diags, diags...)
}

// service takes a service that decK makes. Its file belongs to its control
// plane.
func (c *collector) service(r *resource.Resource) {
	j := c.job(r.Parent, r.External.Made.Pos)
	j.Services = append(j.Services, r)
	c.file(j, FileOf(r.External.Made))
}

func (c *collector) file(j *Job, f SourceFile) {
	if f.Name == "" {
		return // already reported
	}
	if first, ok := c.named[f.Name]; ok {
		if both := [2]value.Pos{f.Pos, first.pos}; first.job != j && !c.twice[both] {
			c.twice[both] = true // once for a folder
			c.diags.Add(diag.DeckTwice, f.Pos, fmt.Sprintf("The file %s is for the control plane %q here, and for %q at %s.", f.Written, j.ControlPlane.Ref, first.job.ControlPlane.Ref, first.pos), "make a file for each control plane.")
		}
		return
	}
	c.named[f.Name] = naming{j, f.Pos}
	j.Files = append(j.Files, f)
	d, diags := Read(f.Name, f.Content, c.env)
	c.diags = append(c.diags, diags...)
	if d != nil {
		j.documents = append(j.documents, d)
	}
}
