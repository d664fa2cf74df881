package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

func TestFrontMatter(t *testing.T) {
	for content, want := range map[string][]catalog.FrontMatterField{
		"---\nslug: a\ntitle: A page\nother: x\n---\n# Text": {{"title", "A page"}, {"slug", "a"}},
		"---\r\ntitle: A\r\n---\r\n":                         {{"title", "A"}},
		"---\ntitle: 2024\n---\n":                            {{"title", "2024"}},
		"---\ntitle:\n---\n":                                 nil,
		"---\ntitle: A\n":                                    nil,
		"---\n: [\n---\n":                                    nil,
		"# Text\n---\ntitle: A\n---\n":                       nil,
		"":                                                   nil,
	} {
		if diff := cmp.Diff(want, catalog.FrontMatter(content, []string{"title", "slug"})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", content, diff)
		}
	}
}
