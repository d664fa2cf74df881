package deck

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/pattern"
)

// The binary tells by its words alone why it failed.
const noControlPlane = "control plane not found: "

var httpStatus = pattern.New(`\bHTTP status (\d{3})\b`)

// refusal is the answer of Konnect that a message tells of: that nobody may do
// this, that it cannot answer now, or that there is no such control plane. Other
// answers are about the files. It is nil without such a message.
func refusal(op, message string) error {
	e := &client.APIError{Method: "deck", Path: "gateway " + op}
	if strings.HasPrefix(message, noControlPlane) {
		e.Status, e.Title = http.StatusNotFound, "control plane not found"
		return e
	}
	for _, m := range httpStatus.FindAllStringSubmatch(message, -1) {
		e.Status, _ = strconv.Atoi(m[1])
		switch {
		case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden,
			e.Status == http.StatusTooManyRequests, e.Status >= http.StatusInternalServerError:
			return e
		}
		// All that a diff does is read.
		if e.Status == http.StatusNotFound && op == "diff" {
			return e
		}
	}
	return nil
}

// What the binary says of files that it cannot work with, and of requests that
// did not get through.
var (
	wrongFile = pattern.New(`\b(parsing file|validating file content|unmarshaling file content|building state|inserting [^:]+ into state): `)
	noAnswer  = pattern.New(`\b(Get|Post|Put|Patch|Delete) "https?://|\bcontext (canceled|deadline exceeded)\b`)
)

// ofFile tells of a message about what stands in a file.
func ofFile(message string) bool {
	return wrongFile.MatchString(message) && !httpStatus.MatchString(message) && !noAnswer.MatchString(message)
}

// How often and how long to look for what was just made: reads may be behind
// writes for a moment.
const (
	tries = 4
	wait  = 250 * time.Millisecond
)

func (r *runner) sleep(ctx context.Context, try int) error {
	d := wait << try
	if r.Sleep != nil {
		return r.Sleep(ctx, d)
	}
	return clock.Sleep(ctx, d)
}
