package contract

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Operation is one method on one path.
type Operation struct {
	ID, Method, Path string
	// Entity groups the operations of one type, "Portal#create"; often empty.
	Entity string
	// Global operations live on the host that all regions share.
	Global bool
	// Unpublished operations are beside the document.
	Unpublished bool
	// Item operations are items of the list that another one takes: PATCH at the
	// path of one resource is sent as a PATCH of its collection.
	Item         bool
	BodyRequired bool
	MediaType    string
	Statuses     []string

	c      *Contract
	facts  facts
	number int

	binding   sync.Once
	listing   sync.Once
	list      envelope
	wrapping  sync.Once
	wrapper   string
	splitting sync.Once
	names     []string
}

type envelope struct {
	property string
	item     *Schema
	ok       bool
}

// facts are what an operation takes and returns, decoded when first asked for.
type facts struct {
	rawParams, rawBody string            // JSON, or ""
	rawResponses       map[string]string // by status, of those with a body

	params    []Param
	body      *Schema
	responses map[string]*Schema
}

// Param is one parameter of an operation.
type Param struct {
	Name, In string
	Required bool
	Schema   *Schema
}

// Key is "METHOD /path/{template}".
func (o *Operation) Key() string { return o.Method + " " + o.Path }

// Carrier is the operation that a request of this one is sent by: another one, where
// this one is an item of the list that that one takes.
func (o *Operation) Carrier() *Operation {
	if !o.Item {
		return o
	}
	return o.c.Operation(o.Method, o.Path[:strings.LastIndexByte(o.Path, '/')])
}

// Carried is the operation whose requests are items of the list that this one takes,
// or nil.
func (o *Operation) Carried() *Operation {
	for _, op := range o.c.ops {
		if op.Item && op.Carrier() == o {
			return op
		}
	}
	return nil
}

// Params lists the parameters; their schemas may be asked at once.
func (o *Operation) Params() []Param { o.bind(); return o.facts.params }

