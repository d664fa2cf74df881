package plan

import (
	"strconv"

	"github.com/kongctl/kongctl/internal/value"
)

// NewExpression writes an expression the way plans hold it: by name, never by
// value. Files are named by their base folder, relative to the plan, and the
// path below it.
func NewExpression(e *value.Expression, base string) map[string]any {
	out := map[string]any{string(e.Op): e.Name}
	if e.Op == value.OpFile {
		out["base"] = base
	}
	if e.Field != "" {
		out["extract"] = e.Field
	}
	return out
}

// InputExpression points into a document of a file that the plan was made of:
// the plan does not hold the value, and the digest of the file keeps it.
func InputExpression(file string, document int, path value.Path) map[string]any {
	return map[string]any{"input": file, "document": strconv.Itoa(document), "path": path.String()}
}

// ThroughFile says which other file the value that an expression points at is the
// content of.
func ThroughFile(e map[string]any, file string) map[string]any {
	e["content_of"] = file
	return e
}

// SecretExpression writes the parts of a secret.
func SecretExpression(e *value.Expression, base string) map[string]any {
	parts := make([]any, len(e.Parts))
	for i, p := range e.Parts {
		if inner := p.Expr(); inner != nil {
			parts[i] = NewExpression(inner, base)
		} else {
			parts[i] = map[string]any{"text": p.Plain(nil)}
		}
	}
	if len(parts) == 1 {
		return map[string]any{"source": parts[0]}
	}
	return map[string]any{"parts": parts}
}
