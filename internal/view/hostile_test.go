package view

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// fill puts hostile text into every text of a value, and one item into every
// list and map. A type holds itself once at most: a plan that repeats itself to a
// depth has millions of texts and no more places for them.
func fill(v reflect.Value, within []reflect.Type) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(testkit.HostileBytes)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]any{testkit.HostileBytes: []any{testkit.HostileBytes, "a\n" + testkit.HostileBytes + "\nz"}, "x": testkit.HostileBytes}))
		}
	case reflect.Pointer:
		if within, ok := enter(within, v.Type().Elem()); ok {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), within)
		}
	case reflect.Slice:
		if within, ok := enter(within, v.Type().Elem()); ok && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), within)
		}
	case reflect.Map:
		within, ok := enter(within, v.Type().Elem())
		if !ok {
			return
		}
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, within)
		fill(value, within)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), within)
			}
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Bool:
		v.SetBool(true)
	default:
	}
}

// enter adds a type that holds others to those that a value is within. It refuses
// one that is there twice.
func enter(within []reflect.Type, t reflect.Type) ([]reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return within, true
	}
	times := 0
	for _, w := range within {
		if w == t {
			times++
		}
	}
	return append(within[:len(within):len(within)], t), times < 2
}

func filled[T any]() *T {
	x := new(T)
	fill(reflect.ValueOf(x).Elem(), []reflect.Type{reflect.TypeFor[T]()})
	return x
}

// Whatever a plan, a report or an event says, a view shows it and nothing else.
func TestViewsAreHarmless(t *testing.T) {
	for _, colour := range []bool{false, true} {
		style := Style{Color: colour}
		check := func(what string, write func(io.Writer) error) {
			t.Helper()
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if b.Len() == 0 {
				t.Errorf("%s: nothing is shown", what)
			}
			if found := testkit.Unsafe(b.String(), colour); found != "" {
				t.Errorf("%s holds %s:\n%q", what, found, b.String())
			}
		}
		for _, p := range hostilePlans() {
			check("a plan", func(w io.Writer) error { return WritePlan(w, p, PlanOptions{Style: style, Compared: 1}) })
			check("a plan as Markdown", func(w io.Writer) error { return WritePlanMarkdown(w, p, PlanOptions{Style: style, Compared: 1}) })
			check("a report as Markdown", NotRun(p, true, time.Time{}).WriteMarkdown)
			check("a plan as JSON", func(w io.Writer) error { return WriteJSON(w, p) })
			check("a plan as YAML", func(w io.Writer) error { return WriteYAML(w, p) })
			check("a change", func(w io.Writer) error { _, err := io.WriteString(w, Described(p.Changes[0])); return err })
			check("a report", func(w io.Writer) error { return WriteSummary(w, NotRun(p, true, time.Time{}), style) })
		}
		check("drift", func(w io.Writer) error { return WriteDrift(w, filled[plan.Drift](), DriftOptions{Style: style}) })
		check("drift as Markdown", func(w io.Writer) error {
			return WriteDriftMarkdown(w, filled[plan.Drift](), DriftOptions{Style: style})
		})
		check("a failure as Markdown", filled[Failure]().WriteMarkdown)
		check("a comparison", func(w io.Writer) error {
			c := filled[derive.Comparison]()
			c.Summary.Identical = false
			return WriteComparison(w, c, ComparisonOptions{Style: style, A: testkit.HostileBytes, B: testkit.HostileBytes})
		})
		check("the state of a server", func(w io.Writer) error { return WriteLocalStatus(w, *filled[LocalStatus]()) })
		for _, problem := range []string{"", testkit.HostileBytes} {
			for _, width := range []int{0, 60} {
				check("unfinished runs", func(w io.Writer) error {
					r := filled[UnfinishedRun]()
					r.Error = problem
					return WriteUnfinishedRuns(w, []UnfinishedRun{*r}, width)
				})
			}
		}
		check("a value", func(w io.Writer) error {
			_, err := io.WriteString(w, Short(map[string]any{testkit.HostileBytes: testkit.HostileBytes}))
			return err
		})
		for _, status := range []execute.Status{execute.Failed, execute.Aborted, execute.Skipped, execute.Succeeded} {
			r := filled[execute.Report]()
			r.Results[0].Status, r.Succeeded, r.Total, r.Failed = status, 0, 1, 1
			check("a report", func(w io.Writer) error {
				report := NewReport(filled[plan.Plan](), r)
				return WriteSummary(w, report, style)
			})
		}
		for name, progress := range map[string]func(io.Writer) Progress{
			"lines": func(w io.Writer) Progress { return NewLines(w, style) },
			"live": func(w io.Writer) Progress {
				return NewLive(w, style, func() int { return 2000 }, func() time.Time { return time.Time{} })
			},
		} {
			if name == "live" && !colour {
				continue // a terminal that can redraw has escape sequences
			}
			check(name, func(w io.Writer) error {
				p := progress(w)
				for _, e := range hostileEvents() {
					p.Handle(e)
					p.Tick()
				}
				p.Close()
				return nil
			})
		}
	}
}

func hostilePlans() []*plan.Plan {
	out := []*plan.Plan{filled[plan.Plan]()}
	for _, action := range []plan.Action{plan.Create, plan.Update, plan.Delete, plan.ExternalTool} {
		for _, replace := range []bool{false, true} {
			for _, kind := range []string{testkit.HostileBytes, gateway.Kind} {
				p := filled[plan.Plan]()
				c := p.Changes[0]
				c.Action, c.Replace, c.ResourceType = action, replace, kind
				for _, x := range []plan.Action{plan.Create, plan.Update, plan.Delete} {
					g := c.GatewayChanges[0]
					g.Action = x
					c.GatewayChanges = append(c.GatewayChanges, g)
				}
				out = append(out, p)
			}
		}
	}
	return out
}

func hostileEvents() []event.Event {
	x := testkit.HostileBytes
	c := event.Change{ID: x, Action: x, Kind: x, Ref: x}
	return []event.Event{
		event.PhaseStarted{Phase: event.Phase(x)},
		event.PhaseFinished{Phase: event.Phase(x)},
		event.RunStarted{Total: 9},
		event.ChangeStarted{Change: c},
		event.Retrying{Method: x, Path: x, Reason: x, Wait: time.Hour},
		event.ChangeFinished{Change: c, Took: time.Minute},
		event.ChangeFinished{Change: c, AlreadyDone: true},
		event.ChangeFailed{Change: c, Err: errors.New(x)},
		event.ChangeSkipped{Change: c, Reason: x},
	}
}