// Query finds a query parameter by name.
func (o *Operation) Query(name string) (Param, bool) {
	for _, p := range o.Params() {
		if p.In == "query" && p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// PathParams lists the names in the path template, from left to right.
// They must not be changed.
func (o *Operation) PathParams() []string {
	o.splitting.Do(func() {
		for _, seg := range strings.Split(o.Path, "/") {
			if strings.HasPrefix(seg, "{") {
				o.names = append(o.names, strings.Trim(seg, "{}"))
			}
		}
	})
	return o.names
}

// Expand fills the path template.
func (o *Operation) Expand(params map[string]string) (string, error) {
	segs := strings.Split(o.Path, "/")
	for i, seg := range segs {
		if !strings.HasPrefix(seg, "{") {
			continue
		}
		v, ok := params[strings.Trim(seg, "{}")]
		if !ok || v == "" {
			return "", fmt.Errorf("%s: no value for %s", o.Key(), seg)
		}
		segs[i] = url.PathEscape(v)
	}
	return strings.Join(segs, "/"), nil
}

// Body is the schema of the request body, or nil.
func (o *Operation) Body() *Schema { o.bind(); return o.facts.body }

// Response is the schema of a status, nil when it has no body.
func (o *Operation) Response(status string) *Schema { o.bind(); return o.facts.responses[status] }

// Success is the status of the normal outcome and its schema.
func (o *Operation) Success() (string, *Schema) {
	for _, s := range o.Statuses {
		if s >= "200" && s < "300" {
			return s, o.Response(s)
		}
	}
	return "", nil
}

func (o *Operation) bind() { o.binding.Do(o.decode) }

func (o *Operation) decode() {
	o.c.mu.Lock()
	defer o.c.mu.Unlock()
	f := &o.facts
	if f.body = o.schema(f.rawBody); f.body != nil {
		f.body = o.configured(o.chosen(o.supplemented(f.body)).bounded())
	}
	f.responses = map[string]*Schema{}
	for status, raw := range f.rawResponses {
		f.responses[status] = o.schema(raw)
	}
	if f.rawParams != "" {
		r := &reader{text: f.rawParams}
		r.list(func() { f.params = append(f.params, r.param()) })
		o.must(r)
	}
	for _, p := range f.params {
		if p.Schema != nil {
			p.Schema.bind(o.c)
		}
	}
	f.params = paged(f.params)
}

// schema decodes a schema of the operation, nil for "".
func (o *Operation) schema(raw string) *Schema {
	if raw == "" {
		return nil
	}
	r := &reader{text: raw}
	s := r.schema()
	o.must(r)
	s.bind(o.c)
	return s
}

func (o *Operation) must(r *reader) {
	if r.err != nil {
		panic(fmt.Sprintf("contract: %s: %v", o.Key(), r.err))
	}
}

// operation reads what tells an operation from others; the rest stays JSON.
func (r *reader) operation() *Operation {
	o := &Operation{}
	r.object(func(key string) {
		switch key {
		case "id":
			o.ID = r.string()
		case "method":
			o.Method = r.string()
		case "path":
			o.Path = r.string()
		case "entity":
			o.Entity = r.string()
		case "global":
			o.Global = r.bool()
		case "unpublished":
			o.Unpublished = r.bool()
		case "item":
			o.Item = r.bool()
		case "body_required":
			o.BodyRequired = r.bool()
		case "media_type":
			o.MediaType = r.string()
		case "params":
			o.facts.rawParams = r.skip()
		case "body":
			o.facts.rawBody = r.optional()
		case "responses":
			o.facts.rawResponses = map[string]string{}
			r.object(func(status string) {
				o.Statuses = append(o.Statuses, status)
				if raw := r.optional(); raw != "" {
					o.facts.rawResponses[status] = raw
				}
			})
			slices.Sort(o.Statuses)
		default:
			r.skip()
		}
	})
	return o
}

// optional is the text of a value, "" for null.
func (r *reader) optional() string {
	if raw := r.skip(); raw != "null" {
		return raw
	}
	return ""
}

func (r *reader) param() Param {
	p := Param{}
	r.object(func(key string) {
		switch key {
		case "name":
			p.Name = r.string()
		case "in":
			p.In = r.string()
		case "required":
			p.Required = r.bool()
		case "schema":
			p.Schema = r.schema()
		default:
			r.skip()
		}
	})
	return p
}

// paged writes a mapping of paging parameters out: page with size and number is
// sent as page[size] and page[number].
func paged(params []Param) []Param {
	at := slices.IndexFunc(params, func(p Param) bool { return p.In == "query" && p.Name == "page" && p.Schema != nil })
	if at < 0 {
		return params
	}
	flat := params[at].Schema.deref()
	out := slices.Delete(slices.Clone(params), at, at+1)
	for _, name := range slices.Sorted(maps.Keys(flat.Properties)) {
		out = append(out, Param{Name: "page[" + name + "]", In: "query", Schema: flat.Properties[name].deref()})
	}
	return out
}

// Paging is how a list is cut into pages.
type Paging string

// The ways in which Konnect pages.
const (
	PagingNone   Paging = ""
	PagingNumber Paging = "number" // page[number], page[size]
	PagingCursor Paging = "cursor" // page[after], page[size]
	PagingOffset Paging = "offset" // offset, size
)

// Paging tells how the operation's list is paged.
func (o *Operation) Paging() Paging {
	has := func(name string) bool { _, ok := o.Query(name); return ok }
	switch {
	case has("page[after]"):
		return PagingCursor
	case has("page[number]"):
		return PagingNumber
	case has("offset"):
		return PagingOffset
	default:
		return PagingNone
	}
}

// defaultPageSize is asked for where the contract sets no bound.
const defaultPageSize = 100

// MaxPageSize is the largest page that the contract allows.
func (o *Operation) MaxPageSize() int {
	for _, name := range []string{"page[size]", "size"} {
		if p, ok := o.Query(name); ok {
			if p.Schema != nil && p.Schema.Maximum != nil {
				return int(*p.Schema.Maximum)
			}
			return defaultPageSize
		}
	}
	return 0
}

// Envelope says where a list response keeps its items: the property's name and
// the schema of an item. The name is empty for a bare array.
func (o *Operation) Envelope() (property string, item *Schema, ok bool) {
	o.listing.Do(func() {
		if _, s := o.Success(); s != nil {
			o.list = s.Deref().envelope()
		}
	})
	return o.list.property, o.list.item, o.list.ok
}

func (s *Schema) envelope() envelope {
	if s.Type == "array" {
		return envelope{"", s.Items, true}
	}
	obj := s.Object(nil)
	for _, name := range []string{"data", "items"} {
		if f := obj.Field(name); f != nil {
			if d := f.Schema.Deref(); d.Type == "array" {
				return envelope{name, d.Items, true}
			}
		}
	}
	return envelope{}
}

// Wrapper is the property that a single response is wrapped in, "" when it is
// not wrapped.
func (o *Operation) Wrapper() string {
	o.wrapping.Do(func() {
		_, s := o.Success()
		if s == nil {
			return
		}
		obj := s.Object(nil)
		if names := obj.Names(); len(names) == 1 && obj.Field(names[0]).Schema.Object(nil).Field("id") != nil {
			o.wrapper = names[0]
		}
	})
	return o.wrapper
}

// Filters lists the fields that the operation's list can be filtered by.
func (o *Operation) Filters() map[string]*Schema {
	out := map[string]*Schema{}
	for _, p := range o.Params() {
		if p.In != "query" {
			continue
		}
		if p.Name == "filter" && p.Schema != nil {
			obj := p.Schema.Object(nil)
			for _, n := range obj.Names() {
				out[n] = obj.Field(n).Schema
			}
			continue
		}
		if field, ok := strings.CutPrefix(p.Name, "filter["); ok {
			out[field[:strings.IndexByte(field, ']')]] = p.Schema
		}
	}
	return out
}
