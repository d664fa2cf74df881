package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// fingerprintSize is enough to tell the states of one entity apart.
const fingerprintSize = 8

// fingerprint is a digest of an entity as it was read: without its id and times,
// and of entities it refers to by name without theirs; null, empty and nothing
// are the same. Secrets are left out, since whoever has the rest could guess
// them: secret fields, and for an update those fields that hold a variable now,
// for its last value may have stood there.
func fingerprint(kind string, entity, after map[string]any, secrets *masker) string {
	f := printer{difference{kind: kind, secrets: secrets}}
	if kind == kindPlugin {
		f.plugin = text(entity, "name")
	}
	content, _ := f.keep(nil, strip(entity), after)
	sum := sha256.Sum256(append([]byte(kind+"\n"), value.Canonical(content)...))
	return hex.EncodeToString(sum[:fingerprintSize])
}

type printer struct{ difference }

// keep is what counts of a value.
func (f printer) keep(path []string, v, after any) (any, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		if value.Empty(v) || f.holds(path, after) {
			return nil, false
		}
		if list, ok := v.([]any); ok && isSet(path) {
			v = slices.SortedFunc(slices.Values(list), func(a, b any) int { return bytes.Compare(value.Canonical(a), value.Canonical(b)) })
		}
		return f.show(path, v), true
	}
	out, next := map[string]any{}, asMap(after)
	for k, x := range m {
		if len(path) > 0 && k == "id" && named(m) {
			continue
		}
		if kept, ok := f.keep(append(path[:len(path):len(path)], k), x, next[k]); ok {
			out[k] = kept
		}
	}
	return out, len(out) > 0
}
