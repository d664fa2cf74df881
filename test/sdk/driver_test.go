package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	sdkkonnectgo "github.com/Kong/sdk-konnect-go"
	"github.com/Kong/sdk-konnect-go/models/components"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// driver calls the SDK's methods by the ids of operations, with values that are
// given as plain data and go through the SDK's own types both ways.
type driver struct {
	methods map[string]reflect.Value // by name in small letters
	wire    *wire
}

func newDriver(client *http.Client) *driver {
	w := &wire{next: client}
	token := "kpat_sdk"
	sdk := sdkkonnectgo.New(
		sdkkonnectgo.WithServerURL("https://us.api.konghq.com"), sdkkonnectgo.WithClient(w),
		sdkkonnectgo.WithSecurity(components.Security{PersonalAccessToken: &token}),
	)
	d := &driver{methods: map[string]reflect.Value{}, wire: w}
	groups := reflect.ValueOf(sdk).Elem()
	for i := range groups.NumField() {
		group := groups.Field(i)
		if !groups.Type().Field(i).IsExported() || group.Kind() != reflect.Pointer {
			continue
		}
		for j := range group.NumMethod() {
			d.methods[strings.ToLower(group.Type().Method(j).Name)] = group.Method(j)
		}
	}
	return d
}

// wire is the HTTP client that the SDK sends with. A request that is not the
// expected one is not sent.
type wire struct {
	next   *http.Client
	path   string
	status int // of the last answer
}

var errOtherPath = errors.New("the SDK asked for another path")

// Do sends.
func (w *wire) Do(r *http.Request) (*http.Response, error) {
	if r.URL.EscapedPath() != w.path {
		return nil, fmt.Errorf("%w: %s, not %s", errOtherPath, r.URL.EscapedPath(), w.path)
	}
	res, err := w.next.Do(r)
	if err == nil {
		w.status = res.StatusCode
	}
	return res, err
}

// ask is a call of an operation.
type ask struct {
	op *contract.Operation
	// path are the values of the path's parameters, by name; query likewise.
	path, query map[string]string
	body        map[string]any
	// list is a body that is a list.
	list []any
}

// sent is the body.
func (a ask) sent() any {
	if a.list != nil {
		return a.list
	}
	return a.body
}

// call returns what the SDK made of the answer, as plain data.
func (d *driver) call(ctx context.Context, a ask) (any, error) {
	method, ok := d.methods[strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(a.op.ID))]
	if !ok {
		return nil, fmt.Errorf("the SDK has no method for %s", a.op.ID)
	}
	path, err := a.op.Expand(a.path)
	if err != nil {
		return nil, err
	}
	d.wire.path = path
	// Signatures do not tell which text is which parameter, so orders are tried;
	// a wrong one is not sent.
	var last error
	for _, order := range permutations(a.op.PathParams()) {
		args, err := a.arguments(ctx, method.Type(), order)
		if err != nil {
			return nil, err
		}
		out := method.Call(args)
		last, _ = out[1].Interface().(error)
		if !errors.Is(last, errOtherPath) {
			return plain(out[0]), last
		}
	}
	return nil, last
}

func permutations(names []string) [][]string {
	if len(names) < 2 {
		return [][]string{names}
	}
	var out [][]string
	for i, first := range names {
		rest := append(append([]string{}, names[:i]...), names[i+1:]...)
		for _, p := range permutations(rest) {
			out = append(out, append([]string{first}, p...))
		}
	}
	return out
}

