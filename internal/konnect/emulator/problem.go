package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kongctl/internal/konnect/contract"
)

// problem is an answer that refuses, in the form of problem+json.
type problem struct {
	Status     int       `json:"status"`
	Title      string    `json:"title"`
	Instance   string    `json:"instance"`
	Detail     string    `json:"detail"`
	Parameters []invalid `json:"invalid_parameters,omitempty"`

	allow []string
	retry time.Duration
}

// invalid is one parameter that is wrong.
type invalid struct {
	Field   string `json:"field"`
	Rule    string `json:"rule,omitempty"`
	Reason  string `json:"reason"`
	Source  string `json:"source,omitempty"`
	Choices []any  `json:"choices,omitempty"`
}

// Error makes a problem usable as an error.
func (p *problem) Error() string { return fmt.Sprintf("%d %s", p.Status, p.Detail) }

func refuse(status int, format string, args ...any) *problem {
	return &problem{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...)}
}

// notFound does not say what was looked for below what: an id that belongs to
// another parent is not there either.
func notFound(kind, id string) *problem {
	return refuse(http.StatusNotFound, "%s %s not found", spaced(kind), id)
}

func spaced(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// bad refuses a request for one field.
func bad(source, field, rule, reason string) *problem {
	return badAll([]invalid{{Field: field, Rule: rule, Reason: reason, Source: source}})
}

func badAll(list []invalid) *problem {
	p := refuse(http.StatusBadRequest, "Invalid Parameters")
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

// violations words what the contract refuses.
func violations(source, prefix string, vs []contract.Violation) *problem {
	list := make([]invalid, len(vs))
	for i, v := range vs {
		field := strings.ReplaceAll(strings.Join(v.Path, "."), ".[", "[")
		if prefix != "" {
			field = prefix
		}
		list[i] = invalid{Field: field, Rule: ruleName(v), Reason: v.Detail, Source: source}
		if v.Rule == contract.RuleEnum {
			for _, a := range v.Allowed {
				list[i].Choices = append(list[i].Choices, a)
			}
		}
	}
	return badAll(list)
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

// legacyProblem is the form in which core entities refuse; nil where they too
// answer with a problem.
func legacyProblem(p *problem) map[string]any {
	code := map[int]int{
		http.StatusBadRequest: 3, http.StatusNotFound: 5, http.StatusConflict: 6, http.StatusForbidden: 7, http.StatusUnauthorized: 16,
		http.StatusMethodNotAllowed: 12, http.StatusNotImplemented: 12, http.StatusRequestEntityTooLarge: 3, http.StatusInternalServerError: 13,
		http.StatusServiceUnavailable: 14, http.StatusBadGateway: 14, http.StatusGatewayTimeout: 4,
	}[p.Status]
	if code == 0 {
		return nil
	}
	details, message := []any{}, p.Detail
	var all []string
	for _, i := range p.Parameters {
		all = append(all, i.Field+": "+i.Reason)
		details = append(details, map[string]any{"type": "ERROR_TYPE_FIELD", "field": i.Field, "messages": []string{i.Reason}})
	}
	if len(all) > 1 { // clients of core entities show the message alone
		message += ": " + strings.Join(all, "; ")
	}
	return map[string]any{"code": code, "status": p.Status, "message": message, "details": details}
}

// headers are those that some refusals come with.
func (p *problem) headers(w http.ResponseWriter) {
	if len(p.allow) > 0 {
		w.Header().Set("Allow", strings.Join(p.allow, ", "))
	}
	if p.retry > 0 {
		w.Header().Set("Retry-After", seconds(p.retry))
	}
}

func (s *Server) writeProblem(w http.ResponseWriter, p *problem) {
	out := *p
	out.Instance = "konnect:trace:" + s.trace()
	body, err := json.Marshal(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.headers(w)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the client is gone: nobody is left to be told
}
