package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// excerptSize is how much of a body the request log keeps.
const excerptSize = 16 << 10

// excerpt is the beginning of a body, as it was sent; it is kept in memory only and
// shown through a mask. The zero value is a body that nobody has read.
type excerpt struct {
	kept []byte
	size int
}

// Write keeps the beginning.
func (x *excerpt) Write(p []byte) (int, error) {
	x.size += len(p)
	x.kept = append(x.kept, p[:min(len(p), excerptSize-len(x.kept))]...)
	return len(p), nil
}

// cut reports whether there was more.
func (x *excerpt) cut() bool { return x.size > len(x.kept) }

// watchBody keeps an excerpt of what is read of a request.
func watchBody(r *http.Request) *excerpt {
	x := &excerpt{}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(r.Body, x), r.Body}
	}
	return x
}

// errNotJSON: nothing can be hidden in what is not understood, so it is not shown.
var errNotJSON = errors.New("not JSON")

// value is what the excerpt holds. One that was cut ends after its last whole
// value, and all that is open is closed. Where lists is set, only whole items count:
// those of a list, or of a list in a field that lists names.
func (x *excerpt) value(lists func(field string) bool) (any, error) {
	text := x.kept
	if x.cut() {
		text = closed(text, lists)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, errNotJSON
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return v, nil
}

// closed makes JSON of the beginning of a JSON text.
func closed(text []byte, lists func(field string) bool) []byte {
	type level struct {
		end   byte
		value bool // of a key, comes next
	}
	var open []level
	end := 0           // of the last whole value
	var closing []byte // of what is open there
	keep := func(at int64) {
		end, closing = int(at), closing[:0]
		for i := len(open) - 1; i >= 0; i-- {
			closing = append(closing, open[i].end)
		}
	}
	field := "" // of the outermost mapping
	betweenItems := func() bool {
		return len(open) > 0 && open[len(open)-1].end == ']' && (len(open) == 1 || len(open) == 2 && open[0].end == '}' && lists(field))
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		switch d, isDelim := token.(json.Delim); {
		case isDelim && (d == '{' || d == '['):
			if len(open) > 0 {
				open[len(open)-1].value = false
			}
			open = append(open, level{end: byte(d) + 2}) // the closing bracket in ASCII
		case isDelim:
			open = open[:len(open)-1]
		case len(open) > 0 && open[len(open)-1].end == '}' && !open[len(open)-1].value:
			open[len(open)-1].value = true
			if len(open) == 1 {
				field, _ = token.(string)
			}
			continue // a key
		case len(open) > 0:
			open[len(open)-1].value = false
		}
		if lists == nil || betweenItems() {
			keep(dec.InputOffset())
		}
	}
	return append(bytes.Clone(text[:end]), closing...)
}
