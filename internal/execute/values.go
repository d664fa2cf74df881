package execute

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Values finds what expressions of a plan stand for.
type Values struct {
	Env     func(string) (string, bool)
	Folders source.Folders
	// Inputs are the files that the plan was made of.
	Inputs []plan.Input
}

// Evaluate returns what a change sends with its expressions evaluated, and what
// must be hidden of its secrets.
func (v Values) Evaluate(c *plan.Change) (fields map[string]any, secrets []string, err error) {
	fields, secrets, missing := v.gather(c)
	return fields, secrets, missing.err()
}

// gather evaluates the expressions of a change as far as it can, and returns what is
// missing.
func (v Values) gather(c *plan.Change) (fields map[string]any, secrets []string, missing Missing) {
	fields = fieldsOf(c)
	for _, e := range c.Expressions {
		x, err := v.one(e.Expression)
		if err != nil {
			missing = append(missing, lack(c, e.Field, false, err))
			continue
		}
		value.Set(fields, value.ParsePath(e.Field), x)
	}
	for _, e := range c.SecretWrites {
		s, hidden, err := v.Secret(e.Expression)
		if err != nil {
			missing = append(missing, lack(c, e.Field, true, err))
			continue
		}
		value.Set(fields, value.ParsePath(e.Field), s)
		secrets = append(secrets, hidden...)
	}
	return fields, secrets, missing
}

// known returns what a change sends, with the variables that are set here.
func (v Values) known(c *plan.Change) map[string]any {
	fields := fieldsOf(c)
	for _, e := range c.Expressions {
		if x, err := v.one(e.Expression); err == nil {
			value.Set(fields, value.ParsePath(e.Field), x)
		}
	}
	return fields
}

func fieldsOf(c *plan.Change) map[string]any {
	fields, _ := value.Clone(c.Fields).(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	return fields
}

// one finds the value of an expression. Errors name the variable or file,
// never what is in it.
func (v Values) one(e map[string]any) (any, error) {
	extract, _ := e["extract"].(string)
	if name, ok := e["env"].(string); ok {
		text, set := v.Env(name)
		if !set {
			return nil, &unreadError{name, text}
		}
		out, err := value.FromEnv(text, extract)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return out, nil
	}
	if file, ok := e["file"].(string); ok {
		base, _ := e["base"].(string)
		if !filepath.IsAbs(filepath.FromSlash(file)) {
			file = path.Join(base, file)
		}
		return v.Folders.ReadSecret(filepath.FromSlash(file), extract)
	}
	if file, ok := e["input"].(string); ok {
		return v.part(file, e)
	}
	if text, ok := e["text"].(string); ok {
		return text, nil
	}
	return nil, errors.New("the plan holds an expression that this program does not know")
}

// part finds a value in a document of a file that the plan was made of.
func (v Values) part(file string, e map[string]any) (any, error) {
	raw, err := v.Input(v.Inputs, file)
	if err != nil {
		return nil, err
	}
	text, _ := e["document"].(string)
	document, err := strconv.Atoi(text)
	if err != nil {
		return nil, errors.New("the plan does not say which document of " + file + " it means")
	}
	at, _ := e["path"].(string)
	out, err := source.Part(raw, document, at)
	var other *source.FileError
	switch {
	case errors.As(err, &other):
		name, ok := e["content_of"].(string)
		if !ok {
			return nil, fmt.Errorf("%s: the plan does not say that the value is the content of %s", file, other.Path)
		}
		if raw, err = v.Input(v.Inputs, name); err != nil {
			return nil, err
		}
		return source.Content(name, raw, other.Extract)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return out, nil
}

// Secret joins the parts of a secret. It returns what must be hidden, too: the
// whole and every part that is not written in the plan, for a service may
// quote either.
func (v Values) Secret(e map[string]any) (whole string, hidden []string, err error) {
	parts, _ := e["parts"].([]any)
	if source, ok := e["source"]; ok {
		parts = []any{source}
	}
	if len(parts) == 0 {
		return "", nil, errors.New("the plan holds a secret without a source")
	}
	var b strings.Builder
	for _, p := range parts {
		m, _ := p.(map[string]any)
		part, err := v.one(m)
		if err != nil {
			return "", nil, err
		}
		s, ok := part.(string)
		if !ok {
			return "", nil, errors.New("a part of the secret is not a text")
		}
		b.WriteString(s)
		if _, written := m["text"]; !written {
			hidden = append(hidden, s)
		}
	}
	if b.Len() == 0 {
		return "", nil, errors.New("the secret is empty")
	}
	return b.String(), append(hidden, b.String()), nil
}
