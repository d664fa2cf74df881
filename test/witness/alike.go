package witness

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// mark is what exchanges share that the document cannot tell apart: those that differ
// in the values of ids and times alone.
type mark [sha256.Size]byte

// sounds is the marks of exchanges that were judged and found sound, each with the
// operation that its success counts for. The zero sounds is ready for use.
type sounds struct {
	mu   sync.Mutex
	seen map[mark]string
}

// judged is shared by all witnesses of a program: they have one document.
var judged sounds

func (s *sounds) of(m mark) (op string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	op, ok = s.seen[m]
	return op, ok
}

func (s *sounds) keep(m mark, op string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[mark]string{}
	}
	s.seen[m] = op
}

// mark takes in all of an exchange that a judgement may depend on.
func (x exchange) mark() mark {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s?%s\n", x.request.Method, x.request.URL.Path, x.request.URL.RawQuery)
	writeHeader(&b, x.request.Header)
	fmt.Fprintf(&b, "%d %d %d\n", x.status, len(x.sent), len(x.received))
	writeHeader(&b, x.header)
	b.Write(x.sent)
	b.WriteByte('\n')
	b.Write(x.received)
	return sha256.Sum256(alike(b.Bytes()))
}

func writeHeader(b *bytes.Buffer, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(b, "%s: %q\n", name, h[name])
	}
}

const (
	idShape   = "00000000-0000-0000-0000-000000000000"
	timeShape = "0000-00-00T00:00:00Z"
)

// alike puts numbers in the order of their first place for ids, and one word for times.
// What only resembles an id or a time stays as it is.
func alike(p []byte) []byte {
	out := make([]byte, 0, len(p))
	ids := map[string]int{}
	for i := 0; i < len(p); {
		switch {
		case shaped(p[i:], idShape) && isAlone(p, i, len(idShape)):
			id := string(p[i : i+len(idShape)])
			if _, ok := ids[id]; !ok {
				ids[id] = len(ids)
			}
			// the version and the variant of an id are part of its form
			out = fmt.Appendf(out, "<id %d %c%c>", ids[id], id[14], id[19])
			i += len(idShape)
		case shaped(p[i:], timeShape) && isTime(p[i:i+len(timeShape)]):
			out = append(out, "<time>"...)
			i += len(timeShape)
		default:
			out = append(out, p[i])
			i++
		}
	}
	return out
}

// shaped reports whether a text begins with a shape, whose zeros stand for digits: of
// base 16 in ids.
func shaped(p []byte, shape string) bool {
	if len(p) < len(shape) {
		return false
	}
	for i := range len(shape) {
		digit := p[i] >= '0' && p[i] <= '9' || shape == idShape && p[i] >= 'a' && p[i] <= 'f'
		if shape[i] == '0' && !digit || shape[i] != '0' && p[i] != shape[i] {
			return false
		}
	}
	return true
}

// isAlone reports whether no digit of base 16 stands before or after a place.
func isAlone(p []byte, from, size int) bool {
	digit := func(i int) bool {
		return i >= 0 && i < len(p) && (p[i] >= '0' && p[i] <= '9' || p[i] >= 'a' && p[i] <= 'z' || p[i] == '-')
	}
	return !digit(from-1) && !digit(from+size)
}

func isTime(p []byte) bool {
	_, err := time.Parse(time.RFC3339, string(p))
	return err == nil
}