// arguments makes the values for a method: texts are the path's parameters in
// the given order, structures with tags are requests, pointers of a read are the
// query's parameters in the contract's order, others are bodies.
func (a ask) arguments(ctx context.Context, method reflect.Type, order []string) ([]reflect.Value, error) {
	args := []reflect.Value{reflect.ValueOf(ctx)}
	queries := a.queries()
	for i := 1; i < method.NumIn()-1; i++ { // the last are the options
		t := method.In(i)
		v := reflect.New(t).Elem()
		switch {
		case t.Kind() == reflect.String:
			if len(order) == 0 {
				return nil, fmt.Errorf("%s takes more texts than its path has parameters", a.op.ID)
			}
			v.SetString(a.path[order[0]])
			order = order[1:]
		case isRequest(t):
			if err := a.fill(v); err != nil {
				return nil, err
			}
		case a.op.Method == http.MethodGet && strings.HasSuffix(t.String(), ".PagePaginationQuery"):
			if err := decode(a.deep("page"), v); err != nil {
				return nil, fmt.Errorf("%s: page: %w", a.op.ID, err)
			}
			queries = slices.DeleteFunc(queries, func(name string) bool { return strings.HasPrefix(name, "page[") })
		case a.op.Method == http.MethodGet && t.Kind() == reflect.Pointer && len(queries) > 0:
			if value, ok := a.query[queries[0]]; ok {
				if err := json.Unmarshal(literal(value, t), v.Addr().Interface()); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", a.op.ID, queries[0], err)
				}
			}
			queries = queries[1:]
		case strings.Contains(t.String(), "QueryParam") || a.body == nil && a.list == nil:
			// left out
		default:
			if err := decode(a.sent(), v); err != nil {
				return nil, fmt.Errorf("%s: the SDK does not take %v: %w", a.op.ID, a.body, err)
			}
		}
		args = append(args, v)
	}
	return args, nil
}

// queries are the names of the query's parameters.
func (a ask) queries() []string {
	var out []string
	for _, p := range a.op.Params() {
		if p.In == "query" {
			out = append(out, p.Name)
		}
	}
	return out
}

func isRequest(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		if tag.Get("request") != "" || parameter(tag.Get("pathParam")) != "" || parameter(tag.Get("queryParam")) != "" {
			return true
		}
	}
	return false
}

// fill sets the fields of a request by their tags.
func (a ask) fill(request reflect.Value) error {
	for i := range request.NumField() {
		field, tag := request.Field(i), request.Type().Field(i).Tag
		if tag.Get("request") != "" {
			if err := decode(a.sent(), field); err != nil {
				return fmt.Errorf("%s: the SDK does not take %v: %w", a.op.ID, a.body, err)
			}
			continue
		}
		if value, ok := a.path[parameter(tag.Get("pathParam"))]; ok {
			field.SetString(value)
		}
		if value, ok := a.query[parameter(tag.Get("queryParam"))]; ok {
			if err := json.Unmarshal(literal(value, field.Type()), field.Addr().Interface()); err != nil {
				return fmt.Errorf("%s: %s: %w", a.op.ID, request.Type().Field(i).Name, err)
			}
		}
		if parts := a.deep(parameter(tag.Get("queryParam"))); len(parts) > 0 {
			if err := decode(parts, field); err != nil {
				return fmt.Errorf("%s: %s: %w", a.op.ID, request.Type().Field(i).Name, err)
			}
		}
	}
	return nil
}

// deep are the parts of a query parameter that is an object: page[size].
func (a ask) deep(name string) map[string]any {
	parts := map[string]any{}
	for key, value := range a.query {
		if part, ok := strings.CutPrefix(key, name+"["); ok && name != "" {
			parts[strings.TrimSuffix(part, "]")] = json.Number(value)
		}
	}
	return parts
}

// parameter is the name in a tag such as "style=simple,explode=false,name=id";
// unions have tags without one.
func parameter(tag string) string {
	_, name, _ := strings.Cut(tag, "name=")
	return name
}

func literal(value string, t reflect.Type) []byte {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.String {
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // a text always has a JSON form
		}
		return raw
	}
	return []byte(value)
}

func decode(body any, to reflect.Value) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to.Addr().Interface())
}

// plain finds the decoded body in the SDK's response, and returns it as data.
func plain(response reflect.Value) any {
	if response.IsNil() {
		return nil
	}
	response = response.Elem()
	for i := range response.NumField() {
		name, field := response.Type().Field(i).Name, response.Field(i)
		if name == "RawResponse" || name == "ContentType" || name == "StatusCode" || field.IsZero() {
			continue
		}
		raw, err := json.Marshal(field.Interface())
		if err != nil {
			return err
		}
		var out any
		if err := json.Unmarshal(raw, &out); err != nil {
			return err
		}
		return out
	}
	return nil
}
