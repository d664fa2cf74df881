package cluster

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const hidden = "[hidden]"

// mask takes values out of texts of the server, which quotes what it refuses.
type mask struct{ forms []string }

// secretFields are the fields of a Secret with values.
var secretFields = []string{"data", "stringData"}

// maskOf hides the data of a Secret and the values that the caller names.
func maskOf(k Kind, object map[string]any, values []string) mask {
	var m mask
	if k.Group == "" && k.Kind == "Secret" {
		for _, field := range secretFields {
			m.leaves(object[field])
		}
	}
	for _, v := range values {
		m.add(v)
	}
	// A value may be part of another: the longer goes first.
	slices.SortFunc(m.forms, func(a, b string) int { return len(b) - len(a) })
	m.forms = slices.Compact(m.forms)
	return m
}

func (m *mask) leaves(v any) {
	switch v := v.(type) {
	case nil, bool:
	case map[string]any:
		for _, x := range v {
			m.leaves(x)
		}
	case []any:
		for _, x := range v {
			m.leaves(x)
		}
	case string:
		m.add(v)
	default:
		m.add(fmt.Sprint(v))
	}
}

// add notes a value in all forms that it may be quoted in.
func (m *mask) add(value string) {
	forms := []string{value, strings.TrimSpace(value)}
	if plain, err := base64.StdEncoding.DecodeString(value); err == nil && utf8.Valid(plain) {
		forms = append(forms, string(plain), strings.TrimSpace(string(plain)))
	}
	forms = append(forms, base64.StdEncoding.EncodeToString([]byte(value)))
	for _, form := range forms {
		if form == "" {
			continue
		}
		m.forms = append(m.forms, form)
		if quoted, err := json.Marshal(form); err == nil {
			m.forms = append(m.forms, string(quoted[1:len(quoted)-1]))
		}
		if quoted := fmt.Sprintf("%q", form); quoted != `"`+form+`"` {
			m.forms = append(m.forms, quoted[1:len(quoted)-1])
		}
		// clean turns line breaks into blanks.
		m.forms = append(m.forms, clean(form))
	}
}

// text hides the values in a text.
func (m mask) text(text string) string {
	for _, form := range m.forms {
		text = hide(text, form)
	}
	return text
}

// short values are hidden only where they stand alone: "1" is a part of much.
const short = 3

func hide(text, value string) string {
	if value == "" {
		return text
	}
	if len(value) > short {
		return strings.ReplaceAll(text, value, hidden)
	}
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			b.WriteString(text[at:])
			return b.String()
		}
		from, to := at+i, at+i+len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		b.WriteString(text[at:from])
		if wordRune(before) || wordRune(after) {
			b.WriteString(value)
		} else {
			b.WriteString(hidden)
		}
		at = to
	}
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// err returns an error whose texts hide the values. An answer stays an answer.
func (m mask) err(err error) error {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		if text := err.Error(); m.text(text) != text {
			return &maskedError{text: m.text(text), cause: err}
		}
		return err
	}
	out := status.ErrStatus.DeepCopy()
	out.Message = clean(m.text(out.Message))
	if out.Details != nil {
		for i := range out.Details.Causes {
			cause := &out.Details.Causes[i]
			if cause.Type != metav1.CauseTypeFieldManagerConflict {
				cause.Message, cause.Field = clean(m.text(cause.Message)), clean(m.text(cause.Field))
			}
		}
	}
	return &apierrors.StatusError{ErrStatus: *out}
}

// maskedError is the cause of a failure with values hidden; the cause itself
// can be asked for its behaviour, not for its text.
type maskedError struct {
	text  string
	cause error
}

func (e *maskedError) Error() string   { return e.text }
func (e *maskedError) Is(t error) bool { return errors.Is(e.cause, t) }
