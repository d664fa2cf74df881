package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/lint"
	"github.com/kongctl/kongctl/internal/node"
)

const kong = `_format_version: "3.0"
services:
- name: first-one
  url: http://a.example.com
  tags: [b, a]
  port: 80
- name: Second_One
  url: https://b.example.com
  enabled: false
  path: !env SECRET
labels: {b: 1, a: 2}
`

// found are the findings of a rule over kong, a line each.
func found(t *testing.T, rule string) []string {
	t.Helper()
	rules, err := lint.Load("rules.yaml", []byte("rules:\n  r:\n    "+strings.ReplaceAll(strings.TrimSpace(rule), "\n", "\n    ")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := node.Parse("kong.yaml", []byte(kong))
	if err != nil {
		t.Fatal(err)
	}
	list, err := rules.Lint("kong.yaml", docs)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %d:%d %s %s", f.Severity, f.Pos.Line, f.Pos.Column, f.Path, f.Message))
	}
	return out
}

func TestFunctions(t *testing.T) {
	for name, c := range map[string]struct {
		rule string
		want []string
	}{
		"truthy":               {"given: $.services[*]\nthen: {field: tags, function: truthy}", []string{`warn 7:3 $.services[1].tags "tags" must be set`}},
		"truthy of false":      {"given: $.services[*].enabled\nthen: {function: truthy}", []string{`warn 9:12 $.services[1].enabled "enabled" must be set`}},
		"falsy":                {"given: $.services[*]\nthen: {field: tags, function: falsy}", []string{`warn 5:9 $.services[0].tags "tags" must not be set`}},
		"defined":              {"given: $.services[*]\nthen: {field: enabled, function: defined}", []string{`warn 3:3 $.services[0].enabled "enabled" must be there`}},
		"defined at the root":  {"given: $\nthen: {field: _info.tags, function: defined}", []string{`warn 1:1 $._info.tags "tags" must be there`}},
		"undefined":            {"given: $.services[*]\nthen: {field: port, function: undefined}", []string{`warn 6:9 $.services[0].port "port" must not be there`}},
		"pattern":              {"given: $.services[*].url\nseverity: error\nthen: {function: pattern, functionOptions: {match: ^https}}", []string{`error 4:8 $.services[0].url must match the pattern "^https"`}},
		"pattern with flags":   {"given: $.services[*].url\nthen: {function: pattern, functionOptions: {match: /^HTTPS/i}}", []string{`warn 4:8 $.services[0].url must match the pattern "(?i)^HTTPS"`}},
		"pattern not":          {"given: $.services[*].url\nthen: {function: pattern, functionOptions: {notMatch: ^https}}", []string{`warn 8:8 $.services[1].url must not match the pattern "^https"`}},
		"pattern of no text":   {"given: $.services[*].port\nthen: {function: pattern, functionOptions: {match: x}}", nil},
		"enumeration":          {"given: $.services[*].port\nseverity: 2\nthen: {function: enumeration, functionOptions: {values: [443, 8443]}}", []string{`info 6:9 $.services[0].port must be one of 443, 8443`}},
		"enumeration that has": {"given: $.services[*].port\nthen: {function: enumeration, functionOptions: {values: [80]}}", nil},
		"enumeration as text":  {"given: $.services[*].name\nthen: {function: enumeration, functionOptions: {values: 'x, first-one'}}", []string{`warn 7:9 $.services[1].name must be one of x, first-one`}},
		"length of text":       {"given: $.services[*].name\nthen: {function: length, functionOptions: {max: 9}}", []string{`warn 7:9 $.services[1].name the length must be at most 9`}},
		"length of a list":     {"given: $.services\nthen: {function: length, functionOptions: {min: 3}}", []string{`warn 3:1 $.services the number of items must be at least 3`}},
		"length of a mapping":  {"given: $.labels\nthen: {function: length, functionOptions: {max: 1}}", []string{`warn 11:9 $.labels the number of keys must be at most 1`}},
		"length of a number":   {"given: $..port\nthen: {function: length, functionOptions: {max: 79.5}}", []string{`warn 6:9 $.services[0].port the number must be at most 79.5`}},
		"casing":               {"given: $.services[*].name\nthen: {function: casing, functionOptions: {type: kebab}}", []string{`warn 7:9 $.services[1].name must be in kebab case`}},
		"casing of keys":       {"given: $.services[*]\nthen: {field: '@key', function: pattern, functionOptions: {notMatch: ^port$}}", []string{`warn 6:3 $.services[0].port must not match the pattern "^port$"`}},
		"casing of keys by ~":  {"given: $.labels.*~\nthen: {function: enumeration, functionOptions: {values: [a]}}", []string{`warn 11:10 $.labels.b~ must be one of a`}},
		"alphabetical":         {"given: $.services[*].tags\nthen: {function: alphabetical}", []string{`warn 5:13 $.services[0].tags[1] must be in alphabetical order`}},
		"alphabetical keys":    {"given: $.labels\nthen: {function: alphabetical}", []string{`warn 11:16 $.labels.a must be in alphabetical order`}},
		"alphabetical by key":  {"given: $.services\nthen: {function: alphabetical, functionOptions: {keyedBy: name}}", []string{`warn 7:9 $.services[1] must be in alphabetical order`}},
		"schema":               {"given: $.services[*]\nthen: {function: schema, functionOptions: {schema: {type: object, properties: {port: {type: string}}}}}", []string{`warn 6:9 $.services[0].port must be string, not number`}},
		"schema, all errors": {
			"given: $.services[1]\nthen: {function: schema, functionOptions: {allErrors: true, schema: {required: [host, port], properties: {path: {pattern: ^/}}}}}",
			[]string{"warn 7:3 $.services[1] must have host and port", `warn 10:9 $.services[1].path must match the pattern "^/"`},
		},
		"xor":            {"given: $.services[*]\nthen: {function: xor, functionOptions: {properties: [url, port]}}", []string{`warn 3:3 $.services[0] must have exactly one of url and port, and has 2`}},
		"or":             {"given: $.services[*]\nthen: {function: or, functionOptions: {properties: [port, host]}}", []string{`warn 7:3 $.services[1] must have at least one of port and host, and has 0`}},
		"field as path":  {"given: $\nthen: {field: '$.services[*].port', function: falsy}", []string{`warn 6:9 $.services[0].port "port" must not be set`}},
		"given twice":    {"given: ['$.services[0].port', $..port]\nthen: {function: falsy}", []string{`warn 6:9 $.services[0].port "port" must not be set`}},
		"then twice":     {"given: $..port\nthen: [{function: falsy}, {function: undefined}]", []string{`warn 6:9 $.services[0].port "port" must not be set`, `warn 6:9 $.services[0].port "port" must not be there`}},
		"off":            {"given: $\nseverity: off\nthen: {function: falsy}", nil},
		"not enabled":    {"given: $\nrecommended: false\nthen: {function: falsy}", nil},
		"description":    {"given: $..port\ndescription: No ports.\nthen: {function: undefined}", []string{`warn 6:9 $.services[0].port No ports: "port" must not be there`}},
		"message":        {"given: $..port\ndescription: D\nmessage: '{{ description }}|{{property}}|{{path}}|{{value}}|{{error}}|{{other}}'\nthen: {function: undefined}", []string{`warn 6:9 $.services[0].port D|port|$.services[0].port|80|"port" must not be there|{{other}}`}},
		"value not said": {"given: $..path\nthen: [{function: pattern, functionOptions: {match: ^/}}, {function: schema, functionOptions: {schema: {format: uri, maxLength: 2}}}]", []string{`warn 10:9 $.services[1].path must match the pattern "^/"`, `warn 10:9 $.services[1].path is not a valid uri`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := found(t, c.rule)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if name == "value not said" && strings.Contains(strings.Join(got, ""), "SECRET") {
				t.Error("a value is quoted")
			}
		})
	}
}

func TestCasing(t *testing.T) {
	for text, fits := range map[string]string{
		"flat": "flat camel kebab snake", "camelCase": "camel", "PascalCase": "pascal", "kebab-case": "kebab", "COBOL-CASE": "cobol", "snake_case": "snake", "MACRO_CASE": "macro",
		"A": "pascal cobol macro", "a1": "flat camel kebab snake", "-a": "", "a-": "", "a b": "",
	} {
		for _, kind := range []string{"flat", "camel", "pascal", "kebab", "cobol", "snake", "macro"} {
			rules, err := lint.Load("r", []byte("rules: {r: {given: $.a, then: {function: casing, functionOptions: {type: "+kind+"}}}}"))
			if err != nil {
				t.Fatal(err)
			}
			docs, err := node.Parse("f", []byte(fmt.Sprintf("a: %q\n", text)))
			if err != nil {
				t.Fatal(err)
			}
			list, err := rules.Lint("f", docs)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Contains(" "+fits+" ", " "+kind+" "); want != (len(list) == 0) {
				t.Errorf("%s is %s: %v", text, kind, !want)
			}
		}
	}
}

func TestTypedEnum(t *testing.T) {
	rules, err := lint.Load("r", []byte("rules: {r: {given: '$.*', then: {function: typedEnum}}}"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := node.Parse("f", []byte("a: {type: integer, enum: [1, 1.5, x]}\nb: {type: [string, \"null\"], enum: [a, null, true]}\nc: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := rules.Lint("f", docs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		got = append(got, f.Path+" "+f.Message)
	}
	want := []string{"$.a.enum[1] an item of enum does not have the type integer", "$.a.enum[2] an item of enum does not have the type integer", "$.b.enum[2] an item of enum does not have the type string or null"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAliases(t *testing.T) {
	rules, err := lint.Load("r", []byte("aliases: {All: ['$.a', '#Other.b'], Other: [$.o]}\nrules: {r: {given: '#All.x', then: {function: falsy}}, s: off}"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := node.Parse("f", []byte("a: {x: 1}\no: {b: {x: 2}}\n---\na: {x: 0}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := rules.Lint("f", docs)
	if err != nil || len(list) != 2 || list[1].Path != "$.o.b.x" || rules.Len() != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestSeverities(t *testing.T) {
	if !lint.Error.AtLeast(lint.Hint) || lint.Hint.AtLeast(lint.Info) || !lint.Warn.AtLeast(lint.Warn) {
		t.Error("the order of severities is wrong")
	}
}

func TestLoadRefuses(t *testing.T) {
	rule := func(text string) string { return "rules: {r: {given: $, then: " + text + "}}" }
	options := func(name, text string) string {
		return rule("{function: " + name + ", functionOptions: " + text + "}")
	}
	for name, c := range map[string]struct{ in, want string }{
		"not YAML":              {"rules: {", "SRC002"},
		"no rules":              {"a: 1", "no mapping of rules"},
		"empty rules":           {"rules: {}", "no mapping of rules"},
		"extends":               {"extends: spectral:oas\nrules: {r: {given: $, then: {function: truthy}}}", "r.yaml:1:1"},
		"extends alone":         {"extends: spectral:oas\nrules: {}", `"extends" is not supported: a ruleset stands by itself`},
		"an unknown root key":   {"rule: 1\nrules: {r: {given: $, then: {function: truthy}}}", `"rule" is not known`},
		"an unknown key":        {"rules: {r: {given: $, them: 1, then: {function: truthy}}}", `"them" is not known`},
		"no then":               {"rules: {r: {given: $}}", "no given or no then"},
		"a rule that is text":   {"rules: {r: error}", "not a mapping"},
		"a wrong path":          {"rules: {r: {given: '$..[', then: {function: truthy}}}", "r.yaml:1:20"},
		"an unknown alias":      {"rules: {r: {given: '#A', then: {function: truthy}}}", `alias "A"`},
		"an alias of itself":    {"aliases: {A: ['#A']}\nrules: {r: {given: '#A', then: {function: truthy}}}", `alias "A"`},
		"an unknown severity":   {"rules: {r: {given: $, severity: bad, then: {function: truthy}}}", `severity "bad"`},
		"an unknown function":   {rule("{function: oasPathParam}"), "use alphabetical, casing"},
		"no function":           {rule("{field: a}"), `function ""`},
		"a wrong field":         {rule("{field: '$..[', function: truthy}"), "JSONPath"},
		"options of none":       {options("truthy", "{a: 1}"), "no options"},
		"options that are text": {options("pattern", "a"), "not a mapping"},
		"no pattern":            {options("pattern", "{}"), "match or notMatch"},
		"a wrong pattern":       {options("pattern", "{match: '('}"), "RE2"},
		"lookaround":            {options("pattern", "{notMatch: '(?!a)'}"), "RE2"},
		"no values":             {options("enumeration", "{}"), "not a list"},
		"no bounds":             {options("length", "{}"), "min or max"},
		"wrong bounds":          {options("length", "{min: a}"), "not a number"},
		"no case":               {options("casing", "{type: odd}"), "flat, camel"},
		"a wrong separator":     {options("casing", "{type: flat, separator: {char: ab}}"), "one character"},
		"no schema":             {options("schema", "{}"), "schema is missing"},
		"a wrong schema":        {options("schema", "{schema: {type: odd}}"), "not a JSON schema"},
		"a schema elsewhere":    {options("schema", "{schema: {$ref: 'file:///etc/passwd'}}"), "is not read"},
		"an unknown dialect":    {options("schema", "{schema: {}, dialect: draft1}"), "dialect"},
		"one property":          {options("xor", "{properties: [a]}"), "two names"},
		"two documents":         {rule("{function: truthy}") + "\n---\nrules: {}\n", "more than one document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lint.Load("r.yaml", []byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if err != nil && name != "not YAML" && !strings.Contains(err.Error(), "LINT001") {
				t.Errorf("error %v", err)
			}
		})
	}
}
