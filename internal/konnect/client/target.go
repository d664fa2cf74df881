package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// Target reads and changes the resources of every type of the catalog.
type Target struct {
	cat    *catalog.Catalog
	client *Client
}

// NewTarget makes a target of a client.
func NewTarget(cat *catalog.Catalog, c *Client) *Target { return &Target{cat: cat, client: c} }

var (
	_ remote.Target  = (*Target)(nil)
	_ remote.Watcher = (*Target)(nil)
)

// Reading passes on how far reads are.
func (t *Target) Reading(started, ended int) { t.client.onReading(started, ended) }

// Organization asks whose token it is.
func (t *Target) Organization(ctx context.Context) (id, name string, err error) {
	op := t.cat.Contract.Operation(http.MethodGet, "/v3/organizations/me")
	res, err := t.client.Do(ctx, Request{Method: op.Method, Path: op.Path, Global: op.Global})
	if err != nil {
		return "", "", err
	}
	body, _ := res.Body.(map[string]any)
	if id, _ = body["id"].(string); id == "" {
		return "", "", &AnswerError{Method: op.Method, Path: op.Path, Status: res.Status, Reason: "without an id"}
	}
	name, _ = body["name"].(string)
	return id, name, nil
}

// Whoami reads what a path of the API says of whoever the token belongs to.
func (t *Target) Whoami(ctx context.Context, path string) (map[string]any, error) {
	op := t.cat.Contract.Operation(http.MethodGet, path)
	if op == nil {
		return nil, fmt.Errorf("GET %s: the API has no such operation", path)
	}
	res, err := t.client.Do(ctx, Request{Method: op.Method, Path: op.Path, Global: op.Global})
	if err != nil {
		return nil, err
	}
	body, ok := res.Body.(map[string]any)
	if !ok {
		return nil, &AnswerError{Method: op.Method, Path: path, Status: res.Status, Reason: "without an object"}
	}
	return body, nil
}

// Read reads one object, or nil.
func (t *Target) Read(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	if s.Type.Set != "" {
		return t.readSet(ctx, s)
	}
	if s.Type.Listed && id == "" {
		objects, err := t.List(ctx, s)
		if err != nil || len(objects) == 0 {
			return nil, err
		}
		if id = objects[0].ID; !catalog.ListedInPart(s.Type) {
			return objects[0], nil
		}
	}
	if s.Type.Read == nil {
		return t.readListed(ctx, s, id)
	}
	o, err := t.call(ctx, s, s.Type.Read, id, remote.Write{})
	if IsNotFound(err) {
		return nil, nil
	}
	if err == nil && catalog.Absent(s.Type, o.Fields) {
		return nil, nil
	}
	if err == nil && id == "" { // others were in a list
		t.client.onRead(1)
	}
	return o, err
}

// readListed finds an object that can only be read with all others.
func (t *Target) readListed(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	objects, err := t.List(ctx, s)
	if i := slices.IndexFunc(objects, func(o *resource.Object) bool { return o.ID == id }); i >= 0 {
		return objects[i], nil
	}
	return nil, err
}

// Create makes an object.
func (t *Target) Create(ctx context.Context, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	w.New = true
	o, err := t.whenParentIsThere(ctx, s, s.Type.Create, id, w)
	if err == nil && o.ID == "" && (s.Type.Shape == catalog.Collection || s.Type.Shape == catalog.Membership) {
		return nil, &AnswerError{Method: s.Type.Create.Method, Path: s.Type.Create.Path, Status: http.StatusCreated, Reason: "without an id"}
	}
	return o, err
}

// Update changes an object.
func (t *Target) Update(ctx context.Context, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	return t.whenParentIsThere(ctx, s, catalog.UpdateBy(s.Type, w.Method), id, w)
}

// Delete removes an object.
func (t *Target) Delete(ctx context.Context, s remote.Scope, id string) error {
	if s.Type.Emptied != "" {
		return t.empty(ctx, s, id)
	}
	_, err := t.call(ctx, s, s.Type.Delete, id, remote.Write{})
	if IsNotFound(err) {
		return nil
	}
	return err
}

// empty removes an object whose type has no DELETE.
func (t *Target) empty(ctx context.Context, s remote.Scope, id string) error {
	o, err := t.Read(ctx, s, id)
	if err != nil || o == nil {
		return err
	}
	_, err = t.call(ctx, s, s.Type.Delete, id, remote.Write{Fields: catalog.Emptying(s.Type, o.Fields)})
	if IsNotFound(err) {
		return nil
	}
	return err
}

