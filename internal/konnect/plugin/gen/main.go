// Command gen writes the table of plugins as one compressed file.
//
// In: the path of a document with the facts about every plugin (-in), in the
// notation of package plugin. Out: the file named by -out. It must never import
// what uses the table.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
)

func main() {
	in := flag.String("in", "", "document with the facts")
	out := flag.String("out", "table.json.gz", "file to write")
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
	table, err := Table(raw)
	if err != nil {
		return err
	}
	packed, err := pack(table)
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}

// Table turns the document into the JSON of the table: plugins and fields in the
// order of their names, numbers that may refer to a vault as numbers again.
func Table(facts []byte) ([]byte, error) {
	var all map[string]plugin.Entry
	dec := yaml.NewDecoder(bytes.NewReader(facts))
	dec.KnownFields(true)
	if err := dec.Decode(&all); err != nil {
		return nil, err
	}
	for name, e := range all {
		settle(e.Config)
		if _, err := plugin.Record(e.Config); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(all); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// text finds a number that is written as a text because it may refer to a vault:
// texts have lengths, numbers have limits.
var text = regexp.MustCompile(`^string(\[[<>].*?\].*?)(?: = "(.*)")?$`)

func settle(fields map[string]any) {
	for name, v := range fields {
		switch v := v.(type) {
		case map[string]any:
			settle(v)
		case string:
			if m := text.FindStringSubmatch(v); m != nil {
				kind := "integer"
				if strings.Contains(m[1], ".") {
					kind = "number"
				}
				number := kind + m[1]
				if m[2] != "" {
					number += " = " + m[2]
				}
				fields[name] = number
			}
		}
	}
}

func pack(table []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(table); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
