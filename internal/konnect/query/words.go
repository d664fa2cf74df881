// Package query finds out what people ask of Konnect in words, and reads it.
//
// In: the words of a command line, and something to read from. Out: objects as
// Konnect returns them, without secrets, and the columns that tell most of them.
// It knows no type by name, writes nothing, and must never import what decides
// about changes (live, diff, propose, drive).
package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// Asked is what a command line asks for.
type Asked struct {
	// Type is nil where something is asked for that is no resource.
	Type *catalog.Type
	// Name is the name or id of one resource; "" asks for all.
	Name string
	// Part is a mapping of the resource that is read by itself; Key picks one of its
	// keys, "" all.
	Part, Key string
	// Group are the children that are asked for at once, by the beginning that their keys
	// have in common: assets.
	Group string
	// Path is where something is read that is no resource.
	Path string
	// Or is what the words mean where the last one is a name, though it is also what a
	// resource has: nil where it is not.
	Or *Asked
}

// WordError is a command line that asks for nothing that exists.
type WordError struct{ Message, Hint string }

// Error says what does not exist.
func (e *WordError) Error() string { return e.Message }

// Prefix may stand before everything else.
const Prefix = "konnect"

// alone are words that ask for something that is no resource, and where it is read.
func alone(word string) string {
	switch word {
	case "me":
		return "/v3/users/me"
	case "organization", "org":
		return "/v3/organizations/me"
	default:
		return ""
	}
}

// Parse reads the words: [konnect] [FAMILY] TYPE [CHILD…] [NAME|ID].
func Parse(words []string) (*Asked, error) {
	if len(words) > 0 && words[0] == Prefix {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil, &WordError{"no resource type is named", typesHint}
	}
	if path := alone(normal(words[0])); path != "" && len(words) == 1 {
		return &Asked{Path: path}, nil
	}
	t, rest, err := start(words)
	if err != nil {
		return nil, err
	}
	var or *Asked
	for len(rest) > 0 {
		below, n := step(t, rest)
		if below == nil {
			break
		}
		or = orName(t, rest)
		t, rest = below, rest[n:]
	}
	out := &Asked{Type: t}
	if part := partOf(t, rest); part != "" {
		out.Part, out.Or = part, orName(t, rest)
		if len(rest) == 2 {
			out.Key = rest[1]
		}
		return out, nil
	}
	switch {
	case len(rest) == 0:
		out.Or = or
	case len(rest) == 1 && len(grouped(t, rest[0])) > 1:
		out.Group, out.Or = normal(rest[0]), orName(t, rest)
	case len(rest) > 1:
		return nil, unknownChild(t, rest)
	case len(rest) == 1 && rest[0] == "":
		return nil, &WordError{fmt.Sprintf("the name of the %s is empty", catalog.Words(t.Kind)), "leave it out to list all."}
	case len(rest) == 1:
		out.Name = rest[0]
	}
	return out, nil
}

// orName is what words after a type mean where they are the name of one resource.
func orName(t *catalog.Type, words []string) *Asked {
	if len(words) != 1 || t.Shape == catalog.Singleton {
		return nil
	}
	return &Asked{Type: t, Name: words[0]}
}

// AsName is what is asked for where no flag names parents: the last word is a name
// where what it means otherwise belongs to a resource.
func (a *Asked) AsName() *Asked {
	if a.Or != nil && (a.Type != a.Or.Type && a.Type.ChildOf != nil || a.Part+a.Group != "") {
		return a.Or
	}
	return a
}

// partOf is the mapping of a type that words ask for, one or many: attribute,
// attributes; or "". A key may follow.
func partOf(t *catalog.Type, words []string) string {
	if len(words) == 0 || len(words) > 2 {
		return ""
	}
	i := slices.IndexFunc(t.Parts, func(part string) bool { return part == normal(words[0]) || catalog.Singular(part) == normal(words[0]) })
	if i < 0 {
		return ""
	}
	return t.Parts[i]
}

const typesHint = "kongctl explain lists the types."

func normal(word string) string { return strings.ReplaceAll(strings.ToLower(word), "-", "_") }

