package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// module is where the OpenAPI document comes from.
const module = "github.com/Kong/sdk-konnect-go"

const pin = "../../../../tools/go.mod"

// pinned reads the document of the version that is pinned. The go command
// downloads it where it is not there yet, and checks its sum.
var pinned = sync.OnceValues(func() ([]byte, error) {
	if _, err := os.ReadFile(pin); err != nil { // lets go test see when the pin changes
		return nil, err
	}
	out, err := exec.Command("go", "mod", "download", "-modfile="+pin, "-json", module).Output()
	var m struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &m); jerr != nil {
		return nil, fmt.Errorf("download %s: %w", module, errors.Join(err, jerr))
	}
	if m.Error != "" {
		return nil, fmt.Errorf("download %s: %s", module, m.Error)
	}
	return os.ReadFile(filepath.Join(m.Dir, "openapi.yaml"))
})

func pinnedDocument(t *testing.T) []byte {
	t.Helper()
	raw, err := pinned()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// pinnedFile is the document before secrets are marked.
func pinnedFile(t *testing.T) *file {
	t.Helper()
	f, err := read(pinnedDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The embedded file is what the generator makes of the pinned document. The
// compressed bytes may differ between versions of Go, so the facts are compared.
func TestTheContractIsUpToDate(t *testing.T) {
	want, err := Facts(pinnedDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("../contract.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	around := func(b []byte) []byte { return b[max(0, i-80):min(len(b), i+80)] }
	t.Errorf("internal/konnect/contract/contract.json.gz is not what the document gives; run make contract and read the difference.\nit has  …%s…\nit must …%s…", around(got), around(want))
}

// Compressing loses nothing, so the comparison above means what it says.
func TestPackedFactsCanBeRead(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "openapi.yaml"), filepath.Join(dir, "out.gz")
	if err := os.WriteFile(in, openapi("{x: {type: string}}", "{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(in, out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	facts, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(facts, []byte(`"create-thing"`)) {
		t.Errorf("facts: %s", facts)
	}
}