// How often at most and how long to wait for a parent that was just made: reads may
// be behind writes for a moment.
const (
	parentTries = 4
	parentWait  = 250 * time.Millisecond
)

// whenParentIsThere repeats a write below a parent that is not seen yet. A 404
// means that nothing was written, so repeating is safe.
func (t *Target) whenParentIsThere(ctx context.Context, s remote.Scope, op *contract.Operation, id string, w remote.Write) (*resource.Object, error) {
	ctx, effort := remote.WithEffort(ctx)
	o, err := t.call(ctx, s, op, id, w)
	for try := 1; try < parentTries && len(s.Ancestors) > 0 && IsNotFound(err) && !effort.Spent(); try++ {
		if serr := t.client.clock.Sleep(ctx, parentWait<<(try-1)); serr != nil {
			return nil, serr
		}
		o, err = t.call(ctx, s, op, id, w)
	}
	return o, err
}

func (t *Target) call(ctx context.Context, s remote.Scope, op *contract.Operation, id string, w remote.Write) (*resource.Object, error) {
	if op == nil {
		return nil, fmt.Errorf("%s: the API has no such operation", s.Type.Kind)
	}
	path, err := op.Expand(s.Type.PathParams(op, s.Ancestors, id))
	if err != nil {
		return nil, err
	}
	req := Request{Method: op.Method, Path: path, Global: op.Global, Secrets: w.Secrets}
	if op == s.Type.Delete && s.Type.ForceDelete {
		req.Query = url.Values{"force": {"true"}} // the plan lists what goes with it
	}
	if op.Body() != nil {
		req.Body = w.Fields
		if s.Type.Link != "" {
			req.Body = catalog.LinkBody(s.Type, s.Ancestors, id)
		}
	}
	if op.Item {
		req.Path, req.Body = path[:strings.LastIndexByte(path, '/')], patchItem(path, w)
	}
	res, err := t.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if s.Type.Link != "" {
		return object(s.Type, map[string]any{"id": id}, id), nil
	}
	body, ok := res.Body.(map[string]any)
	if wrapper := op.Wrapper(); wrapper != "" && ok {
		body, ok = body[wrapper].(map[string]any)
	}
	if !ok && op == s.Type.Read {
		return nil, &AnswerError{Method: req.Method, Path: path, Status: res.Status, Reason: "without an object"}
	}
	if !ok {
		return &resource.Object{ID: id}, nil
	}
	if op == s.Type.Read {
		if lacks := unanswered(s.Type, op, body); lacks != "" {
			return nil, &AnswerError{Method: req.Method, Path: path, Status: res.Status, Reason: "without " + lacks}
		}
	}
	return object(s.Type, body, id), nil
}

// patchItem is the list that an operation takes in place of one resource: the item
// says which one it is, in the last words of its path, and what that has from now on.
func patchItem(path string, w remote.Write) []any {
	segs := strings.Split(path, "/")
	item := map[string]any{"op": "replace", "path": strings.Join(segs[len(segs)-2:], "/")}
	if w.New {
		item["op"] = "add"
	}
	if len(w.Fields) > 0 {
		item["value"] = w.Fields
	}
	return []any{item}
}

// object brings a response into the form that the engine knows.
func object(t *catalog.Bound, body map[string]any, id string) *resource.Object {
	if t.Link != "" { // what Konnect returns is what the link leads to
		id, _ = body["id"].(string)
		o := catalog.NewObject(id, map[string]any{t.MapKey: id}, nil, "")
		catalog.Keep(o, body)
		return o
	}
	if s, ok := body["id"].(string); ok && t.Shape != catalog.Map {
		id = s
	}
	if t.IDField != "" {
		id, _ = body[t.IDField].(string)
	}
	if t.MapKey != "" {
		if s, ok := body[t.KeyIn].(string); ok {
			id = s
		}
		if body != nil {
			body[t.MapKey] = id
		}
	}
	parentID := ""
	if t.ListParent != "" {
		parentID, _ = body[t.ListParent].(string)
	}
	var labels map[string]string
	if found, ok := body["labels"].(map[string]any); ok {
		labels = map[string]string{}
		for k, v := range found {
			labels[k], _ = v.(string)
		}
	}
	o := catalog.NewObject(id, t.Fields(body), labels, parentID)
	catalog.Keep(o, body)
	o.System = t.SystemFlag != "" && o.Fields[t.SystemFlag] == true
	return o
}
