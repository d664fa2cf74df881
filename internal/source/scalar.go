package source

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// The core schema of YAML 1.2. The parser's own rules are older: it takes 0777
// for octal, 1_000 for a number and dates for times.
var (
	integer = pattern.New(`^[-+]?[0-9]+$`)
	based   = pattern.New(`^0o[0-7]+$|^0x[0-9a-fA-F]+$`)
	float   = pattern.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	special = pattern.New(`^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$`)
)

// maxDigits is above what any double needs and below what costs time.
const maxDigits = 400

const numberFix = "write a number that JSON can hold, or quote it to make it text."

// scalar gives a scalar its JSON form, or says why it has none.
func scalar(pos value.Pos, n *yaml.Node) (value.Value, string) {
	const notPlain = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	text := n.Value
	tagged := n.Style&yaml.TaggedStyle != 0
	switch {
	case tagged && (n.Tag == "!!str" || n.Tag == "!!timestamp"):
		return value.StringAt(pos, text), ""
	case !tagged && n.Style&notPlain != 0:
		return value.StringAt(pos, text), ""
	}
	v, problem := core(pos, text)
	if problem == "" && tagged && !fits(v, n.Tag) {
		problem = fmt.Sprintf("The tag %s does not fit the value.", n.Tag)
	}
	return v, problem
}

func core(pos value.Pos, text string) (value.Value, string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return value.NullAt(pos), ""
	case "true", "True", "TRUE":
		return value.BoolAt(pos, true).WrittenAs(text), ""
	case "false", "False", "FALSE":
		return value.BoolAt(pos, false).WrittenAs(text), ""
	}
	switch {
	case special.MatchString(text):
		return value.NullAt(pos), fmt.Sprintf("The number %s does not exist in JSON.", text)
	case integer.MatchString(text), float.MatchString(text), based.MatchString(text):
		if len(text) > maxDigits {
			return value.NullAt(pos), fmt.Sprintf("The number has more than %d digits.", maxDigits)
		}
		n := number(text)
		if problem := value.Unfit(n); problem != "" {
			return value.NullAt(pos), "The number " + problem + "."
		}
		return value.NumberAt(pos, n).WrittenAs(text), ""
	default:
		return value.StringAt(pos, text), ""
	}
}

// number writes a YAML number as JSON does, with the digits as they are.
func number(text string) json.Number {
	if based.MatchString(text) {
		n, _ := new(big.Int).SetString(text, 0)
		return json.Number(n.String())
	}
	sign := ""
	switch text[0] {
	case '-':
		sign, text = "-", text[1:]
	case '+':
		text = text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return json.Number(sign + whole + exponent)
}

func fits(v value.Value, tag string) bool {
	switch tag {
	case "!!null":
		return v.Kind() == value.Null
	case "!!bool":
		return v.Kind() == value.Bool
	case "!!int":
		n, ok := v.Number()
		return ok && !strings.ContainsAny(n.String(), ".eE")
	case "!!float":
		return v.Kind() == value.Number
	default:
		return false
	}
}

func isNull(n *yaml.Node) bool {
	v, problem := scalar(value.Pos{}, n)
	return v.Kind() == value.Null && problem == ""
}

func isMerge(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!merge" }

// isCustom tells whether the node has a tag that YAML itself does not define
// for its kind.
func isCustom(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle == 0 {
		return false
	}
	switch n.Tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge":
		return n.Kind != yaml.ScalarNode
	case "!!map":
		return n.Kind != yaml.MappingNode
	case "!!seq":
		return n.Kind != yaml.SequenceNode
	default:
		return true
	}
}

// The scalars that YAML 1.1 reads differently.
var (
	octal      = pattern.New(`^[-+]?0[0-7_]+$`)
	binary     = pattern.New(`^[-+]?0b[01_]+$`)
	underscore = pattern.New(`^[-+]?[1-9][0-9]*(_[0-9]+)+$`)
)

// older gives a plain scalar the meaning that YAML 1.1 gives it.
func older(v value.Value, n *yaml.Node) value.Value {
	const notPlain = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	if n.Style&notPlain != 0 {
		return v
	}
	switch text := n.Value; text {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
		return value.BoolAt(v.Pos(), true).WrittenAs(text)
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return value.BoolAt(v.Pos(), false).WrittenAs(text)
	default:
		if !octal.MatchString(text) && !binary.MatchString(text) && !underscore.MatchString(text) {
			return v
		}
		whole, ok := new(big.Int).SetString(text, 0)
		if !ok {
			return v
		}
		n := json.Number(whole.String())
		if value.Unfit(n) != "" {
			return v
		}
		return value.NumberAt(v.Pos(), n).WrittenAs(text)
	}
}
