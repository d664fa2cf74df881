package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// Lists can be wrong in ways that a client can notice; other answers stay as
// they are, and are not counted.
func TestFaultsOfLists(t *testing.T) {
	b := newBench(t, emulator.Faults{})
	for i := range 3 {
		if status, body, _ := b.ask(http.MethodPost, "/v3/portals", fmt.Sprintf(`{"name":"p%d"}`, i)); status != http.StatusCreated {
			t.Fatal(status, body)
		}
	}
	for _, row := range []struct{ fault, path, want string }{
		{"cut-page", "/v3/portals", `"total":3`},
		{"null-data", "/v3/portals", `"data":null`},
		{"repeat-page", "/v3/portals?page%5Bnumber%5D=2&page%5Bsize%5D=2", `"number":1`},
		{"cut-page", "/v3/organizations/me", ""},
		{"null-data", "/v3/organizations/me", ""},
		{"repeat-page", "/v3/portals", ""},
	} {
		if err := b.srv.SetFaults(emulator.Faults{Fault: row.fault + ":1"}); err != nil {
			t.Fatal(err)
		}
		status, body, header := b.ask(http.MethodGet, row.path, "")
		made := row.want != ""
		if status != http.StatusOK || !strings.Contains(body, row.want) || (header.Get(emulator.FaultHeader) == row.fault) != made {
			t.Errorf("%s on %s: %d %v %s", row.fault, row.path, status, header, body)
		}
		if row.fault == "cut-page" && strings.Count(body, `"name":"p`) > 1 {
			t.Errorf("nothing is cut: %s", body)
		}
		if n := b.srv.Faults().Made[row.fault]; (n == 1) != made {
			t.Errorf("%s on %s: made %d times", row.fault, row.path, n)
		}
	}
}

// A write can be carried out and answered with an error.
func TestStatusAfterTheWrite(t *testing.T) {
	b := newBench(t, emulator.Faults{Fault: "503-after:1", On: []string{"POST /v3/portals"}})
	if status, body, _ := b.ask(http.MethodPost, "/v3/portals", `{"name":"p"}`); status != http.StatusServiceUnavailable {
		t.Error(status, body)
	}
	if n := b.portals(); n != 1 {
		t.Errorf("%d portals, want 1", n)
	}
}

// Where names are not unique, a second one of the same name is accepted.
func TestNoUnique(t *testing.T) {
	for _, row := range []struct {
		faults emulator.Faults
		want   int
	}{
		{emulator.Faults{}, 1},
		{emulator.Faults{Fault: "no-unique"}, 2},
		{emulator.Faults{Fault: "no-unique,slow:0", On: []string{"POST /v3/portals"}}, 2},
		{emulator.Faults{Fault: "no-unique", On: []string{"POST /v3/apis"}}, 1},
	} {
		b := newBench(t, row.faults)
		for range 2 {
			b.ask(http.MethodPost, "/v3/portals", `{"name":"p"}`)
		}
		if n := b.portals(); n != row.want {
			t.Errorf("%+v: %d portals, want %d", row.faults, n, row.want)
		}
	}
}