// start finds the type that the words begin with.
func start(words []string) (*catalog.Type, []string, error) {
	word := normal(words[0])
	for _, f := range catalog.Families() {
		if !slices.Contains(f.Words, word) {
			continue
		}
		if len(words) == 1 {
			return nil, nil, &WordError{fmt.Sprintf("%s: no resource type is named", words[0]), "use one of " + strings.Join(familyWords(f), ", ") + "."}
		}
		if t := inFamily(f, normal(words[1])); t != nil {
			return t, words[2:], nil
		}
		return nil, nil, unknownType(words[0]+" ", words[1], familyWords(f))
	}
	for _, roots := range []bool{true, false} {
		for _, t := range catalog.Types() {
			if (t.ChildOf == nil) == roots && slices.Contains(catalog.RootWords(t), word) {
				return t, words[1:], nil
			}
		}
	}
	return nil, nil, unknownType("", words[0], rootWords())
}

// inFamily finds a type by what it is called in its family, roots first.
func inFamily(f catalog.Family, word string) *catalog.Type {
	for _, roots := range []bool{true, false} {
		for _, t := range f.Types {
			if (t.ChildOf == nil) == roots && slices.Contains(catalog.FamilyWords(t), word) {
				return t
			}
		}
	}
	return nil
}

// step finds the type that one or two words lead to from another, and how many
// words it took: pages, assets logo; a root that bears the name of the other: portal
// email-domains; and what stands below a child: credentials.
func step(t *catalog.Type, words []string) (*catalog.Type, int) {
	if c := child(t, words[0]); c != nil {
		return c, 1
	}
	if len(words) > 1 {
		if c := child(t, catalog.Singular(normal(words[0]))+"_"+words[1]); c != nil {
			return c, 2
		}
	}
	for _, c := range catalog.Types() {
		if c.ChildOf == nil && slices.Contains(catalog.RootWords(c), t.Kind+"_"+normal(words[0])) {
			return c, 1
		}
	}
	if c := deeper(t, normal(words[0])); c != nil {
		return c, 1
	}
	return nil, 0
}

// deeper finds the only type below the children of another that a key means, alone
// or behind what the child is called: credentials, asked of a gateway whose consumers
// have them; listener-policies.
func deeper(t *catalog.Type, key string) *catalog.Type {
	var out *catalog.Type
	for _, c := range catalog.Types() {
		if c.ChildOf == nil || !below(c.ChildOf, t) {
			continue
		}
		one, above := catalog.Singular(c.Key), catalog.Singular(c.ChildOf.Key)+"_"
		switch {
		case key == above+c.Key, key == above+one:
			return c
		case key != one && c.Key != key && !strings.HasSuffix(c.Key, "_"+key):
		case out != nil:
			return nil
		default:
			out = c
		}
	}
	if out == nil || out.Key != key && catalog.Singular(out.Key) != key {
		return nil
	}
	return out
}

// below reports whether a type stands somewhere below another.
func below(c, t *catalog.Type) bool {
	for above := c.ChildOf; above != nil; above = above.ChildOf {
		if above == t {
			return true
		}
	}
	return false
}

func child(t *catalog.Type, word string) *catalog.Type {
	for _, c := range catalog.Types() {
		if c.ChildOf == t && slices.Contains(catalog.ChildWords(c), normal(word)) {
			return c
		}
	}
	return nil
}

func dashed(word string) string { return strings.ReplaceAll(word, "_", "-") }

func familyWords(f catalog.Family) []string {
	var out []string
	for _, t := range f.Types {
		if t.ChildOf == nil {
			words := catalog.FamilyWords(t)
			out = append(out, dashed(words[min(1, len(words)-1)]))
		}
	}
	return out
}

func rootWords() []string {
	var out []string
	for _, t := range catalog.Types() {
		if t.ChildOf == nil {
			out = append(out, dashed(t.Key))
		}
	}
	for _, f := range catalog.Families() {
		out = append(out, f.Words...)
	}
	for _, t := range catalog.Types() {
		out = append(out, dashed(t.Kind))
	}
	return append(out, "me", "regions", "pat", "spat")
}

func childWords(t *catalog.Type) []string {
	var out []string
	for _, c := range catalog.Types() {
		if c.ChildOf == t {
			word := catalog.ChildWords(c)[0]
			if short, ok := strings.CutPrefix(word, t.Kind+"_"); ok && child(t, short) == c {
				word = short
			}
			out = append(out, dashed(word))
		}
	}
	return out
}

