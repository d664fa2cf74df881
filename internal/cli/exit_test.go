package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

func TestExitCode(t *testing.T) {
	unauthorized := fmt.Errorf("read portals: %w", &client.APIError{Status: http.StatusUnauthorized})
	forbidden := &client.APIError{Status: http.StatusForbidden}
	conflict := &client.APIError{Status: http.StatusConflict}
	diagnostics := diag.List{diag.New(diag.RefUnknown, value.Pos{File: "a.yaml"}, "x", "")}.Err()
	for name, tt := range map[string]struct {
		err  error
		want int
	}{
		"done":                                    {nil, 0},
		"anything else":                           {errors.New("boom"), 1},
		"the user said no":                        {errDeclined, 1},
		"a server that does not answer":           {&client.TransportError{Err: errors.New("refused")}, 1},
		"a server that refuses one thing":         {conflict, 1},
		"there are changes":                       {errChanges, 2},
		"no token":                                {tokenError{}, 3},
		"a wrong token":                           {unauthorized, 3},
		"a token without the right":               {forbidden, 3},
		"all changes failed for want of a right":  {&incompleteError{failed: 2, total: 2, causes: []error{forbidden}}, 3},
		"diagnostics":                             {diagnostics, 4},
		"a kubeconfig that is wrong":              {fmt.Errorf("plan: %w", &cluster.ConfigError{}), 4},
		"some changes failed":                     {&incompleteError{done: 1, failed: 1, total: 2, causes: []error{conflict}}, 5},
		"some changes failed for want of a right": {&incompleteError{done: 1, failed: 1, total: 2, causes: []error{forbidden}}, 5},
		"all changes failed":                      {&incompleteError{failed: 2, total: 2, causes: []error{conflict}}, 1},
		"all changes failed, one done in part":    {&incompleteError{failed: 2, total: 2, inPart: true, causes: []error{forbidden}}, 5},
		"nothing was tried, because all changed":  {&incompleteError{skipped: 2, leftOut: 1, total: 2}, 5},
		"what was tried failed, the rest changed": {&incompleteError{failed: 1, skipped: 1, leftOut: 1, total: 2, causes: []error{conflict}}, 5},
		"all changes done, and not finished":      {&incompleteError{done: 2, total: 2, finish: conflict, causes: []error{conflict}}, 5},
		"guards left something out":               {&leftOutError{1}, 5},
		"a partial plan":                          {&partialPlanError{count: 1}, 5},
		"a plan that is not to be carried out":    {&engine.PlanError{Err: errors.New("mode")}, 6},
		"a plan for another place":                {&execute.PlaceError{Made: "a", Here: "b"}, 6},
		"blocked":                                 {&blockedError{count: 1}, 7},
		"usage":                                   {usagef("no such flag"), 64},
		"an unknown profile":                      {&profile.UnknownProfileError{}, 64},
		"interrupted":                             {&interruptedError{}, 130},
		"interrupted comes before blocked":        {errors.Join(&blockedError{count: 1}, &interruptedError{}), 130},
		"blocked comes before a moved world":      {errors.Join(&engine.PlanError{Err: errors.New("moved")}, &blockedError{count: 1}), 7},
		"a moved world comes before partial":      {errors.Join(&partialPlanError{count: 1}, &engine.PlanError{Err: errors.New("moved")}), 6},
		"partial comes before failed":             {errors.Join(errors.New("disk full"), &incompleteError{done: 1, failed: 1}), 5},
	} {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%s: exit status %d, want %d", name, got, tt.want)
		}
	}
}

func TestInterruption(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	boom := errors.New("GET /v3/portals: context canceled")
	for name, tt := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"nothing happened":             {context.Background(), nil, ""},
		"an error of its own":          {context.Background(), boom, boom.Error()},
		"all was done in time":         {ended, nil, ""},
		"cut off while reading":        {ended, boom, "interrupted: nothing was changed"},
		"cut off while changing":       {ended, &interruptedError{3, 12}, "interrupted: 3 of 12 changes done"},
		"cut off before the only one":  {ended, &interruptedError{0, 1}, "interrupted: 0 of 1 change done"},
		"a joined interruption counts": {ended, errors.Join(&interruptedError{3, 12}, boom), "interrupted: 3 of 12 changes done"},
	} {
		var b strings.Builder
		printError(&b, view.Style{}, interruption(tt.ctx, tt.err))
		if got := strings.TrimPrefix(strings.TrimSpace(b.String()), "error: "); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
