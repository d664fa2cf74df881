package value_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func at(line int) value.Pos { return value.Pos{File: "f.yaml", Line: line, Column: 1} }

// sample is a mapping whose every node stands on a line of its own.
func sample() value.Value {
	return value.MapAt(at(1),
		value.Entry{Key: "name", KeyPos: at(2), Value: value.StringAt(at(3), "dev")},
		value.Entry{Key: "list", KeyPos: at(4), Value: value.ListAt(at(5), []value.Value{
			value.NumberAt(at(6), "1.50"),
			value.MapAt(at(7), value.Entry{Key: "deep", KeyPos: at(8), Value: value.BoolAt(at(9), true)}),
		})},
		value.Entry{Key: "secret", KeyPos: at(10), Value: value.ExprAt(at(11), value.Expression{Op: value.OpSecret})},
		value.Entry{Key: "none", KeyPos: at(12), Value: value.NullAt(at(13))},
	)
}

func TestPlain(t *testing.T) {
	var asked []string
	got := sample().Plain(func(p value.Path, e *value.Expression) any {
		asked = append(asked, p.String()+" "+string(e.Op))
		return "hidden"
	})
	want := object{"name": "dev", "list": list{json.Number("1.50"), object{"deep": true}}, "secret": "hidden", "none": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"secret secret"}, asked); diff != "" {
		t.Error(diff)
	}
	if back := value.From(at(1), want).Plain(nil); !cmp.Equal(back, any(want)) {
		t.Errorf("plain data there and back: %v", back)
	}
}

func TestNearestPointsAtTheDeepestPartThatIsThere(t *testing.T) {
	for _, row := range []struct {
		path string
		line int
	}{
		{"", 1},
		{"name", 3},
		{"missing", 1},
		{"list[0]", 6},
		{"list[1].deep", 9},
		{"list[1].missing", 7},
		{"list[7]", 5},
		{"none.below", 13},
	} {
		if got := sample().Nearest(value.ParsePath(row.path)); got != at(row.line) {
			t.Errorf("%q: got %s, want line %d", row.path, got, row.line)
		}
	}
}

func TestLookup(t *testing.T) {
	v := sample()
	if b, ok := v.Lookup(value.ParsePath("list[1].deep")).Bool(); !b || !ok {
		t.Error("list[1].deep is not found")
	}
	for _, p := range []string{"list[2]", "list.deep", "name.x", "missing"} {
		if got := v.Lookup(value.ParsePath(p)); !got.IsAbsent() {
			t.Errorf("%s leads to %s", p, got.Kind())
		}
	}
	if v.Field("none").Kind() != value.Null || !v.Has("none") {
		t.Error("null is something that was written")
	}
}

func TestMappingsAreNotChanged(t *testing.T) {
	v := sample()
	with := v.With(value.Entry{Key: "name", KeyPos: at(20), Value: value.StringAt(at(21), "prod")})
	without := v.Without("list", "none")
	if s, _ := v.Field("name").Text(); s != "dev" || len(v.Keys()) != 4 {
		t.Error("the mapping itself changed")
	}
	if s, _ := with.Field("name").Text(); s != "prod" || with.KeyPos("name") != at(20) {
		t.Error("With did not set the entry")
	}
	if diff := cmp.Diff([]string{"name", "secret"}, without.Keys()); diff != "" {
		t.Error(diff)
	}
}

func TestWalkStopsWhereItIsTold(t *testing.T) {
	var seen []string
	sample().Walk(func(p value.Path, v value.Value) bool {
		seen = append(seen, p.String())
		return v.Kind() != value.List
	})
	if diff := cmp.Diff([]string{"", "name", "list", "secret", "none"}, seen); diff != "" {
		t.Error(diff)
	}
}

func TestMapReplacesNodes(t *testing.T) {
	got := sample().Map(func(p value.Path, v value.Value) value.Value {
		if v.Kind() == value.Bool || v.Kind() == value.Expr {
			return value.StringAt(v.Pos(), p.String())
		}
		return v
	}).Plain(nil)
	want := object{"name": "dev", "list": list{json.Number("1.50"), object{"deep": "list[1].deep"}}, "secret": "secret", "none": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPositionText(t *testing.T) {
	for _, row := range []struct {
		pos  value.Pos
		want string
	}{
		{value.Pos{File: "a.yaml", Line: 3, Column: 7}, "a.yaml:3:7"},
		{value.Pos{File: "a.yaml", Line: 3}, "a.yaml:3"},
		{value.Pos{File: "a.yaml"}, "a.yaml"},
	} {
		if got := row.pos.String(); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
	}
}
