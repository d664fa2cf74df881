package resource

import (
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Documents are what a target makes resources of.
type Documents struct {
	// List holds the documents that the target claims.
	List []source.Document
	// Named says that the request names the target: it takes part without
	// documents, too.
	Named bool
	// Env looks a variable up. Values are checked, never shown.
	Env func(string) (string, bool)
	// RequireAnyNamespace asks every root to name its namespace itself;
	// RequireNamespaces asks for one of these.
	RequireAnyNamespace bool
	RequireNamespaces   []string
	// Skipped is what a walk left out.
	Skipped []source.Skipped
	// Incomplete says that not all inputs could be read: what seems to be
	// missing may stand in the others.
	Incomplete bool
	// Extensions are what other targets add to the language.
	Extensions []Extension
}

// IDCheck says which ids of what others own are looked for: an id says nothing of
// whether something has it.
type IDCheck uint8

// The checks.
const (
	// CheckNewIDs looks for those that a field is about to get.
	CheckNewIDs IDCheck = iota
	// CheckAllIDs looks for all of them, CheckNoIDs for none.
	CheckAllIDs
	CheckNoIDs
)

// Query says what a plan needs to know of what exists.
type Query struct {
	// Set and Links are of all targets; Before is what the targets before this
	// one have read.
	Set    *Set
	Links  *Links
	Before State
	// Mode is the plan's mode, Prune what a sync deletes.
	Mode, Prune string
	// AllowReplace are the refs of resources that may be deleted and made again.
	AllowReplace []string
	// AllowPending lets externals be missing, CheckIDs says which ids of externals
	// must exist, Overwrite takes what others own for the declared one.
	AllowPending, Overwrite bool
	CheckIDs                IDCheck
	// DeleteAttached lets a delete remove what is attached, too.
	DeleteAttached bool
	// LeftOut reports what the plan will not touch, AttachedLeftOut the resources
	// whose attached ones it will not touch; nil means none. All asks for everything
	// that is managed in the namespaces of the set.
	LeftOut, AttachedLeftOut func(*Resource) bool
	All                      bool
	// Dir is the folder that paths in the plan start from; Rebase names a file
	// from there.
	Dir    string
	Rebase func(file string) string
	// Env looks a variable up, for Desired.
	Env func(string) (string, bool)
}

// Desired returns the fields that a resource declares with the values that are
// known by now, Unknown in place of the others, and whether all are known. What
// the plan makes new is not known, and neither are secrets.
func (q Query) Desired(r *Resource) (fields map[string]any, known bool) {
	known = true
	plain := r.Fields.Plain(func(p value.Path, e *value.Expression) any {
		v, ok := q.value(r, p, e)
		if !ok {
			known = false
			return value.Unknown{}
		}
		return v
	})
	fields, _ = plain.(map[string]any)
	return fields, known
}

func (q Query) value(r *Resource, p value.Path, e *value.Expression) (any, bool) {
	switch e.Op {
	case value.OpRef:
		edge, ok := q.Links.At(r, p)
		if !ok || q.Before == nil {
			return nil, false
		}
		return EdgeValue(q.Before, q.Links, edge)
	case value.OpEnv:
		text, ok := q.Env(e.Name)
		if !ok {
			return nil, false
		}
		v, err := value.FromEnv(text, e.Field)
		return r.Type.Coerce(p.Generic(), v), err == nil
	default:
		return nil, false
	}
}
