package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Diff says how changed values are shown.
type Diff struct {
	// Context is how many unchanged lines are shown around changed ones.
	Context int
	// Full shows changed texts as a whole.
	Full bool
	// Meaning is what a field of a type had, as it compares with what it gets: what
	// means the same is the same. Words stand for what nobody can know. Nil compares
	// values as they are.
	Meaning func(kind string, p value.Path, old, now any) (shown any, words string)
	// Holds reports whether a resource with some fields can have another one: not one
	// of another form. Nil is always.
	Holds func(kind string, fields map[string]any, p value.Path) bool
	// Default is the value that a field of a resource has that leaves it out, as far as
	// that is known: of a resource of a type, with some fields. Unknown is one that the
	// target chooses. Nil knows of none.
	Default func(kind string, fields map[string]any, p value.Path) (any, bool)
	// sent is what a resource is left with; nil where that is not known.
	sent *sentFields
	// names are those of the resources that a plan knows, by id.
	names map[string]string
}

// DefaultContext is how many unchanged lines people are used to.
const DefaultContext = 3

// maxLines bounds what is shown of one changed value, unless all of it is.
const maxLines = 400

// line is a line below a resource.
type line struct {
	text  string
	color color
	kind  lineKind
	// arrow is the pair that a line of the kind lineArrow shows.
	arrow arrow
}

// lineKind is what a line is part of.
type lineKind uint8

// The kinds of lines.
const (
	linePlain lineKind = iota
	lineArrow          // a value before and after
	lineGone           // a part that goes: a sign before it
	lineCome           // a part that comes
	lineKept           // a line of a text that stays
	lineHunk           // where the next lines of a text are
)

// arrow is a value before and after; absent sides are nothing.
type arrow struct{ name, before, after string }

// arrowed is the line of a value before and after.
func arrowed(name, before, after string) line {
	return line{text: name + ": " + before + " -> " + after, kind: lineArrow, arrow: arrow{name, before, after}}
}

// plain are lines without a colour.
func plain(texts ...string) []line {
	out := make([]line, len(texts))
	for i, text := range texts {
		out[i] = line{text: text}
	}
	return out
}

// below indents lines.
func below(lines []line) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		l.text = "  " + l.text
		out[i] = l
	}
	return out
}

// signed puts a sign before texts: they go or come.
func signed(sign string, texts ...string) []line {
	paint, kind := red, lineGone
	if sign == "+" {
		paint, kind = green, lineCome
	}
	out := make([]line, len(texts))
	for i, text := range texts {
		out[i] = line{text: sign + " " + text, color: paint, kind: kind}
	}
	return out
}

// field renders what changes between two values of a field, bounded.
func (d Diff) field(p value.Path, old, now any) []line {
	lines := d.difference(p, old, now)
	if d.Full || len(lines) <= maxLines {
		return lines
	}
	return append(lines[:maxLines:maxLines], line{text: fmt.Sprintf("  … %s; --full-diff shows all", count(len(lines)-maxLines, "more line"))})
}

// difference renders what changes between two values, a line per part.
func (d Diff) difference(p value.Path, old, now any) []line {
	if value.Equal(old, now) || refersToSame(old, now) {
		return nil
	}
	switch a := old.(type) {
	case map[string]any:
		if b, ok := now.(map[string]any); ok {
			return d.maps(p, a, b)
		}
	case []any:
		if b, ok := now.([]any); ok {
			return d.lists(p, a, b)
		}
	case string:
		if b, ok := now.(string); ok && (long(a) || long(b)) {
			return d.texts(p, a, b)
		}
	}
	name := pathName(p)
	if m, ok := now.(marker); ok && m.text == secret && old == nil {
		return plain(name + ": " + compact(now)) // what it was is not known
	}
	before, after := sides(old, now)
	if utf8.RuneCountInString(before)+utf8.RuneCountInString(after) <= 3*maxInline {
		return []line{arrowed(name, before, after)}
	}
	switch {
	case old == nil:
		return append(plain(name+": added"), below(d.whole("+", now))...)
	case now == nil:
		return append(plain(name+": removed"), below(d.whole("-", old))...)
	default:
		return append(plain(name+":"), below(append(d.whole("-", old), d.whole("+", now)...))...)
	}
}