// named are the words of flags that name resources, with the fields besides name
// that those are known by.
var named = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, t := range catalog.Types() {
		if t.Shape == catalog.Singleton {
			continue
		}
		word := catalog.FlagWord(t)
		if _, known := out[word]; !known {
			out[word] = nil
		}
		if len(t.Identity) != 1 || slices.ContainsFunc(t.References, func(r catalog.Reference) bool { return r.Field == t.Identity[0] }) {
			continue
		}
		long, _ := t.Example[t.Identity[0]].(string)
		f := dashed(t.Identity[0])
		if f != "name" && f != "id" && f != word && !strings.Contains(f, ".") && !strings.Contains(long, "\n") && !slices.Contains(out[word], f) {
			out[word] = append(out[word], f)
		}
	}
	for _, word := range shared(parents()) {
		out[word] = nil
	}
	return out
})

// parents are the words of flags that name parents.
func parents() []string {
	var out []string
	for _, t := range catalog.Types() {
		if t.ChildOf != nil && !slices.Contains(out, catalog.FlagWord(t.ChildOf)) {
			out = append(out, catalog.FlagWord(t.ChildOf))
		}
	}
	return out
}

// shared are the last words that several parents of two words have: gateway, of an
// event-gateway or an ai-gateway. What is asked for says which one is meant.
func shared(words []string) []string {
	count := map[string]int{}
	for _, word := range words {
		if parts := strings.Split(word, "-"); len(parts) == 2 && len(Roots(word)) > 0 {
			count[parts[1]]++
		}
	}
	var out []string
	for word, n := range count {
		if n > 1 && !slices.Contains(words, word) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// NameFields are the fields besides name by which resources of a word are named:
// email of user, title of data-plane-certificate.
func NameFields(word string) []string { return named()[word] }

// Parents are the words of flags that name parents, each once.
func Parents() []string {
	out := parents()
	out = append(out, shared(out)...)
	slices.Sort(out)
	return out
}

// Named are the words of flags that name resources, parents or not, each once.
func Named() []string { return slices.Sorted(maps.Keys(named())) }

// OtherFlags are other words of flags that name resources, and the ones that they stand
// for: the whole name of a type, with that of its family or parent, and the short one.
func OtherFlags() map[string]string {
	out, words := map[string]string{}, named()
	for _, t := range catalog.Types() {
		word := catalog.FlagWord(t)
		_, known := words[word]
		for _, other := range append([]string{dashed(t.Kind)}, t.Short...) {
			if _, taken := words[other]; known && !taken && word != other {
				out[other] = word
			}
		}
	}
	return out
}

// Next are the words that may follow others, for shells; without those that name
// one resource.
func Next(words []string) []string {
	if len(words) > 0 && words[0] == Prefix {
		words = words[1:]
	}
	if len(words) == 0 {
		var out []string
		for _, t := range catalog.Types() {
			if t.ChildOf == nil {
				out = append(out, dashed(t.Key))
			}
		}
		for _, f := range catalog.Families() {
			out = append(out, f.Words[:min(1, len(f.Words))]...)
		}
		out = append(out, "me", "organization", "regions", "pat", "spat")
		slices.Sort(out)
		return slices.Compact(out)
	}
	for _, f := range catalog.Families() {
		if len(words) == 1 && slices.Contains(f.Words, normal(words[0])) {
			return familyWords(f)
		}
	}
	asked, err := Parse(words)
	if err != nil || asked.Type == nil || asked.Name != "" || asked.Part+asked.Group != "" {
		return nil
	}
	return following(asked.Type)
}

// following are the words that may stand behind a type: its parts and children.
func following(t *catalog.Type) []string {
	var out []string
	for _, part := range t.Parts {
		out = append(out, dashed(part))
	}
	return append(out, childWords(t)...)
}

// Roots are the types at the root that a flag for parents means, by its word.
func Roots(word string) []string { return roots()[word] }

var roots = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, t := range catalog.Types() {
		if t.ChildOf == nil {
			word := catalog.FlagWord(t)
			out[word] = append(out[word], dashed(t.Key))
		}
	}
	return out
})

// Pages are the words of types that have a page.
func Pages() []string {
	var out []string
	for _, t := range catalog.Types() {
		if t.Page != "" {
			out = append(out, dashed(t.Kind))
		}
	}
	slices.Sort(out)
	return out
}
