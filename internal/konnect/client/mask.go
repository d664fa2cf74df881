package client

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kongctl/kongctl/internal/value"
)

// memory holds what no foreign text may show: every token, and the secrets of every
// request so far, since the answer to one may quote what another brought.
type memory struct {
	mu    sync.Mutex
	known map[string]bool
	hide  *strings.Replacer // nil: to be made again
}

// shortest is the length from which on the secrets of a request are hidden in the
// answers to others, too. A shorter one stands in ordinary words.
const shortest = 6

// keep remembers what must be hidden from now on.
func (m *memory) keep(texts ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range texts {
		if s == "" || m.known[s] {
			continue
		}
		if m.known == nil {
			m.known = map[string]bool{}
		}
		m.known[s], m.hide = true, nil
	}
}

func (m *memory) replace(text string) string {
	m.mu.Lock()
	if m.hide == nil {
		m.hide = hiding(m.known)
	}
	hide := m.hide
	m.mu.Unlock()
	return hide.Replace(text)
}

// hiding replaces texts in all their forms. A secret may be part of another: the longer
// goes first.
func hiding(texts map[string]bool) *strings.Replacer {
	var forms []string
	for s := range texts {
		forms = append(forms, value.Quoted(s)...)
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, masked)
	}
	return strings.NewReplacer(pairs...)
}

// mask makes foreign text fit to be shown: secrets replaced, control
// characters and line breaks made blanks, length bounded.
type mask struct {
	memory *memory
	short  map[string]bool // secrets of this request alone
}

const (
	masked      = "[hidden]"
	maxTextSize = 2000
)

// mask is for the answer to a request with these secrets.
func (m *memory) mask(secrets []string) mask {
	out := mask{memory: m}
	for _, s := range secrets {
		if len(s) >= shortest {
			m.keep(s)
		} else if s != "" {
			if out.short == nil {
				out.short = map[string]bool{}
			}
			out.short[s] = true
		}
	}
	return out
}

func (m mask) clean(text string) string {
	text = m.memory.replace(strings.ToValidUTF8(text, ""))
	if m.short != nil {
		text = hiding(m.short).Replace(text)
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r)
	}), " ")
	if len(text) > maxTextSize {
		text = strings.ToValidUTF8(text[:maxTextSize], "") + "…"
	}
	return text
}
