package execute

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"kongctl/internal/source"
	"kongctl/internal/value"
)

// evaluate finds the value of an expression. Errors name the variable or file,
// never what is in it.
func (r *run) evaluate(e map[string]any) (any, error) {
	extract, _ := e["extract"].(string)
	if name, ok := e["env"].(string); ok {
		text, set := r.Env(name)
		if !set {
			return nil, fmt.Errorf("the environment variable %s is not set", name)
		}
		v, err := value.FromEnv(text, extract)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return v, nil
	}
	if file, ok := e["file"].(string); ok {
		base, _ := e["base"].(string)
		if !filepath.IsAbs(filepath.FromSlash(file)) {
			file = path.Join(base, file)
		}
		return r.folders().ReadSecret(filepath.FromSlash(file), extract)
	}
	if text, ok := e["text"].(string); ok {
		return text, nil
	}
	return nil, errors.New("the plan holds an expression that this program does not know")
}

// folders are where the files are that the plan names.
func (r *run) folders() source.Folders {
	f := source.Folders{Dir: r.Dir, Bases: r.Bases}
	if f.Bases == nil {
		f.Bases = []string{r.Dir}
	}
	return f
}

// secret joins the parts of a secret. It returns what must be hidden, too: the
// whole and every part that is not written in the plan, for a service may
// quote either.
func (r *run) secret(e map[string]any) (whole string, hidden []string, err error) {
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
		v, err := r.evaluate(m)
		if err != nil {
			return "", nil, err
		}
		s, ok := v.(string)
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
