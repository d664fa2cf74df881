// Command gen writes the facts of Konnect's OpenAPI document as one compressed
// file: operations and schemas, without any of the document's prose.
//
// In: the path of openapi.yaml (-in). Out: the file named by -out. It must
// never import the package it feeds.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	in := flag.String("in", "", "openapi.yaml to read")
	out := flag.String("out", "contract.json.gz", "file to write")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	raw, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	facts, err := Facts(raw)
	if err != nil {
		return err
	}
	packed, err := pack(facts)
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}

// Facts turns the OpenAPI document into the JSON that the contract package
// reads.
func Facts(openapi []byte) ([]byte, error) {
	f, err := read(openapi)
	if err != nil {
		return nil, err
	}
	if err := markSecrets(f); err != nil {
		return nil, err
	}
	widen(f)
	addFields(f)
	addItems(f)
	if err := addUnpublished(f); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// read takes the facts out of the document; secrets are not marked yet.
func read(openapi []byte) (*file, error) {
	doc, err := parse(openapi)
	if err != nil {
		return nil, err
	}
	f := &file{Schemas: map[string]any{}}
	for name, s := range doc.component("schemas") {
		f.Schemas[name] = doc.schema(s)
	}
	f.Operations, err = doc.operations()
	return f, err
}

func pack(facts []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(facts); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
