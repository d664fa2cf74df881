package guard

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardMaxDeletes refuses all deletes when there are more than allowed.
// Replaces count, and so do what goes with a deleted resource and the entities
// that decK deletes.
func guardMaxDeletes(b *build.Draft) map[*plan.Change]string {
	existing := existing(b)
	var deletes []*plan.Change
	n := 0
	for _, c := range b.Plan.Changes {
		if c.Action == plan.Delete {
			deletes = append(deletes, c)
			n += 1 + c.Along()
		} else if m := c.Along(); m > 0 {
			deletes = append(deletes, c)
			n += m
			existing += m
		}
		if m := c.PartDeletes(); m > 0 {
			deletes = append(deletes, c)
			n += m
			existing += m
		}
	}
	for r := range b.AttachedBy {
		existing += b.AttachedTo(r).Size // what the files hold is there, by and large
	}
	limit, ok := deleteLimit(b.MaxDeletes, existing)
	if !ok || n <= limit {
		return nil
	}
	out := map[*plan.Change]string{}
	for _, c := range deletes {
		out[c] = fmt.Sprintf("The plan deletes %d of %d resources, and --max-deletes %s allows %d.", n, existing, b.MaxDeletes, limit)
	}
	return out
}

// existing counts the live resources that the plan is about.
func existing(b *build.Draft) int {
	keys := map[string]bool{}
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); o != nil {
			keys[build.ObjectKey(r.Type, o.ID, b.KnownAncestors(r))] = true
		}
	}
	for key, c := range b.Deletes {
		keys[key] = true
		for _, x := range c.Cascades {
			keys[fmt.Sprint(x.Type, x.Ancestors(), x.ID)] = true
		}
		for _, x := range build.Parts(b, c) {
			keys[build.ObjectKey(x.Type, x.Object.ID, x.Ancestors)] = true
		}
	}
	return len(keys)
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
