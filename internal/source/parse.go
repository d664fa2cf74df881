package source

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Parse reads the documents of one file that is not an input of a run; they follow
// YAML 1.1, see Claim.Older. It reads no other file: tags that would read something
// are problems.
func Parse(name string, data []byte) ([]value.Value, diag.List) {
	var diags diag.List
	f := &file{name: name, remote: true}
	roots, _, problem := parse(f.posName(), data)
	if problem != nil {
		diags = append(diags, *problem)
	}
	c := newConverter(f, newReader(func(path string) string { return path }), &diags)
	c.older = true
	var out []value.Value
	for _, root := range roots {
		out = append(out, c.value(root, mode{}))
	}
	return out, diags.Sorted()
}
