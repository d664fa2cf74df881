package emulator_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Every read of the contract is answered as it says, also where nothing is kept:
// with a list, with 404, or with the one object that is always there.
func TestEveryReadIsAnswered(t *testing.T) {
	w := newWorld(t)
	n := 0
	for _, op := range w.cat.Contract.Operations() {
		if op.Method != http.MethodGet {
			continue
		}
		n++
		params := map[string]string{}
		for _, p := range op.Params() {
			if p.In == "path" {
				params[p.Name] = someKey(p.Schema)
			}
		}
		path, err := op.Expand(params)
		if err != nil {
			t.Fatal(err)
		}
		r := w.send(http.MethodGet, path, nil)
		status := strconv.Itoa(r.status)
		if r.status == http.StatusNotFound {
			continue
		}
		if !slices.Contains(op.Statuses, status) {
			t.Errorf("%s: %s, which the contract does not have: %s", op.Key(), status, show(r.body))
		}
		for _, v := range op.ValidateResponse(status, r.body) {
			t.Errorf("%s: %s", op.Key(), v.Error())
		}
	}
	if n < 200 {
		t.Errorf("%d reads: those of the contract are missing", n)
	}
}

// someKey is a value that a parameter of a path can have, of nothing that exists.
func someKey(s *contract.Schema) string {
	s = s.Deref()
	switch {
	case s.Type == "integer":
		return "7"
	case len(s.Enum) > 0:
		return s.Enum[0].(string)
	case strings.Contains(s.Pattern, "{25}"):
		return "01G65Z755AFWAKHE12NY0CQ9FH"
	default:
		return "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	}
}

func TestReadsOfWhatIsNotKept(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	developer := "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	for _, row := range []struct {
		name, path string
		want       int
	}{
		{"a list", "/v3/openmeter/customers", http.StatusOK},
		{"a page of a list", "/v3/openmeter/customers?page[size]=5&page[number]=2", http.StatusOK},
		{"one of a list", "/v3/openmeter/customers/01G65Z755AFWAKHE12NY0CQ9FH", http.StatusNotFound},
		{"a list below something that is not kept either", "/v3/openmeter/customers/01G65Z755AFWAKHE12NY0CQ9FH/charges", http.StatusNotFound},
		{"a list below something that is there", "/v3/portals/" + portal + "/application-registrations", http.StatusOK},
		{"a list below something that could be there", "/v3/portals/" + developer + "/application-registrations", http.StatusNotFound},
		{"a list below what is never there", "/v3/portals/" + portal + "/developers/" + developer + "/teams", http.StatusNotFound},
		{"one object that may be missing", "/v3/portals/" + portal + "/audit-log-replay-job", http.StatusNotFound},
		{"one object that is always there", "/v2/cloud-gateways/availability.json", http.StatusOK},
		{"a page that is no number", "/v3/openmeter/customers?page[number]=x", http.StatusBadRequest},
		{"a parameter that is not known", "/v3/openmeter/customers?colour=red", http.StatusBadRequest},
		{"an id of another form", "/v3/openmeter/customers/dev", http.StatusBadRequest},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.must(row.want, http.MethodGet, row.path, nil)
			switch row.want {
			case http.StatusNotFound:
				w.problem(r, "NotFoundError")
			case http.StatusOK:
				if list, ok := r.field("data").([]any); ok && len(list) > 0 {
					t.Errorf("the list has %s", show(list))
				}
			}
		})
	}
}
