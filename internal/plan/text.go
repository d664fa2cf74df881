package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/pattern"
)

// longText is from how many bytes on a text that stands in a document several
// times is written once.
const longText = 4096

// textName is how a document names a text that it holds elsewhere.
var textName = pattern.New(`^\[text:sha256:[0-9a-f]{64}\]$`)

// textKey is the key of a text in Texts.
func textKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// gathered is the plan as it is written: of long texts that stand in it several
// times, one copy. A text that reads like the name of another is kept in the
// same way, so that reading gives back what was written.
func (p *Plan) gathered() *Plan {
	times := map[string]int{}
	for _, c := range p.Changes {
		c.eachText(func(s string) string {
			if len(s) >= longText || textName.MatchString(s) {
				times[s]++
			}
			return s
		})
	}
	names, texts := map[string]string{}, map[string]string{}
	for s, n := range times {
		if n > 1 || len(s) < longText {
			key := textKey(s)
			names[s], texts[key] = "[text:"+key+"]", s
		}
	}
	if len(names) == 0 {
		return p
	}
	out := *p
	out.Texts, out.Changes = texts, make([]*Change, len(p.Changes))
	for i, c := range p.Changes {
		out.Changes[i] = c.eachText(func(s string) string {
			if name, long := names[s]; long {
				return name
			}
			return s
		})
	}
	return &out
}

// spread puts the texts of a document where they belong.
func (p *Plan) spread() error {
	if p.Texts == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(p.Texts)) {
		if textKey(p.Texts[key]) != key {
			return fmt.Errorf("texts: %s is the name of another text", key)
		}
	}
	var lost string
	used := map[string]bool{}
	for i, c := range p.Changes {
		p.Changes[i] = c.eachText(func(s string) string {
			if !textName.MatchString(s) {
				return s
			}
			key := s[len("[text:") : len(s)-1]
			text, ok := p.Texts[key]
			if !ok {
				lost = key
			}
			used[key] = true
			return text
		})
	}
	switch {
	case lost != "":
		return fmt.Errorf("texts: %s is missing", lost)
	case len(used) < len(p.Texts):
		return fmt.Errorf("texts: %d of them are used nowhere", len(p.Texts)-len(used))
	}
	p.Texts = nil
	return nil
}

// eachText is the change with every text of its values as f gives it. What f does
// not change is shared.
func (c *Change) eachText(f func(string) string) *Change {
	out := *c
	out.Fields = textsOf(c.Fields, f)
	out.CurrentState = textsOf(c.CurrentState, f)
	out.ChangedFields = oldNewTexts(c.ChangedFields, f)
	out.FieldChanges = slices.Clone(c.FieldChanges)
	for i, x := range out.FieldChanges {
		out.FieldChanges[i].CurrentValue = eachTextOf(x.CurrentValue, f)
		out.FieldChanges[i].DesiredValue = eachTextOf(x.DesiredValue, f)
	}
	out.Kept = slices.Clone(c.Kept)
	for i, x := range out.Kept {
		out.Kept[i].State = textsOf(x.State, f)
	}
	out.GatewayChanges = slices.Clone(c.GatewayChanges)
	for i, x := range out.GatewayChanges {
		out.GatewayChanges[i].ChangedFields = oldNewTexts(x.ChangedFields, f)
	}
	return &out
}

func oldNewTexts(in map[string]OldNew, f func(string) string) map[string]OldNew {
	out := maps.Clone(in)
	for k, x := range in {
		out[k] = OldNew{Old: eachTextOf(x.Old, f), New: eachTextOf(x.New, f)}
	}
	return out
}

func textsOf(in map[string]any, f func(string) string) map[string]any {
	out, _ := eachTextOf(in, f).(map[string]any)
	return out
}

// eachTextOf is a value with its texts as f gives them.
func eachTextOf(x any, f func(string) string) any {
	switch v := x.(type) {
	case string:
		return f(v)
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i, y := range v {
			out[i] = eachTextOf(y, f)
		}
		return out
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for k, y := range v {
			out[k] = eachTextOf(y, f)
		}
		return out
	default:
		return x
	}
}
