package model

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Problem is an answer that refuses, in the form of problem+json.
type Problem struct {
	Status     int       `json:"status"`
	Title      string    `json:"title"`
	Instance   string    `json:"instance"`
	Detail     string    `json:"detail"`
	Parameters []Invalid `json:"invalid_parameters,omitempty"`

	// Allow are the methods that a path takes.
	Allow []string `json:"-"`
	// Retry is how long clients are asked to wait.
	Retry time.Duration `json:"-"`
}

// Invalid is one parameter that is wrong.
type Invalid struct {
	Field   string `json:"field"`
	Rule    string `json:"rule,omitempty"`
	Reason  string `json:"reason"`
	Source  string `json:"source,omitempty"`
	Choices []any  `json:"choices,omitempty"`
}

// Error makes a problem usable as an error.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s", p.Status, p.Detail) }

// Refuse refuses a request with a status.
func Refuse(status int, format string, args ...any) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...)}
}

// NotFound does not say what was looked for below what: an id that belongs to
// another parent is not there either.
func NotFound(kind, id string) *Problem {
	return Refuse(http.StatusNotFound, "%s %s not found", catalog.Words(kind), id)
}

// Bad refuses a request for one field.
func Bad(source, field, rule, reason string) *Problem {
	return BadAll([]Invalid{{Field: field, Rule: rule, Reason: reason, Source: source}})
}

// BadAll refuses a request for several fields. Each thing that is wrong with one is said
// once.
func BadAll(list []Invalid) *Problem {
	said := map[string]bool{}
	list = slices.DeleteFunc(slices.Clone(list), func(i Invalid) bool {
		key := fmt.Sprintf("%q", []any{i.Source, i.Field, i.Rule, i.Reason})
		twice := said[key]
		said[key] = true
		return twice
	})
	p := Refuse(http.StatusBadRequest, "Invalid Parameters")
	if len(list) == 1 {
		field := list[0].Field
		if field == "" {
			field = list[0].Source
		}
		p.Detail = "Invalid Parameters: " + field + ": " + list[0].Reason
	}
	p.Parameters = list
	return p
}

// Violations words what the contract refuses.
func Violations(source, prefix string, vs []contract.Violation) *Problem {
	list := make([]Invalid, len(vs))
	for i, v := range vs {
		field := strings.ReplaceAll(strings.Join(v.Path, "."), ".[", "[")
		if prefix != "" {
			field = prefix
		}
		list[i] = Invalid{Field: field, Rule: ruleName(v), Reason: v.Detail, Source: source}
		if v.Rule == contract.RuleEnum {
			for _, a := range v.Allowed {
				list[i].Choices = append(list[i].Choices, a)
			}
		}
	}
	return BadAll(list)
}

// ruleName is Konnect's word for a rule.
func ruleName(v contract.Violation) string {
	switch v.Rule {
	case contract.RuleRequired:
		return "required"
	case contract.RuleUnknown:
		return "unknown_property"
	case contract.RuleType, contract.RuleNull:
		return "type"
	case contract.RuleEnum:
		if len(v.Allowed) > 0 {
			return "enum"
		}
		return "invalid"
	case contract.RulePattern:
		return "matches_regex"
	case contract.RuleFormat:
		switch {
		case strings.HasSuffix(v.Detail, "uuid"):
			return "is_uuid"
		case strings.HasSuffix(v.Detail, "date-time"):
			return "is_date_time"
		}
		return "invalid"
	default:
		return "invalid"
	}
}
