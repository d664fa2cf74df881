package export

import (
	"errors"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/source"
)

// What a fix says to type can be typed: it names flags that the command has, and says
// something where there are none.
func TestFixesNameFlagsOfTheCommand(t *testing.T) {
	cat := types(t)
	every := []string{"split-dir", "resources", "filter", "default-namespace", "include-child-resources"}
	var sets [][]string
	for n := range 1 << len(every) {
		var set []string
		for i, flag := range every {
			if n&(1<<i) != 0 {
				set = append(set, flag)
			}
		}
		sets = append(sets, set)
	}
	named := map[string]bool{}
	for _, flags := range sets {
		for _, o := range []WriteOptions{{Flags: flags}, {Flags: flags, State: true}, {Flags: flags, Split: true}} {
			s := one(cat, "portal", map[string]any{"name": "dev"})
			s.Roots[0].Object = catalog.NewObject("root", map[string]any{"name": "dev"}, nil, "")
			s.Failed = []Failure{{Type: cat.Kind("portal"), Err: errors.New("refused")}}
			w := &writer{snap: s, o: o}
			w.caution(s.Roots)
			w.measure("a.yaml", source.StateLimits().Bytes+1, 1)
			if len(w.diags) < 2 {
				t.Fatalf("%v", w.diags)
			}
			for _, d := range w.diags {
				if d.Fix == "" {
					t.Errorf("%s has no fix with %v", d.Code, flags)
				}
				for _, found := range flagName.FindAllStringSubmatch(d.Fix, -1) {
					if named[found[1]] = true; !slices.Contains(flags, found[1]) || o.State && found[1] == "split-dir" {
						t.Errorf("%s: the command has %v, and the fix says %s", d.Code, flags, d.Fix)
					}
				}
			}
		}
	}
	if len(named) != 4 {
		t.Errorf("flags that fixes named: %v", named)
	}
}

// A file is too large when it would not be read again: by its bytes or its values, a
// state later than a configuration.
func TestTooLarge(t *testing.T) {
	usual, state := source.UsualLimits(), source.StateLimits()
	for name, row := range map[string]struct {
		o             WriteOptions
		bytes, values int
		want          string
	}{
		"as large as can be":         {WriteOptions{}, usual.Bytes, usual.Values, ""},
		"too many bytes":             {WriteOptions{}, usual.Bytes + 1, 1, "a.yaml has more than 10 MiB, and a configuration"},
		"too many values":            {WriteOptions{}, 1, usual.Values + 1, "a.yaml has more than 200000 values, and a configuration"},
		"both":                       {WriteOptions{}, usual.Bytes + 1, usual.Values + 1, "more than 10 MiB and more than 200000 values"},
		"a state as large as can be": {WriteOptions{State: true}, state.Bytes, state.Values, ""},
		"a state that is larger":     {WriteOptions{State: true}, state.Bytes + 1, 1, "a.yaml has more than 1000 MiB, and a seed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &writer{o: row.o}
			w.measure("a.yaml", row.bytes, row.values)
			if row.want == "" && len(w.diags) > 0 || row.want != "" && !has(w.diags, diag.ExpTooLarge, row.want) {
				t.Errorf("%v", w.diags)
			}
		})
	}
}
