package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
)

// maxBodySize is as much as Konnect is sent in one request.
const maxBodySize = 64 << 20

// read reads the words after the path, and the body.
func (o *apiOptions) read(words []string, sends, file bool) error {
	o.request.Query = url.Values{}
	body := map[string]any{}
	for _, word := range words {
		name, v, text, err := apiField(word)
		if err != nil {
			return err
		}
		if sends {
			if _, twice := body[name]; twice {
				return usagef("%s is given twice", name)
			}
			body[name] = v
		} else {
			o.request.Query.Add(name, text)
		}
	}
	switch {
	case file && len(words) > 0:
		return usagef("--body-file and NAME=VALUE exclude each other")
	case file:
		return o.readBody()
	case len(body) > 0:
		o.request.Body = body
	}
	return nil
}

// apiField is NAME=VALUE or NAME:=JSON, and the value as a text.
func apiField(word string) (name string, v any, text string, err error) {
	name, text, ok := strings.Cut(word, "=")
	plain, isJSON := strings.CutSuffix(name, ":")
	switch {
	case !ok || plain == "":
		return "", nil, "", usagef("%q is neither NAME=VALUE nor NAME:=JSON", word)
	case !isJSON:
		return name, text, text, nil
	}
	if v, err = decodeBody([]byte(text)); err != nil {
		return "", nil, "", usagef("%s is not JSON: %v", plain, err).WithHint("for a text, write %s=VALUE.", plain)
	}
	return plain, v, text, nil
}

// readBody reads the file of --body-file.
func (o *apiOptions) readBody() error {
	in := o.factory.world.streams.in
	if o.bodyFile != "-" {
		path, err := o.factory.absolute(o.bodyFile)
		if err != nil {
			return err
		}
		h, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("body %s: %w", o.bodyFile, disk.Cause(err))
		}
		defer func() { _ = h.Close() }() // it is only read
		in = h
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxBodySize+1))
	switch {
	case err != nil:
		return fmt.Errorf("body %s: %w", o.bodyFile, disk.Cause(err))
	case len(raw) > maxBodySize:
		return fmt.Errorf("body %s: larger than %d MiB", o.bodyFile, maxBodySize>>20)
	}
	if o.request.Body, err = decodeBody(raw); err != nil {
		return usagef("body %s: not JSON: %v", o.bodyFile, err)
	}
	return nil
}

// decodeBody reads one JSON document, numbers as they are written.
func decodeBody(raw []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows after the value")
	}
	return v, nil
}
