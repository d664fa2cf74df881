package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
)

// guardMaxDeletes refuses all deletes when there are more than allowed.
// Replaces count, and so do what goes with a deleted resource and the entities
// that decK deletes.
func guardMaxDeletes(b *build.Draft) map[*plan.Change]string {
	message := tooMany(b.Plan, b.MaxDeletes, build.Existing(b))
	if message == "" {
		return nil
	}
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		if c.Deletes() > 0 {
			out[c] = "The " + message + "."
		}
	}
	return out
}

// tooMany says that a plan deletes more than a bound allows, "" where it does not.
func tooMany(p *plan.Plan, bound string, existing int) string {
	n := p.Deletes()
	limit, ok := deleteLimit(bound, existing)
	if !ok || n <= limit {
		return ""
	}
	return fmt.Sprintf("plan deletes %d of %d resources, and --max-deletes %s allows %d", n, existing, bound, limit)
}

// Bounds are what a plan may delete where it is carried out, whatever was allowed where it
// was created.
type Bounds struct {
	// MaxDeletes is "10", "5%" or "" for no bound, Prune the widest way to prune.
	MaxDeletes, Prune string
}

// Exceeded says which of the bounds a finished plan exceeds, "" for none. What an inverse
// plan deletes is not deleted for not being declared.
func (x Bounds) Exceeded(p *plan.Plan) string {
	scope := p.Metadata.SyncScope
	if p.Metadata.Mode == plan.ModeSync && !p.Metadata.Inverse && resource.NarrowerPrune(scope.Prune, x.Prune) != scope.Prune &&
		slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action == plan.Delete && !c.Replace }) {
		return fmt.Sprintf("plan was created with --prune %s, and --prune %s allows less", scope.Prune, x.Prune)
	}
	return tooMany(p, x.MaxDeletes, max(scope.Existing, p.Concerns()))
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
