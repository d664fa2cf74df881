package laws

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit"
)

// insteadOf is what a fix says to type, and in place of which keys.
var insteadOf = regexp.MustCompile(`in place of (.+?): ((?:_external|selector): .+)\.$`)

// A field of an external that its owner sets is refused, and what the fix says to type is
// accepted: nothing in its place, or a way to find the resource by it. Of every type, in
// every way to write an external.
func TestFixOfAFieldOfAnExternal(t *testing.T) {
	var tried, typed atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields, %d fixes were typed", tried.Load(), typed.Load())
		if tried.Load() < 1500 || typed.Load() < 600 {
			t.Error("too few were tried")
		}
	})
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		if typ.Shape == catalog.Singleton {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			s := newScene(newWorld(t), typ)
			parent := s.parent(typ)
			below := ""
			if parent != "" {
				below = fmt.Sprintf("%s: %s, ", typ.ParentKeys()[0], parent)
			}
			base := s.text()
			selector := fmt.Sprintf("{matchFields: {%s: %s}}", foundBy(typ), anID(typ))
			ways := []string{
				typ.Root() + ": [{ref: ext, " + below + "_external: {id: " + anID(typ) + "}%s}]",
				typ.Root() + ": [{ref: ext, " + below + "_external: {selector: " + selector + "}%s}]",
				"external_resources: [{ref: ext, resource_type: " + typ.Kind + ", " + below + "id: " + anID(typ) + "%s}]",
				"external_resources: [{ref: ext, resource_type: " + typ.Kind + ", " + below + "selector: " + selector + "%s}]",
			}
			if typ.ReadOnly && typ.Writer == "" && len(typ.Identity) == 1 {
				ways = append(ways, typ.Root()+": [{ref: ext, "+below+typ.Identity[0]+": "+anID(typ)+"%s}]", typ.Root()+": [{ref: ext, "+below+"id: "+anID(typ)+"%s}]")
			}
			for _, way := range ways {
				for field, v := range fieldsOf(typ) {
					x := ownersField{s.w, base, way, field, v}
					diags := x.try(fmt.Sprintf(way, fmt.Sprintf(", %s: %s", field, v)))
					i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.ExtField })
					if i < 0 || codes(diags) != string(diag.ExtField) {
						continue // it names the resource, a parent or a child
					}
					tried.Add(1)
					if diags := x.try(fmt.Sprintf(way, "")); diags.HasErrors() {
						t.Errorf("%s without %s: %v", way, field, diags.Err())
					}
					typed.Add(x.typed(t, diags[i].Fix))
				}
			}
		})
	}
}

// ownersField is an external with a field that its owner sets.
type ownersField struct {
	w                *world
	base, way, field string
	value            string
}

func (x ownersField) try(text string) diag.List { return x.w.try(merged(x.base, text+"\n")) }

// typed types what a fix says, if it says so.
func (x ownersField) typed(t *testing.T, fix string) int64 {
	t.Helper()
	says := insteadOf.FindStringSubmatch(fix)
	var text string
	switch {
	case fix == "remove it.":
		return 0
	case fix == "remove it, or move it to matchFields of the selector.":
		text = strings.Replace(fmt.Sprintf(x.way, ""), "{matchFields: {", fmt.Sprintf("{matchFields: {%s: %s, ", x.field, x.value), 1)
	case says == nil:
		t.Errorf("%s with %s: a fix that says something else: %s", x.way, x.field, fix)
		return 0
	default:
		text = fmt.Sprintf(x.way, ", "+strings.Replace(says[2], "…", x.value, 1))
		for _, key := range strings.Split(strings.Replace(says[1], " and ", ", ", 1), ", ") {
			if key != x.field {
				text = regexp.MustCompile(` `+key+`: ([^{},]+|\{[^{}]*\}), `).ReplaceAllString(text, " ")
			}
		}
	}
	if diags := x.try(text); diags.HasErrors() {
		t.Errorf("%s with %s: %s\nas the fix says, it is refused: %v\n%s", x.way, x.field, fix, diags.Err(), text)
	}
	return 1
}

// fieldsOf are the fields of a type at the top that are written or returned, each with a
// value that it takes.
func fieldsOf(t *catalog.Bound) map[string]string {
	out := map[string]string{}
	for _, s := range []*contract.Schema{t.Write(), t.Returned()} {
		if s == nil {
			continue
		}
		o := s.Object(nil)
		for _, name := range o.Names() {
			if f := o.Field(name); f != nil && out[name] == "" {
				out[name] = plainOf(f.Schema)
			}
		}
	}
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.ContainsAny(name, " :") })
	return out
}

func plainOf(s *contract.Schema) string {
	switch {
	case s == nil:
		return "a"
	case len(s.Enum) > 0:
		return fmt.Sprintf("%q", fmt.Sprint(s.Enum[0]))
	case s.Type == "integer" || s.Type == "number":
		return "1"
	case s.Type == "boolean":
		return "true"
	case s.Type == "array":
		return "[a]"
	case s.Type == "object":
		return "{a: b}"
	default:
		return "a"
	}
}
