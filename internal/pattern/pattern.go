// Package pattern holds regular expressions that are compiled when they are first
// used: a command starts without those that it does not need.
//
// In: the text of an expression. Out: what package regexp finds with it. It must
// never import a package of this program.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp.
type Pattern struct {
	text     string
	compiled func() *regexp.Regexp
}

// New makes a pattern. The first use panics where the text is not an expression.
func New(text string) *Pattern {
	return &Pattern{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// String is the text of the expression.
func (p *Pattern) String() string { return p.text }

// Match reports whether bytes have a match.
func (p *Pattern) Match(b []byte) bool {
	return p.compiled().Match(b)
}

// MatchString reports whether a text has a match.
func (p *Pattern) MatchString(s string) bool {
	return p.compiled().MatchString(s)
}

// Find returns the first match in bytes.
func (p *Pattern) Find(b []byte) []byte {
	return p.compiled().Find(b)
}

// FindString returns the first match.
func (p *Pattern) FindString(s string) string {
	return p.compiled().FindString(s)
}

// FindStringSubmatch returns the first match and its groups.
func (p *Pattern) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}

// FindAllString returns at most n matches, all for -1.
func (p *Pattern) FindAllString(s string, n int) []string {
	return p.compiled().FindAllString(s, n)
}

// FindAllStringSubmatch returns at most n matches and their groups, all for -1.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex returns where at most n matches and their groups begin and end, all for -1.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAll replaces all matches in bytes; $1 is a group.
func (p *Pattern) ReplaceAll(b, with []byte) []byte {
	return p.compiled().ReplaceAll(b, with)
}

// ReplaceAllString replaces all matches; $1 is a group.
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc replaces all matches by what a function makes of them.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}
