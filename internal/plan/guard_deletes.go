package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// guardMaxDeletes refuses all deletes when there are more than allowed.
// Replaces count.
func guardMaxDeletes(b *builder) map[*Change]string {
	limit, ok := deleteLimit(b.MaxDeletes, b.existing())
	if !ok {
		return nil
	}
	var deletes []*Change
	for _, c := range b.plan.Changes {
		if c.Action == Delete {
			deletes = append(deletes, c)
		}
	}
	if len(deletes) <= limit {
		return nil
	}
	out := map[*Change]string{}
	for _, c := range deletes {
		out[c] = fmt.Sprintf("The plan deletes %d of %d resources, and --max-deletes %s allows %d.", len(deletes), b.existing(), b.MaxDeletes, limit)
	}
	return out
}

// existing counts the live resources that the plan is about.
func (b *builder) existing() int {
	n := 0
	for _, r := range b.Set.Resources {
		if b.Snapshot.Object(r) != nil {
			n++
		}
	}
	for _, c := range b.deletes {
		if !c.Replace && b.Mode != ModeDelete { // there they are declared, and counted
			n++
		}
	}
	return n
}

// deleteLimit reads "10" or "5%".
func deleteLimit(text string, existing int) (int, bool) {
	if text == "" {
		return 0, false
	}
	if p, ok := strings.CutSuffix(text, "%"); ok {
		percent, err := strconv.ParseFloat(p, 64)
		return int(percent * float64(existing) / 100), err == nil
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// ValidMaxDeletes tells whether a bound can be read.
func ValidMaxDeletes(text string) bool {
	if text == "" {
		return true
	}
	p, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(p, 64)
	if err != nil || n < 0 || (percent && n > 100) {
		return false
	}
	_, err = strconv.Atoi(p)
	return percent || err == nil
}
