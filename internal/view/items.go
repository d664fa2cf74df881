package view

import (
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/value"
)

// maxAlike bounds how many items are compared each with each.
const maxAlike = 100

// itemNames are the fields that name an item of a list, the most telling first.
func itemNames() []string { return []string{"id", "ref", "name", "key", "title", "slug"} }

// items renders what changes between parts of two lists that have nothing in
// common: items that are the same ones by their parts, the others as removed and
// added. What is added is named by its new place, all else by its old one.
func (d Diff) items(p value.Path, r replaced, old, now []any) []line {
	of := sameItems(old[r.Start:r.End], now[r.ReplStart:r.ReplEnd])
	var lines []line
	for i := r.Start; i < r.End; i++ {
		if !slices.Contains(of, i-r.Start) {
			lines = append(lines, plain(printable(p.Index(i).String())+": removed")...)
			lines = append(lines, below(d.whole("-", old[i]))...)
		}
	}
	for j, i := range of {
		if i < 0 {
			lines = append(lines, plain(printable(p.Index(r.ReplStart+j).String())+": added")...)
			lines = append(lines, below(d.whole("+", now[r.ReplStart+j]))...)
			continue
		}
		lines = append(lines, d.difference(p.Index(r.Start+i), old[r.Start+i], now[r.ReplStart+j])...)
	}
	return lines
}

// sameItems says for each new item which old one it is, or -1. Items of one
// name are the same; of those that have no name the ones that are most alike, and
// what is left by its place where as many come as go.
func sameItems(old, now []any) []int {
	of := make([]int, len(now))
	for j := range of {
		of[j] = -1
	}
	if len(old) > maxAlike || len(now) > maxAlike {
		if len(old) == len(now) {
			for j := range of {
				of[j] = j
			}
		}
		return of
	}
	type pair struct{ i, j, score int }
	var pairs []pair
	for i := range old {
		for j := range now {
			if score := alike(old[i], now[j]); score > 0 {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	sort.SliceStable(pairs, func(a, b int) bool { return pairs[a].score > pairs[b].score })
	for _, x := range pairs {
		if of[x.j] < 0 && !slices.Contains(of, x.i) {
			of[x.j] = x.i
		}
	}
	if len(old) == len(now) {
		for j := range of {
			if of[j] < 0 && !slices.Contains(of, j) && alike(old[j], now[j]) == 0 {
				of[j] = j
			}
		}
	}
	return of
}

// alike rates how much two items are the same one, in percent: 100 is of one name,
// 0 is unlike, -1 is of different names.
func alike(old, now any) int {
	a, isMap := old.(map[string]any)
	b, both := now.(map[string]any)
	if !isMap || !both || len(a) == 0 || len(b) == 0 {
		return 0
	}
	for _, k := range itemNames() {
		x, had := a[k]
		y, has := b[k]
		if !had || !has {
			continue
		}
		if exact(x) == exact(y) {
			return 100
		}
		return -1
	}
	equal := 0
	for k, x := range a {
		if y, has := b[k]; has && exact(x) == exact(y) {
			equal++
		}
	}
	most := max(len(a), len(b))
	if 2*equal < most {
		return 0
	}
	return 99 * equal / most
}
