package client

import (
	"errors"
	"sync"
	"time"
)

// A host counts as unreachable after so many failed connections in a row, over
// so long a time. From then on requests are tried once each.
const (
	circuitFailures = 6
	circuitAfter    = 10 * time.Second
)

// circuit watches whether anybody answers.
type circuit struct {
	mu       sync.Mutex
	failures int
	since    time.Time
}

// note takes the outcome of an attempt and reports whether repeating it is of no
// use.
func (c *circuit) note(err error, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var te *TransportError
	if !errors.As(err, &te) {
		c.failures = 0 // there was an answer
		return false
	}
	if te.interrupted || te.permanent || te.Sent {
		return false
	}
	if c.failures == 0 {
		c.since = now
	}
	c.failures++
	return c.failures >= circuitFailures && now.Sub(c.since) >= circuitAfter
}
