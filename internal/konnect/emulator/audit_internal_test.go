package emulator

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

func TestAnAnswerThatBreaksTheContractIsTold(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	s, err := New(cat, Options{Strict: func(op, problem string) { told = append(told, op+": "+problem) }})
	if err != nil {
		t.Fatal(err)
	}
	op := cat.Contract.Operation("GET", "/v3/portals")
	s.audit.check(&model.Call{Op: op}, model.Answer{Status: 200, Body: map[string]any{"data": []any{}}})
	if diff := cmp.Diff([]string{"GET /v3/portals: meta: is required"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// Without anybody who is strict, a few answers are checked, and the log says what is
// wrong with them.
func TestAFewAnswersAreChecked(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s, err := New(cat, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	op := cat.Contract.Operation("GET", "/v3/portals")
	for range 2 * checkedEvery {
		s.audit.check(&model.Call{Op: op}, model.Answer{Status: 200, Body: map[string]any{"data": []any{}}})
	}
	if n := strings.Count(log.String(), "meta: is required"); n != 2 {
		t.Errorf("%d answers were checked, not 2:\n%s", n, log.String())
	}
}
