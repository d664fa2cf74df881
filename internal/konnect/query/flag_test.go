package query_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// The whole name of every type that flags name is taken in flags, and so are short ones.
func TestOtherFlags(t *testing.T) {
	other, named := query.OtherFlags(), query.Named()
	for _, typ := range catalog.Types() {
		word, whole := catalog.FlagWord(typ), strings.ReplaceAll(typ.Kind, "_", "-")
		if slices.Contains(named, word) && !slices.Contains(named, whole) && other[whole] != word {
			t.Errorf("%s: %q, want %q", whole, other[whole], word)
		}
		for _, short := range typ.Short {
			if other[short] != word {
				t.Errorf("%s: %q, want %q", short, other[short], word)
			}
		}
	}
	if other["metering-plan"] != "plan" || other["catalog-service"] != "service" {
		t.Errorf("%v", other)
	}
}