// refersToSame reports whether a reference leads to what is there already.
func refersToSame(old, now any) bool {
	_, was := old.(marker)
	_, is := now.(marker)
	a, b := idOf(old), idOf(now)
	return (was || is) && a != "" && a == b
}

// idOf is the text of a value, or of the id or other value that it stands for.
func idOf(x any) string {
	switch v := x.(type) {
	case nil:
		return ""
	case marker:
		return v.id
	case string:
		return v
	default:
		text, _ := scalar(v)
		return text
	}
}

// meant is what a field had, in the words of people: by its meaning, and with the
// names of what its ids stand for.
func (d Diff) meant(kind string, p value.Path, old, now any) any {
	if d.Meaning != nil {
		words := ""
		if old, words = d.Meaning(kind, p, old, now); words != "" {
			return marker{text: printable(words)}
		}
	}
	return d.called(value.Clone(old))
}

// called puts names beside the ids of what a plan knows.
func (d Diff) called(x any) any {
	switch v := x.(type) {
	case map[string]any:
		for k, y := range v {
			v[k] = d.called(y)
		}
	case []any:
		for i, y := range v {
			v[i] = d.called(y)
		}
	case string:
		if name := d.names[v]; name != "" && name != v {
			return marker{text: fmt.Sprintf("id of %s (%s)", printable(name), printable(v)), id: v}
		}
	}
	return x
}

// naming is a Diff that knows the names of a plan's resources.
func (d Diff) naming(p *plan.Plan) Diff {
	d.names = map[string]string{}
	for id, name := range p.Metadata.Names {
		d.name(id, name)
	}
	for _, ref := range slices.Sorted(maps.Keys(p.Metadata.ReferenceMappings)) {
		d.name(p.Metadata.ReferenceMappings[ref], mapped(ref))
	}
	for _, e := range p.Metadata.Externals { // not what has the id of one for its key
		d.name(e.ID, model.ShownRef(e.Ref, e.Name))
	}
	for _, c := range p.Changes {
		d.name(c.ResourceID, cmp.Or(c.ResourceRef, c.ResourceName))
	}
	return d
}

// mapped is the ref, as it is shown, of what a plan maps to an id: with its type where
// another type has that ref.
func mapped(key string) string {
	if shown := model.ShownRef(key, ""); shown != key {
		return shown
	}
	if _, ref, typed := strings.Cut(key, ":"); typed {
		key = ref
	}
	return model.ShownRef(key, "")
}

// shownKeys are resources as a plan lists them, TYPE:REF, with their refs as they are
// shown.
func shownKeys(keys []string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		kind, ref, _ := strings.Cut(key, ":")
		out[i] = kind + ":" + model.ShownRef(ref, "")
	}
	return out
}

// namingDrift is a Diff that knows the names of what was compared.
func (d Diff) namingDrift(x *plan.Drift) Diff {
	d.names = map[string]string{}
	for id, ref := range x.Names {
		d.name(id, model.ShownRef(ref, ""))
	}
	for _, y := range x.RemoteOnly {
		d.name(y.ResourceID, cmp.Or(y.ResourceRef, y.ResourceName))
	}
	return d
}

// assigned is the form of the ids that Konnect assigns.
var assigned = pattern.New(`^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25})$`)

// name keeps the name of an id. One that people choose, such as the key of a secret,
// may be the text of any other field and stands for nothing there.
func (d Diff) name(id, name string) {
	if assigned.MatchString(id) {
		d.names[id] = name
	}
}

// whole renders a value that goes or comes.
func (d Diff) whole(sign string, x any) []line {
	texts, _ := d.block(x)
	if s, ok := x.(string); ok && long(s) {
		texts = printableLines(s)
	}
	for i, text := range texts {
		texts[i] = d.cut(text)
	}
	return signed(sign, texts...)
}

