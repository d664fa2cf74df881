package emulator

import (
	"reflect"
	"strings"
	"testing"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
)

// Each row of the table says one thing of a known type, and where from.
func TestBehaviourTable(t *testing.T) {
	kinds := map[string]bool{everyType: true}
	for _, b := range catalog.Types() {
		kinds[b.Kind] = true
	}
	known := map[origin]bool{fromContract: true, fromSpec: true, fromFacts: true, assumed: true}
	for _, r := range behaviours() {
		if !kinds[r.kind] || !known[r.source] || r.says == "" {
			t.Errorf("row %q of %s from %q", r.says, r.kind, r.source)
		}
		effects := 0
		v := reflect.ValueOf(r)
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "kind", "source", "says":
			default:
				if !v.Field(i).IsZero() {
					effects++
				}
			}
		}
		if effects != 1 {
			t.Errorf("row %q of %s does %d things", r.says, r.kind, effects)
		}
	}
}

// Each fixed answer says where it is known from, and is of the contract unless
// it is beside it.
func TestFixedAnswersHaveSources(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	known := map[origin]bool{fromContract: true, fromSpec: true, fromFacts: true, assumed: true}
	rows := fixedAnswers()
	for _, f := range rows {
		method, path, _ := strings.Cut(f.operation, " ")
		effects := 0
		for _, set := range []bool{f.one != nil, f.many != nil, f.change != nil, f.as != ""} {
			if set {
				effects++
			}
		}
		if !known[f.source] || f.says == "" || effects != 1 {
			t.Errorf("row %s %q from %q does %d things", f.operation, f.says, f.source, effects)
		}
		if (c.Operation(method, path) == nil) != f.beside || f.open && !f.beside {
			t.Errorf("%s: is it of the contract?", f.operation)
		}
		if f.as != "" {
			method, path, _ = strings.Cut(f.as, " ")
			if c.Operation(method, path) == nil {
				t.Errorf("%s stands for %s, which is not of the contract", f.operation, f.as)
			}
		}
	}
	if len(byOperation(rows)) != len(rows) {
		t.Error("an operation has two rows")
	}
}
