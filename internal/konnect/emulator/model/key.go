package model

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/value"
)

// taken refuses a record for a key that another has.
func (r *Rule) taken(b *catalog.Bound, rec *store.Record, key string) *Problem {
	fields := r.identity(b)
	if key != rec.Unique {
		fields = slices.DeleteFunc(r.alsoFields(b), func(f string) bool { return alsoKey(b, rec, f) != key })
	}
	return Refuse(http.StatusConflict, "%s with this %s exists already", catalog.Words(b.Kind), strings.ReplaceAll(strings.Join(fields, " and "), "+", " and "))
}

// NotEmpty refuses a record with an empty text where it has what no two may share.
func NotEmpty(sc Scene, rec *store.Record) error {
	b := sc.Kind(rec.Kind)
	rule := sc.Rule(b)
	for _, keys := range append(slices.Clone(rule.identity(b)), rule.alsoFields(b)...) {
		for _, f := range strings.Split(keys, "+") {
			if At(rec.Fields, f) == "" {
				return Bad("body", f, "invalid", "length must be at least 1")
			}
		}
	}
	return nil
}

// keyOf is the key that must be free: the identity within the owner.
func (r *Rule) keyOf(b *catalog.Bound, rec *store.Record) string {
	if b.Shape == catalog.Map || b.Shape == catalog.Singleton || b.PerNamespace {
		return ""
	}
	var parts []string
	given := false
	for _, f := range r.identity(b) {
		v := At(rec.Fields, f)
		text := strings.Join(Texts(v), ",")
		if m, isMap := v.(map[string]any); isMap {
			text = string(value.Canonical(m))
		}
		if name, isText := v.(string); isText {
			text = b.UniqueText(strings.Split(f, "."), name)
		}
		given = given || text != ""
		parts = append(parts, text)
	}
	if !given {
		return ""
	}
	if b.Tree != nil {
		parent, _ := rec.Fields[b.Tree.Parent].(string)
		parts = append(parts, parent)
	}
	if v := b.Versions; v != nil {
		if state, _ := rec.Made[v.State].(string); state != "" && state != v.Draft {
			parts = append(parts, fmt.Sprint(rec.Made[v.Number])) // the key is free for the next one
		}
	}
	return uniqueKey(rec.Parent, parts...)
}

// alsoKeys are the keys beside the identity that must be free.
func (r *Rule) alsoKeys(b *catalog.Bound, rec *store.Record) []string {
	var out []string
	for _, f := range r.alsoFields(b) {
		if key := alsoKey(b, rec, f); key != "" {
			out = append(out, key)
		}
	}
	return out
}

// alsoFields are the fields beside the identity that no two may share: below one
// owner, or, where the catalog says so, in the organization.
func (r *Rule) alsoFields(b *catalog.Bound) []string {
	return append(slices.Clone(r.Also), b.Unique...)
}

func alsoKey(b *catalog.Bound, rec *store.Record, field string) string {
	parts := []string{field + "="}
	for _, f := range strings.Split(field, "+") {
		parts = append(parts, b.UniqueText(strings.Split(f, "."), strings.Join(Texts(At(rec.Fields, f)), ",")))
	}
	if parts[1] == "" {
		return ""
	}
	if slices.Contains(b.Unique, field) {
		return uniqueKey("", parts...)
	}
	return uniqueKey(rec.Parent, parts...)
}

func uniqueKey(owner string, parts ...string) string {
	return owner + "\x00" + strings.Join(parts, "\x00")
}
