package function

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/source"
)

// shows reports whether the value at a path surely holds no secret: what objects
// are called, and the programs of pipelines.
func shows(path []string) bool {
	return object.Shows(path) ||
		len(path) == 3 && path[0] == "pipeline" && slices.Contains([]string{"image", "exec", "configPath"}, path[2])
}

// What else helps against a file of a folder.
const (
	orIgnore         = ", or list the file in .krmignore."
	orIgnoreTemplate = "; if the file is a template or no YAML, list it in .krmignore."
)

// quote adds the lines of files to problems that have a place in them.
func (p *Package) quote(problems diag.List) diag.List {
	texts := map[string][]byte{}
	for _, f := range p.files {
		texts[p.dir.file(f.path)] = f.data
	}
	return source.Quote(texts, shows, problems)
}

// quoteFrom does the same for a stream or a single file, of which nothing can be
// ignored.
func quoteFrom(shown string, data []byte, problems diag.List) diag.List {
	problems = slices.Clone(problems)
	for i := range problems {
		problems[i].Fix = strings.TrimSuffix(strings.TrimSuffix(problems[i].Fix, orIgnoreTemplate), orIgnore)
		if !strings.HasSuffix(problems[i].Fix, ".") {
			problems[i].Fix += "."
		}
	}
	return source.Quote(map[string][]byte{shown: data}, shows, problems)
}
