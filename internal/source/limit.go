package source

import (
	"fmt"
	"strings"
)

// The limits that keep one input from eating the machine.
const (
	maxFileSize = 10 << 20
	maxNodes    = 200_000
	maxDepth    = 200
	// Streams of Kubernetes objects, which programs write, are larger.
	mostOfStreams = 20 * maxNodes
)

// Limits are how large a file may be that people name.
type Limits struct {
	Bytes  int
	Values int
}

// UsualLimits are those of what people write.
func UsualLimits() Limits { return Limits{Bytes: maxFileSize, Values: maxNodes} }

// StateLimits are those of a state, which kongctl writes as one file.
func StateLimits() Limits { return Limits{Bytes: 100 * maxFileSize, Values: 100 * maxNodes} }

// Exceeded says what a file has too much of, "" for nothing.
func (l Limits) Exceeded(bytes, values int) string {
	var out []string
	if bytes > l.Bytes {
		out = append(out, fmt.Sprintf("more than %d MiB", l.Bytes>>20))
	}
	if values > l.Values {
		out = append(out, fmt.Sprintf("more than %d values", l.Values))
	}
	return strings.Join(out, " and ")
}
