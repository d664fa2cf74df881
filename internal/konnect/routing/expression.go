// Package routing checks the expressions by which gateways match requests to
// routes: http.path ^= "/x" && net.dst.port == 80.
//
// In: the text of an expression. Out: what every gateway refuses about it, with its
// place. It must never import another package of this program.
package routing

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Error says what is wrong with an expression.
type Error struct {
	// Column is where, in characters from 1 on.
	Column int
	// Reason is what is wrong, Fix what to write instead; it may be "".
	Reason, Fix string
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Reason) }

// Check returns the first error of an expression, nil for none. Names of fields and
// functions are not judged: gateways of other versions have more of them.
func Check(text string) *Error {
	p := &parser{text: text}
	p.expression(0)
	if p.skip(); p.err == nil && p.at < len(p.text) {
		p.fail(p.at, fmt.Sprintf("expected &&, || or the end, got %s", p.word()), "")
	}
	return p.err
}

// deepest is how many parentheses may be open.
const deepest = 500

type parser struct {
	text string
	at   int
	err  *Error
}

// fail keeps the first error.
func (p *parser) fail(at int, reason, fix string) {
	if p.err == nil {
		p.err = &Error{Column: len([]rune(p.text[:at])) + 1, Reason: reason, Fix: fix}
	}
}

func (p *parser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take goes past a sign if it is next.
func (p *parser) take(sign string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], sign) {
		return false
	}
	p.at += len(sign)
	return true
}

// word is what is next, for a message. Only signs and words of other languages are
// repeated: anything else may be a part of a secret.
func (p *parser) word() string {
	p.skip()
	rest := p.text[p.at:]
	if rest == "" {
		return "the end"
	}
	end := strings.IndexAny(rest, " \t\r\n()\"")
	switch {
	case end == 0:
		rest = rest[:1]
	case end > 0:
		rest = rest[:end]
	}
	if slices.Contains([]string{"and", "or", "not"}, rest) || strings.Trim(rest, "()=!<>~^&|\"") == "" {
		return strconv.Quote(rest)
	}
	return "something else"
}

// expression is terms with && or || between them.
func (p *parser) expression(depth int) {
	p.term(depth)
	for p.err == nil && (p.take("&&") || p.take("||")) {
		p.term(depth)
	}
}

// term is a comparison, or an expression in parentheses, which ! may negate.
func (p *parser) term(depth int) {
	p.skip()
	start := p.at
	negated := p.take("!")
	if !p.take("(") {
		if negated {
			p.fail(p.at, fmt.Sprintf("expected ( after !, got %s", p.word()), "write ! before parentheses only, or use != and not in.")
			return
		}
		p.comparison()
		return
	}
	if depth == deepest {
		p.fail(start, fmt.Sprintf("more than %d parentheses are open", deepest), "")
		return
	}
	p.expression(depth + 1)
	if p.err == nil && !p.take(")") {
		p.fail(p.at, fmt.Sprintf("expected ), && or ||, got %s", p.word()), "")
	}
}

