package testkit

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kongctl/kongctl/internal/plan"
)

// Lines says what a plan does, a change a line: number, action, kind and ref,
// and after "<" the numbers of the changes that it waits for.
func Lines(p *plan.Plan) []string {
	var out []string
	for _, c := range p.Changes {
		line := fmt.Sprintf("%s %s %s %s", Number(c.ID), c.Action, c.ResourceType, c.ResourceRef)
		if len(c.DependsOn) > 0 {
			line += " < " + waits(c)
		}
		out = append(out, line)
	}
	return out
}

// Number is that of a change in its id.
func Number(id string) string {
	n, _, _ := strings.Cut(id, ":")
	return n
}

func waits(c *plan.Change) string {
	var numbers []int
	for _, id := range c.DependsOn {
		n, err := strconv.Atoi(Number(id))
		if err != nil {
			panic(err) // ids of a built plan begin with their number
		}
		numbers = append(numbers, n)
	}
	sort.Ints(numbers)
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

// Expect compares what a plan does with lines.
func Expect(t *testing.T, p *plan.Plan, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, Lines(p)); diff != "" {
		t.Fatalf("plan (-want +got):\n%s", diff)
	}
}

// ChangeOf finds the one change of an action and kind.
func ChangeOf(t *testing.T, p *plan.Plan, action plan.Action, kind string) *plan.Change {
	t.Helper()
	var found *plan.Change
	for _, c := range p.Changes {
		if c.Action == action && c.ResourceType == kind {
			if found != nil {
				t.Fatalf("more than one %s of a %s: %q", action, kind, Lines(p))
			}
			found = c
		}
	}
	if found == nil {
		t.Fatalf("no %s of a %s: %q", action, kind, Lines(p))
	}
	return found
}

// Text is a plan as it is written.
func Text(t *testing.T, p *plan.Plan) string {
	t.Helper()
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Equal compares values.
func Equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(plan.Reference{}, "Made")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Airlines is a configuration with a bit of everything.
const Airlines = `
teams:
  - name: flight-operations
application_auth_strategies:
  - ref: key
    name: api-key
    display_name: API key
    strategy_type: key_auth
    configs: {key-auth: {key_names: [apikey]}}
portals:
  - name: developers
    default_application_auth_strategy_id: key
    pages:
      - {slug: guides, content: Guides, children: [{slug: first, content: First}]}
    customization: {theme: {mode: dark}}
apis:
  - name: flights
    labels: {team: flight-operations}
    versions:
      - {version: 1.0.0, spec: {content: "openapi: 3.0.0"}}
    publications:
      - {portal: developers, auth_strategy_ids: [key], visibility: public}
`

// From RichBefore to RichAfter takes changes of all kinds that depend on each other.
const (
	RichBefore = Airlines + `
  - {name: old, publications: [{portal: developers}]}
catalog_services: [{name: gone, display_name: Gone}]
`
	RichAfter = `
portals:
  - {name: developers, rbac_enabled: true, custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}}}
  - {name: partners}
apis: [{name: flights, publications: [{portal: partners}]}]
control_planes: [{name: cp}]
`
)

// RichPlan is a plan with all actions.
func RichPlan(t *testing.T) *plan.Plan {
	t.Helper()
	w := New(t)
	w.Sync(RichBefore)
	return w.Plan(Ask{}, RichAfter)
}
