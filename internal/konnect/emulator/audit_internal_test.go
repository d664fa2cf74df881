package emulator

import (
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
