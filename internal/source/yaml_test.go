package source

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func TestScalars(t *testing.T) {
	num := func(s string) json.Number { return json.Number(s) }
	for text, want := range map[string]any{
		"": nil, "~": nil, "null": nil, "NULL": nil,
		"true": true, "False": false, "TRUE": true,
		"yes": "yes", "on": "on", "no": "no", "n": "n", "tRue": "tRue",
		"0": num("0"), "12": num("12"), "-3": num("-3"), "+4": num("4"),
		"007": num("7"), "0777": num("777"), "0o17": num("15"), "0xfF": num("255"), "-0": num("-0"),
		"0b11": "0b11", "1_000": "1_000", "0x": "0x", "0o8": "0o8", "1:30": "1:30",
		"1.50": num("1.50"), ".5": num("0.5"), "-.5": num("-0.5"), "5.": num("5"), "1e3": num("1e3"), "1.e-2": num("1e-2"), "+00.10E+2": num("0.10E+2"),
		"123456789012345678901234567890": num("123456789012345678901234567890"),
		"2001-01-01":                     "2001-01-01", "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
		`"12"`: "12", "'true'": "true", "|\n  12\n": "12\n", `"null"`: "null",
		"!!str 12": "12", "!!str": "", `!!int "7"`: num("7"), "!!float 1": num("1"), "!!timestamp 2001-01-01": "2001-01-01", `!!bool "true"`: true, `!!null ""`: nil,
		"1.2.3": "1.2.3", ".": ".", "<<": "<<", "e3": "e3",
	} {
		t.Run(text, func(t *testing.T) {
			got := plainRoot(loadOne(t, "k: "+text+"\n").Field("k"))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n, ok := got.(json.Number); ok && !json.Valid([]byte(n)) {
				t.Errorf("%s is not a JSON number", n)
			}
		})
	}
}

func TestPositions(t *testing.T) {
	root := loadOne(t, "\ufeff# comment\r\na:\r\n  - x: 1\r\n    é: [ü, b]\r\nr: !ref other\r\n")
	at := func(line, column int) value.Pos { return value.Pos{File: "stdin", Line: line, Column: column} }
	item := root.Field("a").Items()[0]
	for name, got := range map[string][2]value.Pos{
		"root":        {root.Pos(), at(2, 1)},
		"key":         {root.KeyPos("a"), at(2, 1)},
		"list":        {root.Field("a").Pos(), at(3, 3)},
		"item":        {item.Pos(), at(3, 5)},
		"nested key":  {item.KeyPos("é"), at(4, 5)},
		"second item": {item.Field("é").Items()[1].Pos(), at(4, 12)},
		"tag":         {root.Field("r").Pos(), at(5, 4)},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is at %v, want %v", name, got[0], got[1])
		}
	}
}

// TestPositionsOfAliases: a mapping stands where its alias does, what is in it
// where it was written.
func TestPositionsOfAliases(t *testing.T) {
	root := loadOne(t, "a: &x {b: 1}\nc: *x\nd: &y 1\ne: *y\n")
	for name, want := range map[string]string{"a": "stdin:1:4", "c": "stdin:2:4", "e": "stdin:3:4"} {
		if got := root.Field(name).Pos().String(); got != want {
			t.Errorf("%s is at %s, want %s", name, got, want)
		}
	}
	if got := root.Field("c").Field("b").Pos().String(); got != "stdin:1:11" {
		t.Errorf("c.b is at %s", got)
	}
}

func TestWrittenSigns(t *testing.T) {
	for text, want := range map[string]string{"0o17": "0o17", "1.50": "1.50", "+4": "+4", "True": "True", "x": "x"} {
		if got := loadOne(t, "k: "+text+"\n").Field("k").Written(); got != want {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

func TestMappings(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"keys that are no strings become their text", "1: a\ntrue: b\n1.50: c\n~: d\n2001-01-01: e\n", `{"1":"a","true":"b","1.50":"c","~":"d","2001-01-01":"e"}`},
		{"an alias", "a: &x [1, {b: 2}]\nc: *x\n", `{"a":[1,{"b":2}],"c":[1,{"b":2}]}`},
		{"an alias as key", "a: &x k\n*x : v\n", `{"a":"k","k":"v"}`},
		{"a merged mapping loses against own keys", "a: &x {p: 1, q: 2}\nb:\n  q: 3\n  <<: *x\n", `{"a":{"p":1,"q":2},"b":{"p":1,"q":3}}`},
		{"earlier merged mappings win", "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n", `{"a":{"p":1},"b":{"p":2,"q":2},"c":{"p":1,"q":2}}`},
		{"a mapping merged through another", "a: &x {p: 1}\nb: &y {<<: *x, q: 2}\nc: {<<: *y}\n", `{"a":{"p":1},"b":{"p":1,"q":2},"c":{"p":1,"q":2}}`},
		{"an inline mapping merged", "c: {<<: {p: 1}}\n", `{"c":{"p":1}}`},
		{"a quoted merge key is a key", "c: {\"<<\": {p: 1}}\n", `{"c":{"<<":{"p":1}}}`},
		{"YAML's own tags on collections", "a: !!map {b: !!seq [1]}\n", `{"a":{"b":[1]}}`},
		{"an anchor used again for another value", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n", `{"a":1,"b":1,"c":2,"d":2}`},
		{"empty and absent differ", "a: []\nb: {}\nc:\n", `{"a":[],"b":{},"c":null}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want, err := value.Decode([]byte(tc.want))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, plainRoot(loadOne(t, tc.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestKeysKeepTheirOrderAndMergedOnesFollow(t *testing.T) {
	root := loadOne(t, "a: &x {m: 1, z: 2}\nb:\n  z: 1\n  <<: *x\n  c: 2\n")
	if diff := cmp.Diff([]string{"z", "c", "m"}, root.Field("b").Keys()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := root.Field("b").KeyPos("m"), (value.Pos{File: "stdin", Line: 1, Column: 8}); got != want {
		t.Errorf("merged key is at %v, want %v", got, want)
	}
}
