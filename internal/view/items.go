package view

import (
	"fmt"
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/value"
)

// maxAlike bounds how many items are compared each with each.
const maxAlike = 100

// itemNames are the fields that name an item of a list, the most telling first.
func itemNames() []string { return []string{"id", "ref", "key", "name", "title", "slug"} }

// items renders what changes between two lists, of which parts have nothing in
// common: items that are the same ones by their parts, items that stand in another
// place as moved, the others as removed and added. What is added is named by its new
// place, all else by its old one.
func (d Diff) items(p value.Path, changed []replaced, old, now []any) []line {
	of := make([]int, len(now)) // the old item that each new one is; -1: added; -2: not in question
	for j := range of {
		of[j] = -2
	}
	var gone []int
	for _, r := range changed {
		for j, i := range sameItems(old[r.Start:r.End], now[r.ReplStart:r.ReplEnd]) {
			of[r.ReplStart+j] = -1
			if i >= 0 {
				of[r.ReplStart+j] = r.Start + i
			}
		}
		for i := r.Start; i < r.End; i++ {
			if !slices.Contains(of[r.ReplStart:r.ReplEnd], i) {
				gone = append(gone, i)
			}
		}
	}
	moved := map[int]bool{}
	for j := range of {
		if n := slices.IndexFunc(gone, func(i int) bool { return of[j] == -1 && isSame(old[i], now[j]) }); n >= 0 {
			of[j], moved[j] = gone[n], true
			gone = slices.Delete(gone, n, n+1)
		}
	}
	var lines []line
	for _, r := range changed {
		for i := r.Start; i < r.End; i++ {
			if slices.Contains(gone, i) {
				lines = append(lines, plain(printable(p.Index(i).String())+": removed")...)
				lines = append(lines, below(d.whole("-", old[i]))...)
			}
		}
		for j := r.ReplStart; j < r.ReplEnd; j++ {
			if i := of[j]; i < 0 {
				lines = append(lines, plain(printable(p.Index(j).String())+": added")...)
				lines = append(lines, below(d.whole("+", now[j]))...)
				continue
			}
			if moved[j] {
				lines = append(lines, plain(fmt.Sprintf("%s: moved to [%d]%s", printable(p.Index(of[j]).String()), j, itemName(now[j])))...)
			}
			lines = append(lines, d.at(value.Path(nil).Index(j)).difference(p.Index(of[j]), old[of[j]], now[j])...)
		}
	}
	return lines
}

// isSame reports whether an item is the very one that another list has, or of its
// name.
func isSame(old, now any) bool {
	return exact(old) == exact(now) || alike(old, now) == 100
}

// itemName is the name of an item, for those who do not count.
func itemName(item any) string {
	m, _ := item.(map[string]any)
	for _, k := range itemNames() {
		if text, ok := m[k].(string); ok && k != "id" && text != "" {
			return " (" + k + " " + quote(shorten(text, maxInline/2)) + ")"
		}
	}
	return ""
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
