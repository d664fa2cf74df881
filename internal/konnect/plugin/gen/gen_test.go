package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// facts is the document that the table was made of; it is not part of this
// repository.
var facts = flag.String("facts", "", "document with the facts, to compare the table with")

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The embedded table is as the generator writes it: JSON is YAML, so the table
// itself is a document, and making it again changes nothing. With -facts it is
// what the generator makes of that document.
func TestTheTableIsUpToDate(t *testing.T) {
	packed, err := os.ReadFile("../table.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	got := unpack(t, packed)
	from := got
	if *facts != "" {
		if from, err = os.ReadFile(*facts); err != nil {
			t.Fatal(err)
		}
	}
	want, err := Table(from)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("table.json.gz has %d bytes and must have %d; run PLUGIN_FACTS=FILE go generate ./internal/konnect/plugin", len(got), len(want))
	}
}

func TestWhatTheGeneratorWrites(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "facts.yaml"), filepath.Join(dir, "table.json.gz")
	document := `
b:
  config:
    redis:
      port: string[>=0,<=65535] @ = "6379"
      host: string[len>=1] = "h"
      rate: string[>=0.5] @
  protocols: [http]
  protocols_default: [http]
  scopes: []
a: {protocols: [http], protocols_default: [], scopes: [route]}
`
	if err := os.WriteFile(in, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(in, out); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"a":{"protocols":["http"],"protocols_default":[],"scopes":["route"]},` +
		`"b":{"config":{"redis":{"host":"string[len>=1] = \"h\"","port":"integer[>=0,<=65535] @ = 6379","rate":"number[>=0.5] @"}},` +
		`"protocols":["http"],"protocols_default":["http"],"scopes":[]}}` + "\n"
	if got := string(unpack(t, packed)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, wrong := range []string{"a: {config: {x: text}}", "a: {config: {x: {_: heap}}}", "a: {fields: {}}", "a: {config: {x: 'integer[5]'}}"} {
		if _, err := Table([]byte(wrong)); err == nil {
			t.Errorf("%s is accepted", wrong)
		} else if strings.Contains(wrong, "x") && !strings.Contains(err.Error(), "a: x: ") {
			t.Errorf("%s: the error names no field: %v", wrong, err)
		}
	}
}
