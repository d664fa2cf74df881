package query_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// The whole name of every type that flags name is taken in flags.
func TestLongFlags(t *testing.T) {
	long, named := query.LongFlags(), query.Named()
	for _, typ := range catalog.Types() {
		word, whole := catalog.FlagWord(typ), strings.ReplaceAll(typ.Kind, "_", "-")
		if slices.Contains(named, word) && !slices.Contains(named, whole) && long[whole] != word {
			t.Errorf("%s: %q, want %q", whole, long[whole], word)
		}
	}
	if long["metering-plan"] != "plan" || long["catalog-service"] != "service" {
		t.Errorf("%v", long)
	}
}
