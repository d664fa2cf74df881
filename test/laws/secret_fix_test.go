package laws

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// writtenSecret is how a fix says to write a secret: behind a key or in the place of an
// item, as a list or not.
var writtenSecret = regexp.MustCompile(`^(?:write|add) (?:a list: )?(?:([A-Za-z0-9_-]+): )?(\[?)!secret (\{source: !env [A-Z_]+\})(\]?)`)

// A secret that is written in clear, or in another form than its field takes, is an
// error, in every place of every type where one may stand. What the fix says to type is
// accepted there, and the value is not shown.
func TestSecretFixesAreAccepted(t *testing.T) {
	var tried, lists, configs atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fixes were applied, %d of lists, %d of plugins", tried.Load(), lists.Load(), configs.Load())
		if tried.Load() < 700 || lists.Load() < 6 || configs.Load() < 12 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, f := range allSecretFeatures(typ) {
			x := &misfit{scene: newScene(newWorld(t), typ)}
			x.scene.w.vars = map[string]string{"VAR": key}
			if !x.begin(f) {
				continue
			}
			for _, wrong := range x.wrong() {
				tried.Add(x.fixed(t, wrong))
			}
			if x.schema.Type == "array" {
				lists.Add(1)
			}
			if x.schema.Tabled() {
				configs.Add(1)
			}
		}
	})
}

// A secret of a plugin that is a list or a mapping, and takes a text, is an error: of every
// plugin.
func TestPluginSecretsHaveTypes(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d secrets of plugins were tried", tried.Load())
		if tried.Load() < 300 {
			t.Error("too few were tried")
		}
	})
	eachConfigured(t, func(t *testing.T, c configured) {
		for _, name := range c.plugins {
			s := newScene(newWorld(t), c.t)
			if c.t.Parent != nil {
				s.below = s.parent(c.t)
			}
			for _, wrong := range []any{[]any{}, map[string]any{}} {
				sample := c.sample(s, name)
				config, places := c.secrets(name, sample, wrong)
				for k, x := range config {
					value.Set(sample, append(value.ParsePath(c.Field), k), x)
				}
				diags := s.problems(sample, s.below)
				for _, at := range places {
					schema := c.t.Write().At(at, sample)
					if schema == nil || schema.Type == "" {
						continue // it may be anything
					}
					tried.Add(1)
					if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.ValType && strings.Contains(d.Detail, at.String()) }) {
						t.Errorf("%s: %s is %v, and that is taken", name, at, wrong)
					}
				}
			}
		}
	})
}

// misfit is a place for a secret.
type misfit struct {
	scene  *scene
	sample map[string]any
	at     value.Path
	schema *contract.Schema
}

// begin finds the place; false where no configuration has it.
func (x *misfit) begin(f feature) bool {
	s := x.scene
	if s.t.Parent != nil {
		s.below = s.parent(s.t)
	}
	s.n++
	x.sample = s.sampled(s.t, s.below, f)
	s.known(x.sample)
	places := value.Places(x.sample, f.path())
	if len(places) == 0 || s.problems(x.sample, s.below).HasErrors() {
		return false
	}
	x.at = places[0]
	x.schema = s.t.Write().At(x.at, x.sample)
	return x.schema != nil && x.schema.Secret
}

// wrong are values that the place does not take.
func (x *misfit) wrong() []any {
	tag := tagged{"secret", "{source: !env VAR}"}
	if x.schema.Type == "array" {
		return []any{canary, []any{canary}, []any{[]any{}}, map[string]any{}, tag}
	}
	if x.schema.Type == "string" {
		return []any{canary, []any{}, map[string]any{}, []any{tag}, []any{canary}, map[string]any{"key": canary}}
	}
	return []any{canary}
}

// fixed writes a wrong value, and then what each fix says.
func (x *misfit) fixed(t *testing.T, wrong any) (tried int64) {
	t.Helper()
	s := x.scene
	bad, _ := value.Clone(x.sample).(map[string]any)
	value.Set(bad, x.at, wrong)
	diags := s.problems(bad, s.below)
	refused := []diag.Code{diag.CfgSecretLiteral, diag.ValType}
	if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return slices.Contains(refused, d.Code) }) {
		t.Errorf("%s.%s: %v is taken: %v", s.t.Kind, x.at, wrong, diags)
	}
	if strings.Contains(fmt.Sprint(diags), canary) {
		t.Errorf("%s.%s: the value is shown: %v", s.t.Kind, x.at, diags)
	}
	for _, d := range diags {
		if !slices.Contains(refused, d.Code) {
			continue
		}
		m := writtenSecret.FindStringSubmatch(d.Fix)
		if m == nil {
			t.Errorf("%s.%s: %v: the fix says nothing to type: %s", s.t.Kind, x.at, wrong, d.Fix)
			continue
		}
		var typed any = tagged{"secret", m[3]}
		if m[2] != "" {
			typed = []any{typed}
		}
		good, _ := value.Clone(bad).(map[string]any)
		if m[1] != "" && m[1] != x.at[len(x.at)-1] || m[1] == "" && m[2] != "" {
			t.Errorf("%s.%s: %v: the fix is of another field: %s", s.t.Kind, x.at, wrong, d.Fix)
			continue
		}
		if m[1] == "" { // an item, as it stands
			typed = []any{typed}
		}
		value.Set(good, x.at, typed)
		for _, again := range s.problems(good, s.below) {
			if slices.Contains(refused, again.Code) {
				t.Errorf("%s.%s: %v: %s\nas the fix says, it is refused: %s", s.t.Kind, x.at, wrong, d, again)
			}
		}
		tried++
	}
	return tried
}
