package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// spec is a version of an API with operations on one path.
func spec(version string, methods ...string) string {
	return fmt.Sprintf("{ref: v%s, version: '%s', spec: {openapi: 3.0.0, info: {title: t, version: '%s'}, paths: {/a: {%s: {}}}}}",
		version, version, version, strings.Join(methods, ": {}, "))
}

func flights(versions ...string) string {
	return "_defaults: {kongctl: {namespace: fly}}\napis: [{ref: f, name: f, versions: [" + strings.Join(versions, ", ") + "]}]\n"
}

const offered = "_defaults: {kongctl: {namespace: pkgs}}\napi_packages: [{ref: p, name: p, version: '1', operations: [{api: f, method: GET, path: /a}]}]\n" +
	"apis: [{ref: f, _external: {selector: {matchFields: {name: f}}}}]\n"

// What others use of what is derived from a text is met where the text, and nothing
// else that stays or comes, has it.
func TestDerivedIsMet(t *testing.T) {
	for _, row := range []struct {
		name         string
		before, then []string
		blocked      []string
	}{
		{"the only version goes", []string{spec("1", "get")}, nil, []string{"delete 1"}},
		{"it goes and another one stays that has it", []string{spec("1", "get"), spec("2", "get")}, []string{spec("2", "get")}, nil},
		{"it goes and another one stays that lacks it", []string{spec("1", "get"), spec("2", "post")}, []string{spec("2", "post")}, []string{"delete 1"}},
		{"another one goes", []string{spec("1", "get"), spec("2", "post")}, []string{spec("1", "get")}, nil},
		{"both go", []string{spec("1", "get"), spec("2", "get")}, nil, []string{"delete 1", "delete 2"}},
		{"it goes and another one comes that has it", []string{spec("1", "get")}, []string{spec("2", "get")}, nil},
		{"it goes and another one comes that lacks it", []string{spec("1", "get")}, []string{spec("2", "post")}, []string{"delete 1"}},
		{"it goes and another one gets it", []string{spec("1", "get"), spec("2", "post")}, []string{spec("2", "get")}, nil},
		{"a text drops it", []string{spec("1", "get", "post")}, []string{spec("1", "post")}, []string{"update v1"}},
		{"a text drops another one", []string{spec("1", "get", "post")}, []string{spec("1", "get")}, nil},
		{"a text drops it and another one has it", []string{spec("1", "get"), spec("2", "get")}, []string{spec("1", "post"), spec("2", "get")}, nil},
		{"a text gets more", []string{spec("1", "get")}, []string{spec("1", "get", "post")}, nil},
		{"both texts drop it", []string{spec("1", "get"), spec("2", "get")}, []string{spec("1", "post"), spec("2", "post")}, []string{"update v1", "update v2"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := testkit.New(t)
			w.Sync(flights(row.before...))
			w.Sync(offered)
			p, diags := planned(t, w, flights(row.then...), way{mode: plan.ModeSync})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			var blocked []string
			for _, x := range p.Blocked {
				if x.By != "cascade" || !strings.Contains(x.Message, `API package operation "f GET /a" of API package "p" (namespace pkgs)`) {
					t.Errorf("%s: %s", x.By, x.Message)
				}
				blocked = append(blocked, fmt.Sprintf("%s %s", strings.ToLower(string(x.Action)), x.ResourceRef))
			}
			if slices.Sort(blocked); !slices.Equal(blocked, row.blocked) {
				t.Errorf("blocked: %v, want %v", blocked, row.blocked)
			}
			if len(row.blocked) > 0 {
				return
			}
			w.Sync(flights(row.then...))
			if lines := testkit.Lines(w.Plan(testkit.Ask{}, offered)); len(lines) > 0 {
				t.Errorf("the package has lost something: %v", lines)
			}
		})
	}
}

// What has the operation comes before what had it goes.
func TestDerivedIsKept(t *testing.T) {
	w := testkit.New(t)
	w.Sync(flights(spec("1", "get")))
	w.Sync(offered)
	p, _ := planned(t, w, flights(spec("2", "get")), way{mode: plan.ModeSync})
	if len(p.Changes) != 2 || p.Changes[1].Action != plan.Delete || !slices.Contains(p.Changes[1].DependsOn, p.Changes[0].ID) {
		t.Errorf("%v", testkit.Lines(p))
	}
}

// Packages are read only where an operation may go, and what cannot be read keeps
// what it may use.
func TestDerivedIsReadWhereItMayGo(t *testing.T) {
	w := testkit.New(t)
	w.Sync(flights(spec("1", "get", "post")))
	w.Sync(offered)
	reads := func(text string) (out []string) {
		w.Recorder.Reset()
		w.Plan(testkit.Ask{Mode: plan.ModeApply}, text)
		for _, x := range w.Recorder.All() {
			if strings.HasPrefix(x.Path, "/v3/api-packages/") || strings.HasSuffix(x.Path, "/operations") {
				out = append(out, x.Path)
			}
		}
		return out
	}
	if got := reads(flights(spec("1", "get", "post", "put"))); len(got) > 0 {
		t.Errorf("for more operations: %v", got)
	}
	if got := reads(flights(spec("1", "get"))); len(got) != 2 {
		t.Errorf("for fewer: %v", got)
	}
	for _, kind := range []string{"api_package_operation", "api_operation"} {
		p, diags := planned(t, w, flights(), way{mode: plan.ModeSync, unread: kind})
		if diags.HasErrors() || len(p.Changes) > 0 || len(p.Errors) == 0 {
			t.Errorf("without %s: %v %v %v", kind, diags.Err(), testkit.Lines(p), p.Errors)
		}
	}
}

// An operation that a text and a package rename together leaves the package before the
// text drops it, and the new one waits. The delete says whether it is below a protected
// one, as any.
func TestDerivedIsRenamedInPlace(t *testing.T) {
	const pkg = "api_packages: [{ref: p, name: p, kongctl: {protected: PROTECTED}, operations: [{ref: op, api: f, method: METHOD, path: /a}]}]\n"
	both := func(method string, protected bool) string {
		return flights(spec("1", strings.ToLower(method))) + strings.NewReplacer("METHOD", method, "PROTECTED", fmt.Sprint(protected)).Replace(pkg)
	}
	for _, protected := range []bool{false, true} {
		w := testkit.New(t)
		w.Sync(flights(spec("1", "get")))
		w.Sync(both("GET", protected))
		p := w.Plan(testkit.Ask{AllowPending: true}, both("POST", protected))
		if len(p.Changes) != 2 || p.Changes[0].Action != plan.Delete || !slices.Contains(p.Changes[1].DependsOn, p.Changes[0].ID) || len(p.Pending) != 1 {
			t.Fatalf("%v, pending %v, blocked %v", testkit.Lines(p), p.Pending, p.Blocked)
		}
		testkit.Equal(t, "below a protected one", p.Changes[0].Parent.RootProtected, protected)
		w.Succeed(w.Run(w.Reread(p)))
		w.Sync(both("POST", protected))
		w.Settled(testkit.Ask{}, both("POST", protected))
	}
}
