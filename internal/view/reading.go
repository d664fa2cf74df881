package view

import (
	"fmt"
	"strings"
	"time"
)

// readingWindow is how far back the rate of reading looks.
const readingWindow = 5 * time.Second

// reading is how far and how fast the reads of a phase are.
type reading struct {
	started time.Time
	objects int
	total   int // requests that were answered
	// lists and listed are the reads that are known, and how many of them ended.
	lists, listed int
	// answers and ends are the times of requests and of reads in the last seconds.
	answers, ends []time.Time
}

// answered counts a request.
func (r *reading) answered(now time.Time) {
	r.total++
	r.answers = append(recent(r.answers, now), now)
}

// moved counts reads that are about to start, and those that ended.
func (r *reading) moved(started, ended int, now time.Time) {
	r.lists, r.listed = r.lists+started, r.listed+ended
	r.ends = recent(r.ends, now)
	for range ended {
		r.ends = append(r.ends, now)
	}
}

// recent returns the times within the window.
func recent(times []time.Time, now time.Time) []time.Time {
	for len(times) > 0 && now.Sub(times[0]) >= readingWindow {
		times = times[1:]
	}
	return times
}

// counted says how far reading is, and how much was read so far.
func (r *reading) counted() string {
	var parts []string
	if r.lists > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", r.listed, r.lists))
	}
	if r.objects > 0 {
		parts = append(parts, count(r.objects, "resource"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

// pace is how many requests per second were answered lately.
func (r *reading) pace(now time.Time) string {
	span := min(now.Sub(r.started), readingWindow)
	if r.total < 10 || span < time.Second {
		return ""
	}
	perSecond := float64(len(recent(r.answers, now))) / span.Seconds()
	if perSecond < 10 {
		return fmt.Sprintf("%.1f requests/s", perSecond)
	}
	return fmt.Sprintf("%.0f requests/s", perSecond)
}

// left is how long the known reads will take at the rate of the last seconds. It
// grows where what is found leads to more reads. It is silent until it can be said,
// and where nobody will wait.
func (r *reading) left(throttled bool, now time.Time) string {
	took, todo, ended := now.Sub(r.started), r.lists-r.listed, len(recent(r.ends, now))
	if todo <= 0 || ended < 5 || took < time.Second || !throttled && took < longWait {
		return ""
	}
	rest := time.Duration(float64(min(took, readingWindow)) / float64(ended) * float64(todo))
	if rest < time.Second {
		return ""
	}
	return "about " + duration(rest.Round(time.Second)) + " left"
}
