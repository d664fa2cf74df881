package view_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/view"
)

func TestJq(t *testing.T) {
	data := []map[string]any{{"name": "a", "port": json.Number("8443"), "long": json.Number("123456789012345678901")}, {"name": "b", "port": json.Number("0.5")}}
	for name, tt := range map[string]struct {
		expression string
		raw        bool
		want       string
	}{
		"texts as JSON":   {".[].name", false, "\"a\"\n\"b\"\n"},
		"texts as texts":  {".[].name", true, "a\nb\n"},
		"numbers":         {".[0].port + 1, .[1].port, .[0].long", true, "8444\n0.5\n123456789012345678901\n"},
		"no variables":    {"env | length", false, "0\n"},
		"nothing":         {"empty", false, ""},
		"objects as JSON": {".[0] | {name}", true, "{\n  \"name\": \"a\"\n}\n"},
	} {
		q, err := view.NewJq(tt.expression)
		if err != nil {
			t.Fatal(err)
		}
		results, err := q.Results(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := view.WriteResults(&b, results, tt.raw); err != nil || b.String() != tt.want {
			t.Errorf("%s: %q, %v, want %q", name, b.String(), err, tt.want)
		}
	}
	if _, err := view.NewJq(".["); err == nil {
		t.Error("an expression that ends too early is taken")
	}
	q, err := view.NewJq(".name")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Results(t.Context(), data); err == nil {
		t.Error("a list has a name")
	}
}

func TestColumns(t *testing.T) {
	columns, err := view.ParseColumns("NAME=.name,HOSTS=.hosts[],N=[.hosts[]?]|length, LAST ONE=.none")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range columns {
		cell, err := c.Cell(t.Context(), map[string]any{"name": "a", "hosts": []any{"x", "y"}})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Title+": "+cell)
	}
	if text := strings.Join(got, "; "); text != "NAME: a; HOSTS: x, y; N: 2; LAST ONE: " {
		t.Errorf("columns %s", text)
	}
	for _, wrong := range []string{"", "name", ".name", "NAME=", "NAME=.[", "x,NAME=.name"} {
		if _, err := view.ParseColumns(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// TestEndlessJq: an expression that never ends, ends with its context.
func TestEndlessJq(t *testing.T) {
	for _, endless := range []string{"repeat(1)", "def f: f; f", "[repeat(1)]"} {
		q, err := view.NewJq(endless)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := q.Results(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", endless, err)
		}
	}
}
