package emulator

import (
	"maps"
	"strings"
	"sync"
	"time"
)

const recentRequests = 200

// entry is one request in the log, without headers. What has no name in JSON is
// shown on the page only.
type entry struct {
	Time     time.Time `json:"time"`
	Method   string    `json:"method"`
	Path     string    `json:"path"`
	Status   int       `json:"status"`
	Duration string    `json:"duration"`
	// Fault is what went wrong on purpose.
	Fault string `json:"fault,omitempty"`

	number         int    // counts from 1, also when the log is cleared
	escaped        string // the path as it was sent
	query          string
	sent, received *excerpt
}

// requestLog counts requests and keeps the last ones.
type requestLog struct {
	mu     sync.Mutex
	total  int
	writes int
	byOp   map[string]int
	ring   []entry
	next   int
	last   int // number of the last request
}

func newRequestLog() *requestLog { return &requestLog{byOp: map[string]int{}} }

// unknownOperation counts requests that the contract does not know.
const unknownOperation = "unknown"

func (l *requestLog) note(op string, e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	l.last++
	e.number = l.last
	if op == "" {
		op = unknownOperation
	}
	l.byOp[op]++
	if !strings.EqualFold(e.Method, "GET") && !strings.EqualFold(e.Method, "HEAD") {
		l.writes++
	}
	if len(l.ring) < recentRequests {
		l.ring = append(l.ring, e)
		return
	}
	l.ring[l.next] = e
	l.next = (l.next + 1) % recentRequests
}

// summary is the log as it is shown.
type summary struct {
	Total       int            `json:"total"`
	ByOperation map[string]int `json:"by_operation"`
	Writes      int            `json:"writes"`
	Recent      []entry        `json:"recent"`
}

func (l *requestLog) summary() summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	recent := make([]entry, 0, len(l.ring))
	recent = append(append(recent, l.ring[l.next:]...), l.ring[:l.next]...)
	return summary{Total: l.total, ByOperation: maps.Clone(l.byOp), Writes: l.writes, Recent: recent}
}

// find returns the request with a number, as long as it is kept.
func (l *requestLog) find(number int) (entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.ring {
		if e.number == number {
			return e, true
		}
	}
	return entry{}, false
}

func (l *requestLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total, l.writes, l.next = 0, 0, 0
	l.byOp, l.ring = map[string]int{}, nil
}
