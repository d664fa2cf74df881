package diag

import "strings"

// Nearest is the known word that was probably meant: the one with the fewest
// letters to change, "" when no word is near enough. Case does not count.
func Nearest(got string, known []string) string {
	best, bestDistance := "", (len(got)+2)/3+1
	for _, k := range known {
		if d := Distance(strings.ToLower(got), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// NearestWord is like Nearest; where nothing is near, it returns the shortest word
// that ends in the one given: organization_system_account for system_account.
func NearestWord(got string, known []string) string {
	if near := Nearest(got, known); near != "" {
		return near
	}
	const telling = 4 // shorter ones end too many words
	best, word := "", strings.ToLower(got)
	for _, k := range known {
		ends := strings.HasSuffix(k, "_"+word) || strings.HasSuffix(k, "-"+word)
		if ends && len(word) >= telling && (best == "" || len(k) < len(best)) {
			best = k
		}
	}
	return best
}

// Distance counts the letters to insert, delete, replace or swap.
func Distance(x, y string) int {
	a, b := []rune(x), []rune(y)
	previous := make([]int, len(b)+1)
	var before []int
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current := make([]int, len(b)+1)
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if before != nil && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous = previous, current
	}
	return previous[len(b)]
}
