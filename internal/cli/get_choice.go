package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/view"
)

const formHelm = "helm"

// getChoice is what people want of an answer.
type getChoice struct {
	expression, list string
	raw              bool
	jq               *view.Jq
	columns          []view.Column
}

// addJq adds the flags that apply an expression.
func (c *getChoice) addJq(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.expression, "jq", "", "expression of jq to apply to the JSON form")
	flags.BoolVarP(&c.raw, "raw-output", "r", false, "with --jq: texts without quotes")
}

func (c *getChoice) add(cmd *cobra.Command) {
	c.addJq(cmd)
	cmd.Flags().StringVar(&c.list, "columns", "", "columns of the table, such as 'NAME=.name,PORT=.port'")
}

// read compiles the expressions.
func (c *getChoice) read(form string) (err error) {
	switch {
	case c.expression != "" && c.list != "":
		return usagef("--jq and --columns exclude each other")
	case c.expression != "" && form != "" && form != formJSON:
		return usagef("--jq and --output %s exclude each other", form)
	case c.list != "" && (form == formHelm || form == formName || isDocument(form)):
		return usagef("--columns and --output %s exclude each other", form)
	case c.raw && c.expression == "":
		return usagef("--raw-output needs --jq")
	}
	if c.expression != "" {
		if c.jq, err = view.NewJq(c.expression); err != nil {
			return usagef("--jq: %v", err)
		}
	}
	if c.list != "" {
		if c.columns, err = view.ParseColumns(c.list); err != nil {
			return usagef("--columns: %v", err).WithHint("write 'NAME=.name,PORT=.port'.")
		}
	}
	return nil
}

// table has the columns that were asked for.
func (c *getChoice) table(ctx context.Context, bodies []map[string]any) (header []string, rows [][]string, err error) {
	for _, column := range c.columns {
		header = append(header, column.Title)
	}
	for _, body := range bodies {
		var row []string
		for _, column := range c.columns {
			cell, err := column.Cell(ctx, body)
			if err != nil {
				return nil, nil, err
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return header, rows, nil
}

// jqFailure says that an expression does not fit what was found.
func jqFailure(err error) error {
	return usagef("the expression does not fit: %v", err)
}
