package emulator

import (
	"reflect"
	"testing"

	"kongctl/internal/catalog"
)

// Each row of the table says one thing of a known type, and where from.
func TestBehaviourTable(t *testing.T) {
	kinds := map[string]bool{}
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
