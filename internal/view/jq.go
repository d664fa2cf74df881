package view

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/kongctl/kongctl/internal/pattern"
)

// Jq is a compiled expression of jq. It reads no variables and no files.
type Jq struct{ code *gojq.Code }

// NewJq compiles an expression.
func NewJq(expression string) (*Jq, error) {
	parsed, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, err
	}
	return &Jq{code}, nil
}

// Results are what the expression makes of data. It may take forever: ctx ends it.
func (q *Jq) Results(ctx context.Context, data any) ([]any, error) {
	var out []any
	results := q.code.RunWithContext(ctx, plainNumbers(data))
	for {
		v, more := results.Next()
		if !more {
			return out, nil
		}
		if err, failed := v.(error); failed {
			return nil, err
		}
		out = append(out, v)
	}
}

// WriteResults writes each result as JSON; raw writes texts as they are.
func WriteResults(w io.Writer, results []any, raw bool) error {
	for _, v := range results {
		if text, isText := v.(string); isText && raw {
			if _, err := io.WriteString(w, text+"\n"); err != nil {
				return err
			}
			continue
		}
		if err := WriteJSON(w, v); err != nil {
			return err
		}
	}
	return nil
}

// plainNumbers has the numbers that gojq takes.
func plainNumbers(data any) any {
	switch x := data.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, v := range x {
			out[k] = plainNumbers(v)
		}
		return out
	case []map[string]any:
		out := make([]any, len(x))
		for i, v := range x {
			out[i] = plainNumbers(v)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, v := range x {
			out[i] = plainNumbers(v)
		}
		return out
	case json.Number:
		if whole, ok := new(big.Int).SetString(x.String(), 10); ok {
			if whole.IsInt64() {
				return int(whole.Int64())
			}
			return whole
		}
		broken, _ := x.Float64() // what is too large is infinite
		return broken
	default:
		return data
	}
}

// Column is one of a table that people put together.
type Column struct {
	Title string
	value *Jq
}

var columnStart = pattern.New(`(?:^|,)\s*([A-Za-z][A-Za-z0-9 _-]*)=`)

// ParseColumns reads titles with expressions of jq: NAME=.name,WHERE=.config.host.
func ParseColumns(text string) ([]Column, error) {
	starts := columnStart.FindAllStringSubmatchIndex(text, -1)
	if len(starts) == 0 || starts[0][0] != 0 {
		return nil, fmt.Errorf("%q is no list of TITLE=.path", text)
	}
	var out []Column
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		title := text[at[2]:at[3]]
		value, err := NewJq(text[at[1]:end])
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", title, err)
		}
		out = append(out, Column{Title: strings.TrimSpace(title), value: value})
	}
	return out, nil
}

// Cell is the text of a column for an object.
func (c Column) Cell(ctx context.Context, data any) (string, error) {
	results, err := c.value.Results(ctx, data)
	if err != nil {
		return "", fmt.Errorf("column %s: %w", c.Title, err)
	}
	var parts []string
	for _, v := range results {
		switch x := v.(type) {
		case nil:
		case string:
			parts = append(parts, x)
		default:
			raw, err := gojq.Marshal(x)
			if err != nil {
				return "", fmt.Errorf("column %s: %w", c.Title, err)
			}
			parts = append(parts, string(raw))
		}
	}
	return strings.Join(parts, ", "), nil
}
