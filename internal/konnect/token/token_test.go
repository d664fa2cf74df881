package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

func TestBody(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.March, 1, 12, 0, 0, 500, time.FixedZone("east", 3600))
	const day = 24 * time.Hour
	for _, x := range []struct {
		what, word, name string
		lifetime         time.Duration
		want             map[string]any
		wrong            string
	}{
		{"a person's token has a lifetime", "pat", "ci", 30 * day, map[string]any{"name": "ci", "ttl_seconds": json.Number("2592000")}, ""},
		{"the shortest", "pat", "ci", day, map[string]any{"name": "ci", "ttl_seconds": json.Number("86400")}, ""},
		{"the longest", "pat", "ci", 365 * day, map[string]any{"name": "ci", "ttl_seconds": json.Number("31536000")}, ""},
		{"shorter", "pat", "ci", day - time.Second, nil, "from 1d to 365d, got 23h59m59s\n"},
		{"longer", "pat", "ci", 365*day + time.Second, nil, "from 1d to 365d, got 8760h0m1s\n"},
		{"some days", "pat", "ci", 400 * day, nil, "from 1d to 365d, got 400d\n"},
		{"some hours", "pat", "ci", 10 * time.Hour, nil, "from 1d to 365d, got 10h\n"},
		{"some minutes", "pat", "ci", 90 * time.Minute, nil, "from 1d to 365d, got 1h30m\n"},
		{"a name that Konnect refuses", "pat", "-ci", day, nil, "name: "},
		{"an account's token has an end", "spats", "ci", time.Hour, map[string]any{"name": "ci", "expires_at": "2026-03-01T12:00:00Z"}, ""},
	} {
		t.Run(x.what, func(t *testing.T) {
			kind, ok := Find(x.word)
			if !ok {
				t.Fatalf("%s is no kind", x.word)
			}
			got, err := Service{Kind: kind, Catalog: cat}.body(x.name, x.lifetime, now)
			var invalid *InvalidError
			if x.wrong == "" && err != nil || x.wrong != "" && (!errors.As(err, &invalid) || !strings.Contains(err.Error()+"\n", x.wrong)) {
				t.Fatalf("error %v, want %q", err, x.wrong)
			}
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPick(t *testing.T) {
	items := []map[string]any{{"id": "1", "name": "a"}, {"id": "2", "name": "1"}, {"id": "3", "name": "b"}, {"id": "4", "name": "b"}}
	for word, want := range map[string]string{"a": "1", "1": "1", "2": "2", "b": "ids: 3, 4", "c": "not found"} {
		one, err := Service{Kind: Kinds()[0]}.pick(items, word)
		got, _ := one["id"].(string)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasSuffix(strings.ReplaceAll(got, "an id:", "ids:"), want)) {
			t.Errorf("%s is %s, want %s", word, got, want)
		}
	}
}

func TestPrintedFormsLackTheToken(t *testing.T) {
	made := &Created{ID: "1", Name: "ci", Token: "kpat_canary"}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(form, made) + fmt.Sprintf(form, *made); strings.Contains(text, "canary") {
			t.Errorf("%s prints %s", form, text)
		}
	}
}
