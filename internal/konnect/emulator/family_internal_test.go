package emulator

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// Each rule of a family says one thing of a known type, and where from.
func TestRulesOfFamilies(t *testing.T) {
	kinds := map[string]bool{model.EveryType: true}
	for _, b := range catalog.Types() {
		kinds[b.Kind] = true
	}
	known := map[model.Origin]bool{model.FromContract: true, model.FromSpec: true, model.FromFacts: true, model.Assumed: true}
	for _, r := range rules() {
		if !kinds[r.Kind] || !known[r.Source] || r.Says == "" {
			t.Errorf("row %q of %s from %q", r.Says, r.Kind, r.Source)
		}
		effects := 0
		v := reflect.ValueOf(r)
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Kind", "Source", "Says":
			default:
				if !v.Field(i).IsZero() {
					effects++
				}
			}
		}
		if effects != 1 {
			t.Errorf("row %q of %s does %d things", r.Says, r.Kind, effects)
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
	known := map[model.Origin]bool{model.FromContract: true, model.FromSpec: true, model.FromFacts: true, model.Assumed: true}
	rows := fixedAnswers()
	operations := map[string]bool{}
	for _, f := range rows {
		method, path, _ := strings.Cut(f.Operation, " ")
		operations[f.Operation] = true
		effects := 0
		for _, set := range []bool{f.One != nil, f.Many != nil, f.Change != nil, f.Raw != nil, f.As != ""} {
			if set {
				effects++
			}
		}
		if !known[f.Source] || f.Says == "" || effects != 1 {
			t.Errorf("row %s %q from %q does %d things", f.Operation, f.Says, f.Source, effects)
		}
		if (c.Operation(method, path) == nil) != f.Beside || f.Open && !f.Beside {
			t.Errorf("%s: is it of the contract?", f.Operation)
		}
		if f.As != "" {
			method, path, _ = strings.Cut(f.As, " ")
			if c.Operation(method, path) == nil {
				t.Errorf("%s stands for %s, which is not of the contract", f.Operation, f.As)
			}
		}
	}
	if len(operations) != len(rows) {
		t.Error("an operation has two rows")
	}
}
