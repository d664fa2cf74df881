package language

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// form is a pattern of the contract in words, with a value that fits it.
type form struct{ says, example string }

const (
	bothEnds = "with a letter or digit at both ends"
	dataURL  = "must be an image as a data URL"
	anImage  = "!file image.png"
)

// forms are the patterns that people cannot read at a glance, in words.
var forms = map[string]form{
	colorPattern: {"must be a color of 3 or 6 hexadecimal digits", "#003399"},
	`^(([a-zA-Z0-9\.\-]+)|\[([a-fA-F0-9:]+)\]):\d+$`: {"must be a host and a port", "kafka.example.com:9092"},
	`^(\d{1,5}|\d{1,5}-\d{1,5})$`:                    {"must be a port, or the first and last of a range of ports", "8080"},
	`^G-[A-Za-z0-9-]+$`:                              {"must be a measurement id: G- with letters, digits and dashes after it", "G-ABC1234567"},
	`^GTM-[A-Za-z0-9]+$`:                             {"must be a container id: GTM- with letters and digits after it", "GTM-ABC1234"},
	`^P(?:\d+(?:\.\d+)?Y)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?W)?(?:\d+(?:\.\d+)?D)?(?:T(?:\d+(?:\.\d+)?H)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?S)?)?$`: {
		"must be a duration of ISO 8601: P1M is a month, P1Y a year, P14D two weeks, PT1H an hour", "P1M",
	},
	`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`: {"must be an id of 26 digits and capital letters (a ULID)", "01G65Z755AFWAKHE12NY0CQ9FH"},
	`^[A-Z]{2}$`:                    {"must be 2 capital letters, as codes of countries are (ISO 3166)", "DE"},
	`^[A-Z]{3}$`:                    {"must be 3 capital letters, as codes of currencies are (ISO 4217)", "USD"},
	`^[A-Za-z0-9._-]{1,256}$`:       {"must have 1 to 256 letters, digits, dots, underscores and dashes", ""},
	`^[A-Za-z0-9._?*-]+$`:           {"may hold letters, digits, dots, underscores, dashes and the wildcards ? and * only", "orders-*"},
	`^[a-zA-Z0-9.\-_~]*$`:           {"may hold letters, digits, dots, dashes, underscores and tildes only", ""},
	`^[\.-]([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*([a-z0-9-]*[a-z0-9])$`: {
		"must be the end of a host name, in lowercase letters, with a dot or a dash before it", ".kafka.example.com",
	},
	`^[\w \W]+$`: {"must not be empty", ""},
	`^[^,<>]*$`:  {"must not hold commas, < or >", ""},
	labelPattern: {"may hold letters, digits, dots, underscores and dashes only, " + bothEnds, ""},
	`^[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?)*$`: {"must be a host name in lowercase letters", "kafka.example.com"},
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`: {"may hold lowercase letters, digits and dashes only, " + bothEnds, ""},
	`^[a-z0-9]+(?:_[a-z0-9]+)*$`:      {"may hold lowercase letters and digits only, with single underscores between them", ""},
	`^\-?[0-9]+(\.[0-9]+)?$`:          {"must be a number of digits with at most one point, in quotes", "10.00"},
	`^\d+\.\d+$`:                      {"must be two numbers with a point between them, in quotes", "1.0"},
	`^arn:aws:kms:.+`:                 {"must be the ARN of a key of AWS KMS", "arn:aws:kms:us-east-1:123456789012:key/5f9fd312-a987-4628-b4c5-bb4f4fddd5f7"},
	`^txcd_\d{8}$`:                    {"must be a tax code of Stripe: txcd_ with 8 digits after it", "txcd_10000000"},
	`^data:image/(x-icon|ico|icon|vnd.microsoft.icon)(;base64)?,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`: {dataURL, anImage},
	`^data:image/gif(;base64)?,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`:                                  {dataURL, anImage},
	`^data:image/jpeg(;base64)?,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`:                                 {dataURL, anImage},
	`^data:image/png(;base64)?,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`:                                  {dataURL, anImage},
	`^data:image/svg\+xml(;base64)?,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`:                             {dataURL, anImage},
}

const (
	colorPattern = `^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$`
	labelPattern = `^[a-z0-9A-Z]{1}([a-z0-9A-Z-._]*[a-z0-9A-Z]+)?$`
)

// inWords is what a pattern asks for; ok is false for one that nobody has put
// into words.
func inWords(pattern string) (form, bool) {
	if f, ok := forms[pattern]; ok {
		return f, true
	}
	if letters := lettersOf(pattern); letters != "" {
		return form{says: fmt.Sprintf("may hold %s only", letters)}, true
	}
	return form{says: "must match " + pattern}, false
}

// pattern puts a pattern into words and shows a value that fits it.
func (c checker) pattern(p value.Path, detail string) (says, fix string) {
	s := c.schema(p)
	if s == nil {
		return detail + ".", "correct it."
	}
	wanted := s.Pattern
	if _, of, ok := strings.Cut(detail, "must match "); ok {
		wanted = of // that of the form which comes closest, where there are several
	}
	text, _ := c.r.Fields.Lookup(p).Text()
	f, _ := inWords(wanted)
	return f.says + ".", fixer{c}.patternFix(p, s, wanted, text)
}

// patternFix shows a text that fits a pattern: one made of what was written, where
// that can be done and may be shown, or another of the kind that is asked for.
func (x fixer) patternFix(p value.Path, s *contract.Schema, wanted, text string) string {
	f, _ := inWords(wanted)
	if mayQuote(p, s) && len(text) <= maxRef {
		for _, near := range nearby(text) {
			if near != "" && near != text && x.accepts(p, near) {
				return "write for example " + written(p, near)
			}
		}
	}
	switch {
	case f.example == anImage:
		return imageFix(p, s, text)
	case f.example != "":
		return "write for example " + written(p, f.example)
	case lettersOf(wanted) != "":
		return "write it with these alone."
	default:
		return "write a text of that form."
	}
}

// imageFix names a file with an image: the one that a text looks like the path of.
func imageFix(p value.Path, s *contract.Schema, text string) string {
	if imagePath.MatchString(text) && mayQuote(p, s) {
		return fmt.Sprintf("did you mean !file %s?", text)
	}
	return "write for example " + written(p, anImage)
}

// imagePath is a text that looks like the path of an image.
var imagePath = pattern.New(`^[^\s#:,\[\]{}'"]{1,250}\.(png|jpe?g|gif|svg|ico)$`)

// nearby are texts that people may have meant by one.
func nearby(text string) []string {
	dashed := slug(text)
	small := strings.ToLower(dashed)
	return []string{
		strings.ToUpper(text), decimal(text), dashed, small, strings.ReplaceAll(small, "_", "-"),
		strings.Trim(notWord.ReplaceAllString(small, "_"), "_"), strings.Trim(notPlain.ReplaceAllString(text, " "), " "),
	}
}

var (
	notWord  = pattern.New(`[^a-z0-9]+`)
	notPlain = pattern.New(`\s*[,<>]+\s*`)
)

// decimal is a number without an exponent, "" for what is no number.
func decimal(text string) string {
	const most = 64
	r, ok := new(big.Rat).SetString(text)
	if len(text) > most || !ok || strings.Contains(text, "/") {
		return ""
	}
	if exp := exponent.FindStringSubmatch(text); exp != nil && len(exp[1]) > 2 {
		return ""
	}
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

var exponent = pattern.New(`[eEpP][+-]?([0-9]+)$`)

var class = pattern.New(`^\^\[([^\]^][^\]]*)\][+*]\$$`)

// lettersOf puts a pattern into words that only says which letters a text may
// have; "" for any other.
func lettersOf(pattern string) string {
	m := class.FindStringSubmatch(pattern)
	if m == nil {
		return ""
	}
	rest := m[1]
	var words []string
	for _, part := range []struct{ sign, word string }{
		{`\w`, "letters, digits, underscores"},
		{"a-zA-Z", "letters"},
		{"A-Za-z", "letters"},
		{"a-z", "lowercase letters"},
		{"A-Z", "capital letters"},
		{"0-9", "digits"},
		{".", "dots"},
		{"_", "underscores"},
		{" ", "spaces"},
		{"-", "dashes"},
	} {
		if strings.Contains(rest, part.sign) {
			rest = strings.Replace(rest, part.sign, "", 1)
			words = append(words, part.word)
		}
	}
	if rest != "" {
		return ""
	}
	return diag.Join(words, "and")
}
