package view

import (
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// replaced is a run of lines that others take the place of; either may be empty.
type replaced = lcs.Diff

// compareLines returns what differs between two lists of lines, in order.
func compareLines(old, now []string) []replaced {
	var out []replaced
	for _, r := range lcs.DiffLines(old, now) {
		a, b := old[r.Start:r.End], now[r.ReplStart:r.ReplEnd]
		var inner []replaced
		switch {
		case len(a) == 0 || len(b) == 0:
			inner = []replaced{{End: len(a), ReplEnd: len(b)}}
		case len(a) < len(old) || len(b) < len(now):
			// The library gives up after some differences and answers with one
			// large one: that part is compared by itself.
			inner = compareLines(a, b)
		default:
			inner = compareBetween(a, b, anchors(a, b))
		}
		for _, x := range inner {
			out = append(out, replaced{Start: r.Start + x.Start, End: r.Start + x.End, ReplStart: r.ReplStart + x.ReplStart, ReplEnd: r.ReplStart + x.ReplEnd})
		}
	}
	return joined(out)
}

// anchor is a line that both lists have once.
type anchor struct{ old, now int }

// compareBetween compares what is between lines that both lists have.
func compareBetween(old, now []string, at []anchor) []replaced {
	if len(at) == 0 {
		return []replaced{{End: len(old), ReplEnd: len(now)}}
	}
	var out []replaced
	last := anchor{-1, -1}
	for _, next := range append(at, anchor{len(old), len(now)}) {
		i, j := last.old+1, last.now+1
		for _, x := range compareLines(old[i:next.old], now[j:next.now]) {
			out = append(out, replaced{Start: i + x.Start, End: i + x.End, ReplStart: j + x.ReplStart, ReplEnd: j + x.ReplEnd})
		}
		last = next
	}
	return out
}

// anchors are the lines that both lists have exactly once, as many of them as
// are in the same order in both.
func anchors(old, now []string) []anchor {
	const twice = -1
	place := func(lines []string) map[string]int {
		out := make(map[string]int, len(lines))
		for i, line := range lines {
			if _, seen := out[line]; seen {
				out[line] = twice
				continue
			}
			out[line] = i
		}
		return out
	}
	there := place(now)
	once := place(old)
	// The longest rising sequence: ends[n] is the pair that ends the one of
	// length n+1 with the smallest place, before is the pair in front of it.
	var pairs []anchor
	var ends, before []int
	for i, line := range old {
		j, found := there[line]
		if !found || j == twice || once[line] == twice {
			continue
		}
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]].now >= j })
		previous := -1
		if n > 0 {
			previous = ends[n-1]
		}
		ends = append(ends[:n:n], append([]int{len(pairs)}, ends[min(n+1, len(ends)):]...)...)
		pairs, before = append(pairs, anchor{i, j}), append(before, previous)
	}
	out := make([]anchor, len(ends))
	if len(ends) > 0 {
		for n, k := len(ends)-1, ends[len(ends)-1]; k >= 0; n, k = n-1, before[k] {
			out[n] = pairs[k]
		}
	}
	return out
}

// joined makes one of differences without a line between them.
func joined(list []replaced) []replaced {
	var out []replaced
	for _, x := range list {
		if n := len(out); n > 0 && out[n-1].End == x.Start && out[n-1].ReplEnd == x.ReplStart {
			out[n-1].End, out[n-1].ReplEnd = x.End, x.ReplEnd
			continue
		}
		out = append(out, x)
	}
	return out
}
