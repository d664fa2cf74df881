package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/value"
)

// wellFormed refuses a document that programs read in different ways: with a key
// twice, or with text that is not UTF-8.
func wellFormed(raw []byte) error {
	if !utf8.Valid(raw) {
		return errors.New("it is not UTF-8 text")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return keysOnce(dec, nil)
}

// keysOnce reads one value and refuses mappings that have a key twice.
func keysOnce(dec *json.Decoder, at value.Path) error {
	token, err := dec.Token()
	if err != nil {
		return PlainJSON(err)
	}
	switch token {
	case json.Delim('{'):
		seen := map[string]bool{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return PlainJSON(err)
			}
			name, _ := key.(string)
			if p := at.Child(name); seen[name] {
				return fmt.Errorf("%s: the key is there twice", p)
			} else if err := keysOnce(dec, p); err != nil {
				return err
			}
			seen[name] = true
		}
	case json.Delim('['):
		for i := 0; dec.More(); i++ {
			if err := keysOnce(dec, at.Index(i)); err != nil {
				return err
			}
		}
	default:
		if n, ok := token.(json.Number); ok && value.Unfit(n) != "" {
			return fmt.Errorf("%s: the number %s", orText(at.String(), "the document"), value.Unfit(n))
		}
		return nil
	}
	_, err = dec.Token()
	return PlainJSON(err)
}

// PlainJSON says in plain words why a document cannot be read.
func PlainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return fmt.Errorf("%s: the type %s is not allowed here", orText(kind.Field, "the document"), strings.SplitN(kind.Value, " ", 2)[0])
	case errors.As(err, &syntax):
		return fmt.Errorf("this is not a plan, which `kongctl plan --output-file FILE` writes as JSON: %w at byte %d", syntax, syntax.Offset)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return fmt.Errorf("unknown field %s", strings.TrimPrefix(err.Error(), "json: unknown field "))
	case strings.HasSuffix(err.Error(), "EOF"):
		return errors.New("this is not a plan: it ends too early")
	default:
		return err
	}
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