// pathName names a part of a value.
func pathName(p value.Path) string {
	if len(p) == 0 {
		return "(document)"
	}
	return printable(p.String())
}

// side is a value on one side of an arrow.
func side(x any) string {
	if x == nil {
		return nothing
	}
	return compact(x)
}

func (d Diff) maps(p value.Path, old, now map[string]any) []line {
	keys := slices.Concat(slices.Sorted(maps.Keys(old)), slices.Sorted(maps.Keys(now)))
	slices.Sort(keys)
	var lines []line
	for _, k := range slices.Compact(keys) {
		to, in := now[k], d.at(value.Path{k})
		if _, stays := now[k]; !stays {
			to = in.leftOut(old[k])
		}
		lines = append(lines, in.difference(p.Child(k), old[k], to)...)
	}
	if len(lines) == 0 {
		return nullKeys(p, old, now)
	}
	return lines
}

// nullKeys renders the keys that one side alone has, with null: all that differs where
// null counts as a value.
func nullKeys(p value.Path, old, now map[string]any) []line {
	var lines []line
	for _, k := range slices.Sorted(maps.Keys(union(old, now))) {
		before, had := old[k]
		after, has := now[k]
		if had == has || before != nil || after != nil {
			continue
		}
		texts := [2]string{nothing, "null"}
		if had {
			texts = [2]string{"null", nothing}
		}
		lines = append(lines, arrowed(pathName(p.Child(k)), texts[0], texts[1]))
	}
	return lines
}

// lists renders what changes in a list: items of one part each by themselves,
// others by their parts where they are the same ones.
func (d Diff) lists(p value.Path, old, now []any) []line {
	name := pathName(p)
	before, after := rendered(old, compact), rendered(now, compact)
	plainItems := flat(old) && flat(now)
	if plainItems {
		a, b := sides(old, now)
		if utf8.RuneCountInString(a)+utf8.RuneCountInString(b) <= maxInline {
			return []line{arrowed(name, a, b)}
		}
	}
	changed := compareLines(rendered(old, exact), rendered(now, exact))
	if plainItems {
		lines := plain(fmt.Sprintf("%s: %s -> %s", name, count(len(old), "item"), count(len(now), "item")))
		for _, r := range changed {
			a, b := before[r.Start:r.End], after[r.ReplStart:r.ReplEnd]
			if slices.ContainsFunc(a, func(text string) bool { return slices.Contains(b, text) }) {
				a, b = rendered(old[r.Start:r.End], spelled), rendered(now[r.ReplStart:r.ReplEnd], spelled)
			}
			moved(a, old[r.Start:r.End], now)
			moved(b, now[r.ReplStart:r.ReplEnd], old)
			lines = append(lines, below(d.pairs(a, b))...)
		}
		return lines
	}
	return d.items(p, changed, old, now)
}

// moved says of the items of a list that refer to what the other side has, too, that
// they only have another place.
func moved(texts []string, items, other []any) {
	for i, item := range items {
		if m, ok := item.(marker); ok && m.id != "" && slices.ContainsFunc(other, func(x any) bool { return refersToSame(item, x) }) {
			texts[i] += ", moved"
		}
	}
}

func rendered(list []any, render func(any) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = render(item)
	}
	return out
}

// exact renders a value so that different ones are rendered differently.
func exact(x any) string {
	switch v := x.(type) {
	case map[string]any:
		var b strings.Builder
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(k) + ":" + exact(v[k]) + ",")
		}
		return "{" + b.String() + "}"
	case []any:
		return "[" + strings.Join(rendered(v, exact), ",") + "]"
	case string:
		return strconv.Quote(v)
	case marker:
		if v.id != "" {
			return strconv.Quote(v.id)
		}
		return v.text
	default:
		text, _ := scalar(v)
		return text
	}
}
