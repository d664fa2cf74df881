package plan_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// keys makes a pair from a number.
func keys(n byte) (ed25519.PrivateKey, ed25519.PublicKey) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
	return private, private.Public().(ed25519.PublicKey)
}

func sealed(t *testing.T, p *plan.Plan, key ed25519.PrivateKey) []byte {
	t.Helper()
	raw, err := p.WriteSigned(key)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestEveryByteIsSealed(t *testing.T) {
	private, public := keys(1)
	for name, raw := range map[string][]byte{"plain": sealed(t, testkit.SmallPlan(), nil), "signed": sealed(t, testkit.SmallPlan(), private)} {
		if err := plan.VerifySeal(raw); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range raw {
			for _, flip := range []byte{1, 0x20} {
				changed := bytes.Clone(raw)
				changed[i] ^= flip
				var refused *plan.SealError
				if err := plan.VerifySeal(changed); !errors.As(err, &refused) {
					t.Fatalf("%s: byte %d, %q as %q, is not noticed", name, i, raw[i], changed[i])
				}
			}
			if name == "signed" {
				continue
			}
			if plan.Verify(append(bytes.Clone(raw[:i]), raw[i+1:]...), nil) == nil {
				t.Fatalf("%s: the loss of byte %d is not noticed", name, i)
			}
			if plan.Verify(append(bytes.Clone(raw[:i]), append([]byte{' '}, raw[i:]...)...), nil) == nil {
				t.Fatalf("%s: white space at %d is not noticed", name, i)
			}
		}
	}
	if err := plan.Verify(sealed(t, testkit.SmallPlan(), private), public); err != nil {
		t.Error(err)
	}
}

// TestSealOfAnyPlan: what Write writes, Verify takes, whatever is in the plan.
func TestSealOfAnyPlan(t *testing.T) {
	private, public := keys(2)
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 300 {
		p := testkit.RandomPlan(r)
		raw := sealed(t, p, private)
		if err := plan.Verify(raw, public); err != nil {
			t.Fatalf("plan %d: %v\n%s", n, err, raw)
		}
		if again := sealed(t, p, private); !bytes.Equal(raw, again) {
			t.Fatalf("plan %d is not written the same twice", n)
		}
		at := r.IntN(len(raw))
		raw[at] ^= 1 << r.IntN(8)
		if plan.Verify(raw, public) == nil {
			t.Fatalf("plan %d: a changed bit of byte %d is not noticed:\n%s", n, at, raw)
		}
	}
}

func TestRefusalNamesWhatWasChanged(t *testing.T) {
	good := string(sealed(t, testkit.SmallPlan(), nil))
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(good)); err != nil {
		t.Fatal(err)
	}
	unsealed := func(s string) string {
		from := strings.Index(s, `"seal"`)
		return strings.TrimRight(s[:from], " \n,") + "},\n  " + s[strings.Index(s, `"summary": {`):]
	}
	for name, tt := range map[string]struct{ from, to, want string }{
		"a change":              {`"name": "b"`, `"name": "c"`, "change 2:c:portal:b was changed after the plan was sealed"},
		"a change's id":         {`"id": "1:c:portal:a"`, `"id": "1:c:portal:x"`, "change 1:c:portal:a was removed, change 1:c:portal:x was added after the plan was sealed"},
		"metadata":              {`"mode": "sync"`, `"mode": "apply"`, "metadata was changed after the plan was sealed"},
		"metadata, a new field": {`"mode": "sync"`, `"mode": "sync", "inverse": true`, "metadata was changed after"},
		"the summary":           {`"total_changes": 0`, `"total_changes": 1`, "summary was changed after"},
		"another section":       {`"careful"`, `"careless"`, "warnings was changed after"},
		"a section more":        {`"warnings": [`, `"pending": [], "warnings": [`, "pending was added after"},
		"a section less":        {`"execution_order": null,`, ``, "execution_order was removed after"},
		"white space":           {`"mode": "sync"`, `"mode":  "sync"`, "only white space was changed after the plan was sealed"},
		"no line breaks":        {good, compact.String(), "only white space was changed after"},
		"a line end":            {good, good + "\n", "only white space was changed after"},
		"the algorithm":         {`"sha256"`, `"sha512"`, "the seal's algorithm was changed after"},
		"the same, otherwise":   {`"name": "b"`, `"name": "\u0062"`, "change 2:c:portal:b was changed after"},
		"changes of no form":    {`"changes": [`, `"changes": {}, "x": [`, "the plan's form was changed after"},
		"not JSON":              {good, good[:len(good)/2], "the plan is not JSON any more: it was changed after the plan was sealed"},
		"no seal":               {good, unsealed(good), "the plan has no seal"},
		"a seal of no form":     {`"digest": "`, `"digest": 7, "x": "`, "the seal was changed after"},
		"a seal of nothing":     {`"seal": {`, `"seal": null, "x": {`, "the plan has no seal"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(good, tt.from, tt.to, 1)
			if changed == good {
				t.Fatal("the test changes nothing")
			}
			err := plan.Verify([]byte(changed), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
	many := strings.ReplaceAll(string(sealed(t, manyChanges(9), nil)), `"CREATE"`, `"DELETE"`)
	want := "change 1:c:portal:p was changed, change 2:c:portal:p was changed, change 3:c:portal:p was changed, change 4:c:portal:p was changed, change 5:c:portal:p was changed and 4 more after"
	if err := plan.Verify([]byte(many), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func manyChanges(n int) *plan.Plan {
	p := testkit.SmallPlan()
	p.Changes = nil
	for i := range n {
		p.Changes = append(p.Changes, &plan.Change{ID: fmt.Sprintf("%d:c:portal:p", i+1), Action: plan.Create})
	}
	return p
}

func TestSignature(t *testing.T) {
	private, public := keys(1)
	_, other := keys(2)
	signed := sealed(t, testkit.SmallPlan(), private)
	changed := testkit.SmallPlan()
	changed.Changes[0].Fields["name"] = "evil"
	resealed := sealed(t, changed, nil)
	seal := func(raw []byte) *plan.Seal {
		p, err := plan.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		return p.Metadata.Seal
	}
	// The best that somebody without the key can do: everything new but the
	// signature.
	forged := bytes.Replace(resealed, []byte(`"signature": null`), []byte(`"signature": "`+*seal(signed).Signature+`"`), 1)
	for name, tt := range map[string]struct {
		raw  []byte
		key  ed25519.PublicKey
		want plan.SealProblem
	}{
		"signed, and no key":        {signed, nil, plan.Unverified},
		"signed":                    {signed, public, 0},
		"signed with another key":   {signed, other, plan.OtherKey},
		"not signed":                {sealed(t, testkit.SmallPlan(), nil), public, plan.Unsigned},
		"sealed anew":               {resealed, public, plan.Unsigned},
		"with a foreign signature":  {reseal(t, forged), public, plan.OtherKey},
		"signature taken elsewhere": {forged, public, plan.Altered},
	} {
		t.Run(name, func(t *testing.T) {
			err := plan.Verify(tt.raw, tt.key)
			var refused *plan.SealError
			if errors.As(err, &refused); (tt.want == 0) != (err == nil) || (refused != nil && refused.Problem != tt.want) {
				t.Errorf("%v, want problem %d", err, tt.want)
			}
		})
	}
}

// reseal gives a document the digest that Verify asks for.
func reseal(t *testing.T, raw []byte) []byte {
	t.Helper()
	text := string(raw)
	at := strings.Index(text, `"digest": "`) + len(`"digest": "`)
	blank := text[:at] + text[at+64:]
	return []byte(text[:at] + fmt.Sprintf("%x", sum(blank)) + text[at+64:])
}

func sum(text string) [32]byte { return sha256.Sum256([]byte(text)) }

func FuzzVerify(f *testing.F) {
	cat := testkit.Catalog(f)
	private, public := keys(1)
	for _, p := range []*plan.Plan{testkit.SmallPlan(), {}, manyChanges(1)} {
		raw, err := p.WriteSigned(private)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, text := range []string{
		``, `null`, `{}`, `[]`, `{"metadata":{"seal":{"algorithm":"sha256","digest":1}}}`, `{"changes":[null,{"id":"a"},{"id":"a"}]}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"id":"a","action":"DELETE","resource_type":"portal","resource_id":"x","current_state":{"name":"n","default_application_auth_strategy_id":"x"},"depends_on":["b","?"]},{"id":"b","action":"UPDATE","resource_type":"api","depends_on":["a","b"],"references":{"":{"change":"a"}},"parent":{"change":"a"}}]}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"id":"a","action":"DELETE","resource_type":"api_version","parent":null,"current_state":{}},{"id":"b","action":"EXTERNAL_TOOL"},{"id":"c","action":"UPDATE","resource_type":"?","resource_ref":"r","replace":true}]}`, `{"metadata":{"plan_version":"1.0"},"changes":[{"fields":{"a":1e999999}}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		verified := plan.Verify(raw, public) == nil
		p, err := plan.Parse(raw)
		if verified && plan.VerifySeal(raw) != nil {
			t.Error("signed and yet not sealed")
		}
		if err != nil {
			return
		}
		again, err := p.Write()
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Verify(again, nil); err != nil {
			t.Errorf("what was read and written again is not sealed: %v", err)
		}
		// Whatever was read, checking it and making other plans from it must not
		// fail.
		_ = engine.Validate(p, cat)
		derive.Compare(p, p)
		derive.Merge(derive.MergeInput{Types: cat.Types(), Plans: []*plan.Plan{p, p}, Names: []string{"a", "b"}})
		derive.Inverse(derive.InverseInput{Types: cat.Types(), Undoer: propose.UndoerFor, Plan: p})
	})
}
