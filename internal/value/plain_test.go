package value_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

type (
	object = map[string]any
	list   = []any
)

func decode(t testing.TB, text string) any {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEqual(t *testing.T) {
	for _, row := range []struct {
		name string
		a, b any
		want bool
	}{
		{"null", nil, nil, true},
		{"null is not false", nil, false, false},
		{"texts", "a", "a", true},
		{"a text is not a number", "1", json.Number("1"), false},
		{"1 = 1.0", json.Number("1"), json.Number("1.0"), true},
		{"1 = 1e0", json.Number("1"), json.Number("1e0"), true},
		{"numbers of all types", 1, json.Number("1.00"), true},
		{"a float and a decimal", 0.5, json.Number("0.50"), true},
		{"large numbers are not rounded", json.Number("9007199254740993"), json.Number("9007199254740992"), false},
		{"small differences are seen", json.Number("0.1"), json.Number("0.10000000000000000001"), false},
		{"an exponent out of all bounds is compared as text", json.Number("1e999999999"), json.Number("1e999999999"), true},
		{"infinity", math.Inf(1), math.Inf(1), true},
		{"infinity and one", math.Inf(1), 1, false},
		{"lists", list{1, "a"}, list{json.Number("1.0"), "a"}, true},
		{"lists in another order", list{"a", "b"}, list{"b", "a"}, false},
		{"lists of another length", list{"a"}, list{"a", "a"}, false},
		{"mappings", object{"a": 1, "b": nil}, object{"b": nil, "a": 1.0}, true},
		{"null and absent differ", object{"a": nil}, object{}, false},
		{"keys that differ", object{"a": nil}, object{"b": nil}, false},
		{"a mapping is not a list", object{}, list{}, false},
		{"a text is not a list", "a", list{"a"}, false},
		{"a text is not a mapping", "a", object{"a": "a"}, false},
		{"what is not known equals nothing", value.Unknown{}, value.Unknown{}, false},
		{"and nothing equals it", "a", value.Unknown{}, false},
		{"deep inside too", object{"a": list{value.Unknown{}}}, object{"a": list{value.Unknown{}}}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := value.Equal(row.a, row.b); got != row.want {
				t.Errorf("Equal(a, b) = %v", got)
			}
			if got := value.Equal(row.b, row.a); got != row.want {
				t.Errorf("Equal(b, a) = %v", got)
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"keys are sorted", `{"b":1,"a":{"d":2,"c":3}}`, `{"a":{"c":3,"d":2},"b":1}`},
		{"lists keep their order", `["b","a"]`, `["b","a"]`},
		{"whole numbers", `[1, 1.0, 1e2, 100]`, `[1,1,100,100]`},
		{"fractions", `[0.50, 5e-1, -0.125]`, `[0.5,0.5,-0.125]`},
		{"numbers beyond a float", `12345678901234567890.5`, `12345678901234567890.5`},
		{"texts, truth and null", `["a\"b", true, null]`, `["a\"b",true,null]`},
		{"empty", `[{}, []]`, `[{},[]]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := string(value.Canonical(decode(t, row.in))); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// Two values are equal exactly when their canonical forms are; the form is JSON
// and means the value it was made of.
func TestCanonicalAgreesWithEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var seen []any
	for range 400 {
		seen = append(seen, random(r, 3))
	}
	equal := 0
	for _, a := range seen {
		form := value.Canonical(a)
		if back := decode(t, string(form)); !value.Equal(a, back) {
			t.Fatalf("%v is written %s, which is %v", a, form, back)
		}
		for _, b := range seen {
			same := value.Equal(a, b)
			if same {
				equal++
			}
			if other := value.Canonical(b); same != (string(form) == string(other)) {
				t.Fatalf("%s and %s: equal %v", form, other, same)
			}
		}
	}
	if equal <= len(seen) {
		t.Error("no two values were equal: the test shows little")
	}
}

// random makes small values from few parts, so that some are equal.
func random(r *rand.Rand, depth int) any {
	n := 7
	if depth > 0 {
		n = 9
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return []string{"", "a", "1"}[r.IntN(3)]
	case 3:
		return r.IntN(2)
	case 4:
		return []json.Number{"0", "1", "1.0", "10e-1", "-0.5", "0.10", "1e1"}[r.IntN(7)]
	case 5:
		return []float64{0, 1, 0.5, -0.5}[r.IntN(4)]
	case 6:
		return int64(r.IntN(2))
	case 7:
		out := make(list, r.IntN(3))
		for i := range out {
			out[i] = random(r, depth-1)
		}
		return out
	default:
		out := object{}
		for range r.IntN(3) {
			out[[]string{"a", "b", "c"}[r.IntN(3)]] = random(r, depth-1)
		}
		return out
	}
}

func TestHashes(t *testing.T) {
	label := regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$`)
	agreed := regexp.MustCompile(`^sha256-[a-z2-7]{52}$`)
	seen := map[string]bool{}
	for _, text := range []string{`null`, `{}`, `{"a":1}`, `{"a":"1"}`, `[1,2]`, `[2,1]`, `"x"`} {
		hash := value.LabelHash(decode(t, text))
		if len(hash) != 59 || !label.MatchString(hash) || !agreed.MatchString(hash) {
			t.Errorf("%s: %q is not a label value of the agreed form", text, hash)
		}
		if got := value.Fingerprint(decode(t, text)); !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(got) {
			t.Errorf("%s: %q is not a fingerprint", text, got)
		}
		if seen[hash] {
			t.Errorf("%s has the hash of another value", text)
		}
		seen[hash] = true
	}
	if a, b := value.LabelHash(object{"x": 1, "y": list{0.5}}), value.LabelHash(decode(t, `{"y":[5e-1],"x":1.0}`)); a != b {
		t.Error("equal values have different hashes")
	}
}

func TestGetSetDelete(t *testing.T) {
	data := object{"a": list{object{"b": "old"}, "x"}, "n": nil}
	for _, row := range []struct {
		path string
		want any
		ok   bool
	}{
		{"a[0].b", "old", true},
		{"a[1]", "x", true},
		{"n", nil, true},
		{"a[2]", nil, false},
		{"a.b", nil, false},
		{"n.x", nil, false},
		{"missing", nil, false},
	} {
		got, ok := value.Get(data, value.ParsePath(row.path))
		if ok != row.ok || !cmp.Equal(got, row.want) {
			t.Errorf("%s: got %v, %v", row.path, got, ok)
		}
	}

	value.Set(data, value.ParsePath("a[0].b"), "new")
	value.Set(data, value.ParsePath("made.on.the.way"), true)
	value.Set(data, value.ParsePath("a[9]"), "nowhere")
	value.Delete(data, value.ParsePath("n"))
	value.Delete(data, value.ParsePath("missing.x"))
	want := object{"a": list{object{"b": "new"}, "x"}, "made": object{"on": object{"the": object{"way": true}}}}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := value.Set("old", nil, "new"); got != "new" {
		t.Errorf("an empty path is the root, got %v", got)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	data := object{"a": list{object{"b": 1}}}
	copied, ok := value.Clone(data).(object)
	if !ok {
		t.Fatal("not a mapping")
	}
	value.Set(copied, value.ParsePath("a[0].b"), 2)
	if diff := cmp.Diff(object{"a": list{object{"b": 1}}}, data); diff != "" {
		t.Errorf("the original changed:\n%s", diff)
	}
}