// comparison is a field, an operator and a literal.
func (p *parser) comparison() {
	p.skip()
	start := p.at
	field := p.field(0)
	if p.err != nil {
		return
	}
	operator := p.operator()
	if p.err != nil {
		return
	}
	p.skip()
	at := p.at
	kind := p.literal()
	if p.err == nil {
		p.fit(start, field, operator, kind)
		if reason, broken := Broken(content(p.text[at:p.at])); broken && operator == "~" {
			p.fail(at, "the regular expression is wrong: "+reason, "correct the pattern.")
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// name is that of a field or a function, "" for none.
func (p *parser) name() string {
	p.skip()
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if !isLetter(c) && (p.at == start || !isDigit(c) && c != '_' && c != '.') {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// field is a name, which functions may be around: lower(http.path).
func (p *parser) field(depth int) string {
	name := p.name()
	switch {
	case name == "":
		p.fail(p.at, fmt.Sprintf("expected a field such as http.path, got %s", p.word()), "")
		return ""
	case p.at < len(p.text) && p.text[p.at] == '-':
		p.fail(p.at, "names of fields have no -", "write _ instead, as in http.headers.x_request_id.")
		return ""
	case depth == deepest || !p.take("("):
		return name
	}
	inner := p.field(depth + 1)
	if p.err == nil && !p.take(")") {
		p.fail(p.at, fmt.Sprintf("expected ), got %s", p.word()), "")
	}
	return inner
}

// operators, longer ones before their beginnings.
var operators = []string{"==", "!=", "^=", "=^", ">=", "<=", "~", ">", "<", "in", "contains"}

func (p *parser) operator() string {
	p.skip()
	if p.take("not") {
		if !p.take("in") {
			p.fail(p.at, fmt.Sprintf("expected in after not, got %s", p.word()), "")
		}
		return "not in"
	}
	for _, o := range operators {
		if p.take(o) {
			return o
		}
	}
	fix := ""
	if strings.HasPrefix(p.text[p.at:], "=") {
		fix = "write ==."
	}
	p.fail(p.at, fmt.Sprintf("expected an operator such as ==, ^= or ~, got %s", p.word()), fix)
	return ""
}

// kind is that of a literal or a field.
type kind string

const (
	unknown kind = ""
	aText   kind = "a text"
	number  kind = "a number"
	address kind = "an IP address"
	network kind = "a network"
)

func (p *parser) literal() kind {
	p.skip()
	start := p.at
	if p.take(`r#"`) {
		end := strings.Index(p.text[p.at:], `"#`)
		if end < 0 {
			p.fail(start, "the text has no end", `write "# after it.`)
			return unknown
		}
		p.at += end + 2
		return aText
	}
	if p.take(`"`) {
		p.quoted(start)
		return aText
	}
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n()&|", p.text[p.at]) < 0 {
		p.at++
	}
	word := p.text[start:p.at]
	_, notAddress := netip.ParseAddr(word)
	_, notNetwork := netip.ParsePrefix(word)
	switch {
	case notAddress == nil:
		return address
	case notNetwork == nil:
		return network
	case isNumber(word):
		return number
	}
	p.at = start
	fix := ""
	if strings.HasPrefix(word, "'") || word != "" && isLetter(word[0]) {
		fix = "write texts in double quotes."
	}
	p.fail(start, fmt.Sprintf("expected a text in double quotes, a number or an address, got %s", p.word()), fix)
	return unknown
}

func isNumber(word string) bool {
	digits := strings.TrimPrefix(word, "-")
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		_, err := strconv.ParseUint(hex, 16, 63)
		return err == nil && !strings.ContainsAny(hex, "_+")
	}
	_, err := strconv.ParseUint(digits, 10, 63)
	return err == nil
}

// quoted goes past a text in quotes.
func (p *parser) quoted(start int) {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '"':
			p.at++
			return
		case '\\':
			if p.at+1 < len(p.text) && strings.IndexByte(`"\nrt`, p.text[p.at+1]) < 0 {
				p.fail(p.at, fmt.Sprintf("unknown escape %q", p.text[p.at:p.at+2]), `write \\ for a backslash, or use r#"…"#.`)
				return
			}
			p.at++
		}
		p.at++
	}
	p.at = min(p.at, len(p.text))
	p.fail(start, "the text has no end", "write a double quote after it.")
}

// kinds of the fields that every gateway has.
func kindOf(field string) kind {
	switch field {
	case "http.method", "http.host", "http.path", "tls.sni", "net.protocol":
		return aText
	case "net.port", "net.src.port", "net.dst.port", "http.path.segments.len":
		return number
	case "net.src.ip", "net.dst.ip":
		return address
	}
	if strings.HasPrefix(field, "http.headers.") || strings.HasPrefix(field, "http.queries.") {
		return aText
	}
	return unknown
}

// fit reports operators and literals that cannot go with a field.
func (p *parser) fit(at int, field, operator string, literal kind) {
	is := kindOf(field)
	switch operator {
	case "in", "not in":
		if literal != network || is != unknown && is != address {
			p.fail(at, fmt.Sprintf("%s needs a field with an IP address and a network such as 10.0.0.0/8", operator), "")
		}
	case "~", "^=", "=^", "contains":
		if literal != aText || is != unknown && is != aText {
			p.fail(at, fmt.Sprintf("%s compares texts", operator), "")
		}
	case ">", ">=", "<", "<=":
		if literal != number || is != unknown && is != number {
			p.fail(at, fmt.Sprintf("%s compares numbers", operator), "")
		}
	default:
		if is != unknown && is != literal {
			p.fail(at, fmt.Sprintf("%s is %s, and it is compared with %s", field, is, literal), "")
		}
	}
}
